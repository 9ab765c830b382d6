import { getFieldDay, listChanges, pushEvents } from '../../contract/sync.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { changesSince } from './changes.ts';
import { fieldDay } from './field-day.ts';
import { pushBatch } from './service.ts';

export const syncEndpoints = (deps: Deps) => [
  handle(pushEvents, ({ caller, body }) => pushBatch(deps, caller, body)),
  handle(listChanges, ({ caller, query }) => changesSince(deps, caller, query.cursor)),
  handle(getFieldDay, ({ caller }) => fieldDay(deps, caller)),
];
