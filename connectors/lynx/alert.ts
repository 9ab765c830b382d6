import type { VendorAlert } from '../../domain/integration.ts';
import { id, instant, type Rec, text } from './read.ts';
import { placeOf } from './sale.ts';

type Severity = VendorAlert['severity'];

/** No severity is published: these are ours, by what the event says. The first that fits counts. */
const kinds: readonly { kind: string; severity: Severity; words: RegExp }[] = [
  { kind: 'temperature', severity: 'critical', words: /temperature|health timer|cooling|freez/ },
  { kind: 'power', severity: 'high', words: /power|battery/ },
  { kind: 'door', severity: 'high', words: /door/ },
  { kind: 'payment', severity: 'high', words: /payment|validator|bill|coin|reader|cashless|card/ },
  { kind: 'communication', severity: 'high', words: /communicat|offline|online|connection|keep.?alive|reception/ },
  { kind: 'stock', severity: 'medium', words: /stock|sold out|empty|low level|out of product/ },
  { kind: 'vend', severity: 'medium', words: /vend|motor|jam|dispens|selection/ },
];

const isRestored = /power up|door clos|restor|normal|back (?:to|on)|recovered|resolved|cleared|is online|refilled/;

type Told = {
  machineId: string;
  code: string | null;
  name: string;
  category: string | null;
  data: string | null;
  raisedAt: Date;
  raw: Rec;
};

/** A record of `lastAlerts`; null where it names no time. */
export function readAlert(rec: Rec, machineId: string): VendorAlert | null {
  const raisedAt = instant(rec, 'EventDateTimeGMT');
  if (!raisedAt) return null;
  const code = text(rec, 'EventCode');
  return alertOf({
    machineId: id(rec, 'MachineID') ?? machineId,
    code,
    name: text(rec, 'EventDescription', 'EventName') ?? `Event ${code ?? 'without a code'}`,
    category: text(rec, 'EventCategoryName', 'EventGroupName', 'EventSourceName'),
    data: text(rec, 'EventData'),
    raisedAt,
    raw: rec,
  });
}

/**
 * The queue's messages of an event carry no EventLogID, the list does: both are known by machine, code and second, so
 * that an event which comes both ways is one alert.
 */
export function alertOf(told: Told): VendorAlert {
  const words = `${told.name} ${told.category ?? ''}`.toLowerCase();
  const restored = isRestored.test(told.name.toLowerCase());
  const severity = restored ? 'low' : (kinds.find((one) => one.words.test(words))?.severity ?? 'low');
  const second = told.raisedAt.toISOString().slice(0, 19);
  return {
    vendorId: `${told.machineId}:${told.code ?? told.name.slice(0, 40)}:${second}`,
    deviceId: told.machineId,
    integrationId: placeOf(told.machineId),
    alertType: (told.category ?? told.code ?? 'event').slice(0, 100),
    code: told.code,
    message: withData(told.name, told.data),
    severity,
    raisedAt: told.raisedAt,
    // Good news and mere information need nobody.
    resolvedAt: restored || severity === 'low' ? told.raisedAt : null,
    raw: told.raw,
  };
}

function withData(name: string, data: string | null): string {
  const more = data?.replaceAll(/\s+/g, ' ').trim() ?? '';
  if (more === '' || name.includes(more)) return name;
  return `${name}: ${more.length > 160 ? `${more.slice(0, 159)}…` : more}`;
}

/** Ends alerts of one machine by the later event that says the same thing is well again. Returns them oldest first. */
export function settled(alerts: readonly VendorAlert[]): VendorAlert[] {
  const inOrder = [...alerts].sort((a, b) => a.raisedAt.getTime() - b.raisedAt.getTime());
  return inOrder.map((alert, index) => {
    if (alert.resolvedAt) return alert;
    const kind = kindOf(alert);
    const end = inOrder
      .slice(index + 1)
      .find((later) => kind !== null && kindOf(later) === kind && isRestored.test(later.message.toLowerCase()));
    return end ? { ...alert, resolvedAt: end.raisedAt } : alert;
  });
}

function kindOf({ message, alertType }: VendorAlert): string | null {
  const words = `${message} ${alertType}`.toLowerCase();
  return kinds.find((one) => one.words.test(words))?.kind ?? null;
}
