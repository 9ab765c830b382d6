import type { Alert, alertPage } from '../../contract/alerts.ts';
import type { Reply } from '../../contract/endpoint.ts';
import { alertRule } from '../../domain/alert-rules.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { inPieces } from '../db/statements/pieces.ts';
import { isoInstant, isoOrNull, type Told } from '../db/statements/told.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import type { Pieces } from '../http/long-list.ts';
import { publish } from '../live/hub.ts';
import { machineInScope, scopeOf } from '../scope/service.ts';
import { type AlertFilter, findAlertPage } from './alert-page.ts';
import {
  type AlertRow,
  findAlert,
  findOpenAlertKeys,
  findOpenAlerts,
  insertAlerts,
  type NewAlert,
  type Touched,
  updateAcknowledged,
  updateCausesOver,
  updateReopened,
  updateResolvedByHand,
  updateResolvedOfMachine,
  updateResolvedOfSlots,
  updateResolvedOfType,
} from './queries.ts';
import { readAlertSettings } from './settings.ts';

export { sendDigest } from './digest.ts';
export { ongoingAlertTypes } from './queries.ts';
export { raiseByRules, raiseUnhurried } from './rules.ts';
export { readAlertSettings } from './settings.ts';

/** Raises alerts, at most one open per machine, type and slot: repeating a cause adds nothing. */
export async function raiseAlerts(tx: Db, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length === 0) return;
  await tell(tx, await insertAlerts(tx, await asSet(tx, alerts)));
}

/** Alerts of rules as the settings have them: none of a rule that is off, each as grave as set. */
async function asSet(tx: Db, alerts: readonly NewAlert[]): Promise<NewAlert[]> {
  const { rules } = await readAlertSettings(tx);
  return alerts.flatMap((alert) => {
    const rule = alertRule.safeParse(alert.alertType);
    if (!rule.success) return [alert];
    const { enabled, severity } = rules[rule.data];
    return enabled ? [{ ...alert, severity }] : [];
  });
}

/** Closes the open alerts of one type on slots whose cause has gone. */
export async function resolveAlerts(tx: Db, cause: { alertType: string; slotIds: readonly number[] }): Promise<void> {
  if (cause.slotIds.length === 0) return;
  await tell(tx, await updateResolvedOfSlots(tx, cause));
}

/** Closes the open alerts of these types on these machines: whoever reported them says that they are over. */
export async function resolveAlertsOfType(
  tx: Db,
  over: readonly { machineId: number; alertType: string }[],
): Promise<void> {
  for (const { machineId, alertType } of over) await tell(tx, await updateResolvedOfType(tx, machineId, alertType));
}

/** Alerts that a person ended may be raised again: what reports them no longer tells of their cause. */
export async function seenToIsOver(
  tx: Db,
  machineId: number,
  types: { prefix: string; but: readonly string[] },
): Promise<void> {
  await updateCausesOver(tx, machineId, types);
}

/** Closes every open alert of slots that are taken away. */
export async function resolveAlertsOfSlots(tx: Db, slotIds: readonly number[]): Promise<void> {
  if (slotIds.length === 0) return;
  await tell(tx, await updateResolvedOfSlots(tx, { alertType: null, slotIds }));
}

/** Closes every open alert of a machine that is taken away. */
export async function resolveAlertsOfMachine(
  tx: Db,
  machine: { id: number; routeDesignation: string | null },
): Promise<void> {
  const ids = await updateResolvedOfMachine(tx, machine.id);
  await tell(
    tx,
    ids.map((id) => ({ id, machineId: machine.id, routeDesignation: machine.routeDesignation })),
  );
}

async function tell(tx: Db, touched: readonly Touched[]): Promise<void> {
  if (touched.length === 0) return;
  const routes = new Set(touched.flatMap((alert) => alert.routeDesignation ?? []));
  await publish(tx, { topic: 'alerts', ids: touched.map((alert) => alert.id), routes: [...routes] });
}

