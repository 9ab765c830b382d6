import { and, eq, isNull, sql } from 'drizzle-orm';
import { notFound } from '../../../domain/errors.ts';
import { resolveAlertsOfType } from '../../alerts/service.ts';
import { recordAudit } from '../../audit/service.ts';
import { rows } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { Caller } from '../../http/caller.ts';
import { tell } from '../../integrations/service.ts';
import { vendorAlerts } from '../tables.ts';

type Closed = { id: number; resolvedAt: string; resolvedBy: string | null };

/** Ends what a partner reported, here and among the machine's own alerts. Told again by the partner, it stays ended. */
export function closePartnerAlert(deps: Deps, caller: Caller, id: number): Promise<Closed> {
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    const isOpen = and(eq(vendorAlerts.id, id), isNull(vendorAlerts.resolvedAt));
    const [closed] = await tx
      .update(vendorAlerts)
      .set({ resolvedAt: at, resolvedBy: caller.name, updatedAt: at })
      .where(isOpen)
      .returning();
    const [alert] = closed ? [closed] : await tx.select().from(vendorAlerts).where(eq(vendorAlerts.id, id));
    if (!alert) throw notFound('alert');
    if (closed) {
      await resolveAlertsOfType(tx, await ownAlertOf(tx, closed));
      const detail = { alertType: closed.alertType, alert: closed.vendorId };
      const objectId = closed.configId;
      await recordAudit(tx, caller, { action: 'integration.close-alert', objectType: 'integration', objectId, detail });
      await tell(tx, closed.configId);
    }
    return { id, resolvedAt: (alert.resolvedAt ?? at).toISOString(), resolvedBy: alert.resolvedBy };
  });
}

type Row = typeof vendorAlerts.$inferSelect;

/** The machine's own alert of this kind, unless the partner has told of it a second time. */
function ownAlertOf(tx: Parameters<typeof rows>[0], { alertType, configId, deviceId, integrationId }: Row) {
  return rows<{ machineId: number; alertType: string }>(
    tx,
    sql`select distinct d.machine_id as "machineId", ${alertType.slice(0, 50)} as "alertType" from vendor_devices d
        where d.machine_id is not null
          and ((d.config_id = ${configId} and d.vendor_id = ${deviceId}) or d.integration_id = ${integrationId})
          and not exists (select from vendor_alerts a where a.config_id = ${configId} and a.device_id = ${deviceId}
            and a.alert_type = ${alertType} and a.resolved_at is null)`,
  );
}
