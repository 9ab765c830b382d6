import { getDayWork, listDayEnds } from '../../contract/day-ends.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { dayWorkOf, listDayEndsOf } from './service.ts';

export const dayEndEndpoints = (deps: Deps) => [
  handle(listDayEnds, ({ caller, query }) => listDayEndsOf(deps, caller, query.date)),
  handle(getDayWork, ({ caller, query }) => dayWorkOf(deps, caller, query.date)),
];
