import { getPickSheet, listPickRoutes, preparePickSheet, recordPicks, setPickState } from '../../contract/picking.ts';
import type { Deps } from '../deps.ts';
import { handle } from '../http/handle.ts';
import { listPickRoutesOf, pickSheetOf, prepareSheet, recordPicksOf, setStateOf } from './service.ts';

export const pickingEndpoints = (deps: Deps) => [
  handle(listPickRoutes, ({ caller, query }) => listPickRoutesOf(deps, caller, query.date)),
  handle(getPickSheet, ({ caller, params }) => pickSheetOf(deps, caller, params.id)),
  handle(preparePickSheet, ({ caller, params }) => prepareSheet(deps, caller, params.id)),
  handle(recordPicks, ({ caller, params, body }) => recordPicksOf(deps, caller, params.id, body.picks)),
  handle(setPickState, ({ caller, params, body }) => setStateOf(deps, caller, params.id, body.state)),
];