export async function listAlerts(deps: Deps, caller: Caller, acknowledged: boolean | null): Promise<Pieces<Alert>> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  return inPieces(await findOpenAlertKeys(deps.db, inScope, acknowledged), async (ids) =>
    (await findOpenAlerts(deps.db, inScope, ids)).map(toAlert),
  );
}

/** Notes who has seen the alert and when; a second time keeps the first. */
export async function acknowledgeAlert(deps: Deps, caller: Caller, id: number): Promise<Alert> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  return deps.db.transaction(async (tx) => {
    const found = await findAlert(tx, inScope, id);
    if (!found) throw notFound('alert');
    const isFirst = await updateAcknowledged(tx, id, { name: caller.name, at: deps.clock.now() });
    if (isFirst) {
      await recordAudit(tx, caller, { action: 'alert.acknowledge', objectType: 'alert', objectId: id });
      await tell(tx, [found]);
    }
    const after = await findAlert(tx, inScope, id);
    return toAlert(after ?? found);
  });
}

/** Ends an alert by hand; a second time keeps the first. */
export async function resolveAlert(deps: Deps, caller: Caller, id: number): Promise<Alert> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  return deps.db.transaction(async (tx) => {
    const found = await findAlert(tx, inScope, id);
    if (!found) throw notFound('alert');
    const isFirst = await updateResolvedByHand(tx, id, { name: caller.name, at: deps.clock.now() });
    if (isFirst) {
      await recordAudit(tx, caller, { action: 'alert.resolve', objectType: 'alert', objectId: id });
      await tell(tx, [found]);
    }
    const after = await findAlert(tx, inScope, id);
    return toAlert(after ?? found);
  });
}

/** Takes back that an alert was ended by hand; one that is open stays so. Of a cause that has gone since it tells nothing any more. */
export async function reopenAlert(deps: Deps, caller: Caller, id: number): Promise<Alert> {
  const inScope = machineInScope(await scopeOf(deps, caller));
  return deps.db.transaction(async (tx) => {
    const found = await findAlert(tx, inScope, id);
    if (!found) throw notFound('alert');
    const isReopened = await updateReopened(tx, id);
    if (!isReopened && found.resolvedAt) {
      throw new AppError('conflict', 'What this alert tells of has gone since. It stays resolved.');
    }
    if (isReopened) {
      await recordAudit(tx, caller, { action: 'alert.reopen', objectType: 'alert', objectId: id });
      await tell(tx, [found]);
    }
    const after = await findAlert(tx, inScope, id);
    return toAlert(after ?? found);
  });
}

/** One page of alerts, resolved ones too, and the cursor of the next. */
export async function pageOfAlerts(deps: Deps, caller: Caller, filter: AlertFilter): Promise<Reply<typeof alertPage>> {
  // One more than asked for says whether there is a next page.
  const found = await findAlertPage(deps, await scopeOf(deps, caller), { ...filter, limit: filter.limit + 1 });
  const alerts = found.alerts.slice(0, filter.limit);
  const hasMore = found.alerts.length > filter.limit;
  return { alerts: alerts.map(toListed), total: found.total, next: hasMore ? (alerts.at(-1)?.id ?? null) : null };
}

const severities: readonly string[] = ['critical', 'high', 'medium', 'low'];
const isSeverity = (text: string): text is Alert['severity'] => severities.includes(text);

function toListed(row: Told<AlertRow>): Alert {
  return {
    ...row,
    severity: isSeverity(row.severity) ? row.severity : 'medium',
    acknowledgedAt: isoOrNull(row.acknowledgedAt),
    resolvedAt: isoOrNull(row.resolvedAt),
    createdAt: isoInstant(row.createdAt),
  };
}

function toAlert(row: AlertRow): Alert {
  return {
    ...row,
    severity: isSeverity(row.severity) ? row.severity : 'medium',
    acknowledgedAt: row.acknowledgedAt?.toISOString() ?? null,
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  };
}
