import type { DexEvent, DexReading } from './reading.ts';

type Severity = 'critical' | 'high' | 'medium' | 'low';

/** A state that somebody should see to, as the machine's events tell it. */
export type DexAlert = {
  /** `dex_` and the event's code. */
  type: string;
  code: string;
  message: string;
  severity: Severity;
  /** Machine clock, where the event has a time. */
  at: string | null;
  /** False: the machine says that it is over. Null: it only says that it happened. */
  active: boolean | null;
  /** The same happening has the same one in every file. */
  key: string;
};

const grave: Readonly<Record<string, Severity>> = {
  EJH: 'critical',
  EJJ: 'high',
  EJB: 'high',
  EJC: 'high',
  EJL: 'medium',
  ELA: 'medium',
  ELE: 'low',
  ENK: 'high',
};

/** Units whose faults stop sales, by the first two letters of a code. */
const graveUnits: Readonly<Record<string, Severity>> = {
  EA: 'medium',
  EC: 'high',
  EI: 'low',
  EK: 'high',
  EN: 'medium',
  EO: 'high',
};

function severityOf(code: string): Severity | null {
  if (grave[code]) return grave[code];
  // Third letters: V modified, W no fault found, Y service. They tell of work done, not of a fault.
  if (/^E.[VWY]$/.test(code)) return null;
  return /^E[A-Z]{1,2}$/.test(code) ? (graveUnits[code.slice(0, 2)] ?? null) : null;
}

function alertOf(event: DexEvent): DexAlert | null {
  const severity = severityOf(event.code);
  if (severity === null || event.description === null) return null;
  const isOnlyCounted = event.at === null && event.active === null;
  if (isOnlyCounted) return null;
  const where = event.detail === null ? '' : ` (${event.detail})`;
  const once = event.at ?? `count ${event.count ?? event.countSinceReset ?? 0}`;
  return {
    type: `dex_${event.code.toLowerCase()}`,
    code: event.code,
    message: `DEX: ${event.description}${where}.`,
    severity,
    at: event.at,
    active: event.active,
    key: `${event.code} ${event.detail ?? ''} ${once}`,
  };
}

/** What a file says of faults; counters and openings of a door are no alerts, and a damaged file says nothing. */
export function dexAlerts(reading: DexReading): DexAlert[] {
  if (reading.crc === 'mismatch') return [];
  return reading.events.slice(0, 500).flatMap((event) => alertOf(event) ?? []);
}
