import type { IntegrationState } from '../../contract/integrations.ts';
import { integrationSystem } from '../../domain/integration.ts';
import type { Db } from '../db/database.ts';

/** What a connector tells of its configurations; each connector adds its own here. */
type Connector = (db: Db) => Promise<IntegrationState>;

const connectors: Partial<Record<IntegrationState['system'], Connector>> = {};

/** The state of each system. A system without a connector cannot have a configuration, and is not connected. */
export function listIntegrations(db: Db): Promise<IntegrationState[]> {
  return Promise.all(
    integrationSystem.options.map(
      async (system) =>
        (await connectors[system]?.(db)) ?? { system, configurations: 0, state: 'not-connected', problem: null },
    ),
  );
}
