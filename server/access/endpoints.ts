import * as contract from '../../contract/access.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { changeAccess, giveAccess, listAccess, removeAccess } from './service.ts';

export function accessEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listApplicationAccess, ({ query }) => listAccess(deps, query.userId)),
    handle(contract.giveApplicationAccess, ({ caller, body }) => giveAccess(deps, caller, body)),
    handle(contract.changeApplicationAccess, ({ caller, params, body }) => changeAccess(deps, caller, params.id, body)),
    handle(contract.removeApplicationAccess, async ({ caller, params }) => {
      await removeAccess(deps, caller, params.id);
      return {};
    }),
  ];
}
