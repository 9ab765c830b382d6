import * as contract from '../../contract/cantaloupe.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { createConfig, flatErrors, listConfigs, requireConfig } from '../integrations/service.ts';
import { getOperator, today } from '../settings/service.ts';
import { findDevices, findStatus, findTransactions, pageTransactions } from './queries.ts';
import { sync, toCantaloupe } from './service.ts';

export function cantaloupeEndpoints(deps: Deps): Handled[] {
  const known = (id: number) => requireConfig(deps.db, id, 'cantaloupe');
  return [
    handle(contract.listCantaloupeConfigs, async () => (await listConfigs(deps, 'cantaloupe')).map(toCantaloupe)),
    handle(contract.createCantaloupeConfig, async ({ body, caller }) => {
      const { name, isActive, ...settings } = body;
      const wish = { system: 'cantaloupe', name, settings, isActive } as const;
      return toCantaloupe(await flatErrors(() => createConfig(deps, caller, wish)));
    }),
    handle(contract.listCantaloupeDevices, async ({ query }) => {
      await known(query.configId);
      return findDevices(deps.db, query.configId);
    }),
    handle(contract.listCantaloupeTransactions, async ({ query }) => {
      await known(query.configId);
      return findTransactions(deps.db, query.configId, query.limit);
    }),
    handle(contract.pageCantaloupeTransactions, async ({ query }) => {
      await known(query.configId);
      return pageTransactions(deps.db, query);
    }),
    handle(contract.getCantaloupeStatus, async ({ query: { configId = null } }) => {
      if (configId !== null) await known(configId);
      const { timeZone } = await getOperator(deps.db);
      return findStatus(deps.db, { configId, timeZone, today: await today(deps.db, deps.clock) });
    }),
    handle(contract.syncCantaloupeDevices, ({ params }) => sync(deps, params.configId, 'devices')),
    handle(contract.syncCantaloupeTransactions, ({ params }) => sync(deps, params.configId, 'sales')),
  ];
}
