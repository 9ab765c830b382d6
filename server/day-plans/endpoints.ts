import * as contract from '../../contract/day-plans.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { arrangePlan, createPlan, discardPlan, getPlan, improvePlan, savePlan, stopPlan, undoPlan } from './service.ts';

export const dayPlanEndpoints = (deps: Deps): Handled[] => [
  handle(contract.createDayPlan, ({ caller, body }) => createPlan(deps, caller, body)),
  handle(contract.getDayPlan, ({ caller, params }) => getPlan(deps, caller, params.id)),
  handle(contract.stopDayPlan, ({ caller, params }) => stopPlan(deps, caller, params.id)),
  handle(contract.improveDayPlan, ({ caller, params, body }) => improvePlan(deps, caller, params.id, body.timeLimitMs)),
  handle(contract.arrangeDayPlan, ({ caller, params, body }) => arrangePlan(deps, caller, params.id, body)),
  handle(contract.undoDayPlan, ({ caller, params }) => undoPlan(deps, caller, params.id)),
  handle(contract.saveDayPlan, ({ caller, params }) => savePlan(deps, caller, params.id)),
  handle(contract.discardDayPlan, async ({ caller, params }) => {
    await discardPlan(deps, caller, params.id);
    return {};
  }),
];
