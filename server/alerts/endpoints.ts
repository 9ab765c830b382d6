import * as contract from '../../contract/alerts.ts';
import type { Deps } from '../deps.ts';
import { parseEditHeaders } from '../http/edit-headers.ts';
import { type Handled, handle } from '../http/handle.ts';
import { saveAlertRules } from './rules.ts';
import { acknowledgeAlert, listAlerts, pageOfAlerts, reopenAlert, resolveAlert } from './service.ts';
import { readAlertSettings } from './settings.ts';

export function alertEndpoints(deps: Deps): Handled[] {
  return [
    handle(contract.listAlerts, ({ caller, query }) =>
      listAlerts(deps, caller, query.acknowledged === undefined ? null : query.acknowledged === 'true'),
    ),
    handle(contract.alertPage, ({ caller, query }) => pageOfAlerts(deps, caller, query)),
    handle(contract.resolveAlert, ({ caller, params }) => resolveAlert(deps, caller, params.id)),
    handle(contract.reopenAlert, ({ caller, params }) => reopenAlert(deps, caller, params.id)),
    handle(contract.getAlertRules, () => readAlertSettings(deps.db)),
    handle(contract.saveAlertRules, ({ caller, body, request }) =>
      saveAlertRules(deps, caller, { settings: body, version: parseEditHeaders(request.headers).version }),
    ),
    handle(contract.acknowledgeAlert, ({ caller, params }) => acknowledgeAlert(deps, caller, params.id)),
  ];
}
