import * as contract from '../../contract/admin.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { toldAlike } from '../scope/service.ts';
import { findItems } from './items.ts';
import { findLocations } from './locations.ts';
import { administration } from './service.ts';

export function adminEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.getAdministration, ({ query }) =>
      toldAlike(
        deps,
        { everything: true },
        {
          asked: ['administration', query],
          read: () => administration(deps, query),
          ofMany: {
            rows: ({ totalLocations }) => totalLocations,
            from: ['markets', 'vending_machines', 'users', 'route_designations'],
          },
        },
      ),
    ),
    handle(contract.pageAdminLocations, ({ query }) => findLocations(deps, query)),
    handle(contract.pageAdminInventory, ({ query }) => findItems(deps, query)),
  ];
}
