import * as contract from '../../contract/admin.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { findItems } from './items.ts';
import { findLocations } from './locations.ts';
import { administration } from './service.ts';

export function adminEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getAdministration, ({ query }) => administration(deps, query)),
    handle(contract.pageAdminLocations, ({ query }) => findLocations(deps.db, query)),
    handle(contract.pageAdminInventory, ({ query }) => findItems(deps.db, query)),
  ];
}
