import * as contract from '../../contract/alerts.ts';
import type { Deps } from '../deps.ts';
import { type Handled, handle } from '../http/handle.ts';
import { acknowledgeAlert, listAlerts } from './service.ts';

export function alertEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listAlerts, ({ caller, query }) =>
      listAlerts(deps, caller, query.acknowledged === undefined ? null : query.acknowledged === 'true'),
    ),
    handle(contract.acknowledgeAlert, ({ caller, params }) => acknowledgeAlert(deps, caller, params.id)),
  ];
}
