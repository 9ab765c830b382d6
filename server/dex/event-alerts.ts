import { type DexAlert, dexAlerts } from '../../connectors/dex/alerts.ts';
import type { DexReading } from '../../connectors/dex/reading.ts';
import { raiseAlerts, resolveAlertsOfType, seenToIsOver } from '../alerts/service.ts';
import type { Db } from '../db/database.ts';

/** Events before this are history: the file lists them, but they wake nobody. */
const freshMs = 48 * 3_600_000;

export type EventAlert = DexAlert & { raisedAt: Date };
/** Faults that a file tells of, and codes of those that it says are over. */
export type EventAlerts = { raised: EventAlert[]; over: string[] };

type When = { readAt: Date; before: Date | null; instantOf: (machineTime: string) => Date };

/** What happened since the file before, and what still is. */
export function eventAlertsOf(reading: DexReading, { readAt, before, instantOf }: When): EventAlerts {
  const told = dexAlerts(reading);
  const present = new Set(told.filter(({ active }) => active === true).map(({ code }) => code));
  const gone = told.filter(({ active, code }) => active === false && !present.has(code)).map(({ code }) => code);
  const over = new Set(gone);
  const since = Math.max(readAt.getTime() - freshMs, before?.getTime() ?? 0);
  const raised = told.flatMap((alert) => {
    if (over.has(alert.code)) return [];
    const at = alert.at === null ? null : instantOf(alert.at);
    const isNew = at !== null && at.getTime() > since && at <= readAt;
    return alert.active === true || isNew ? [{ ...alert, raisedAt: isNew ? at : readAt }] : [];
  });
  return { raised, over: [...over] };
}

/** Carries them over to the machine's alerts: one a kind of fault, naming all that it is about. */
export async function raiseEventAlerts(tx: Db, machineId: number, { raised, over }: EventAlerts): Promise<void> {
  const kinds = new Map<string, EventAlert[]>();
  for (const alert of raised) kinds.set(alert.type, [...(kinds.get(alert.type) ?? []), alert]);
  await seenToIsOver(tx, machineId, { prefix: 'dex_', but: [...kinds.keys()] });
  await resolveAlertsOfType(
    tx,
    over.map((code) => ({ machineId, alertType: `dex_${code.toLowerCase()}` })),
  );
  await raiseAlerts(
    tx,
    [...kinds].flatMap(([alertType, alerts]) => {
      const [first] = alerts;
      const message = [...new Set(alerts.map((one) => one.message))].slice(0, 5).join(' ');
      return first ? [{ machineId, slotId: null, alertType, message, severity: first.severity }] : [];
    }),
  );
}
