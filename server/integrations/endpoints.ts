import * as contract from '../../contract/integrations.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { listIntegrations } from './service.ts';

export function integrationEndpoints(deps: Deps): Handled[] {
  return [handle(contract.listIntegrations, () => listIntegrations(deps.db))];
}
