import { counter, machineTime, text } from './elements.ts';
import type { DexEvent } from './reading.ts';
import type { Segment } from './segments.ts';

/** Units by the first two letters. */
const units: Record<string, string> = {
  EA: 'Coin mechanism',
  EB: 'Cups',
  EC: 'Control system',
  ED: 'Hot drinks',
  EE: 'Brewer',
  EF: 'Water',
  EG: 'Cabinet and door',
  EH: 'Cold drinks',
  EI: 'Communications',
  EJ: 'Vending mechanics',
  EK: 'Cashless device',
  EL: 'Product',
  EM: 'Microwave',
  EN: 'Bill validator',
  EO: 'Refrigeration',
  OA: 'Request',
  OB: 'Service',
  OC: 'Customer',
  OD: 'Return visit',
  OE: 'Machine history',
  OF: 'Cash collection',
};

const named: Record<string, string> = {
  EGS: 'Door opened',
  EGT: 'Door closed',
  EJB: 'Motor fault',
  EJC: 'Coil jam',
  EJH: 'Health timer: food may not be sold',
  EJJ: 'Cooling fault',
  EJL: 'Delivery sensor fault',
  ELA: 'Product not delivered',
  ELE: 'Product low',
  ENK: 'Bill validator does not answer',
  OCF: 'Power interrupted',
};

/** What a code means, in words; null for one without a published meaning. */
export function describeEvent(code: string): string | null {
  if (named[code]) return named[code];
  if (!/^[A-Z]{2,3}$/.test(code)) return null;
  const unit = units[code.slice(0, 2)];
  if (!unit) return null;
  return code.length === 2 ? `${unit}: general fault` : `${unit}: ${code}`;
}

function codeOf(told: string): { code: string; detail: string | null } {
  const [, code, detail] = /^([A-Z]{2,4})_([A-Za-z0-9]{1,10})$/.exec(told) ?? [];
  return code && detail ? { code, detail } : { code: told.slice(0, 80), detail: null };
}

/** EA1: something happened. EA2: how often, and whether it still is so. */
export function readEvent(segment: Segment): DexEvent | null {
  const told = text(segment, 1);
  if (told === '') return null;
  const { code, detail } = codeOf(told);
  const base = { code, detail, description: describeEvent(code), raw: segment.elements };
  if (segment.id === 'EA1') {
    const at = machineTime(text(segment, 2), text(segment, 3));
    const once = { countSinceReset: null, count: null, active: null };
    return { ...base, at, durationMin: counter(segment, 4), ...once };
  }
  const flag = text(segment, 5);
  const active = flag === '' ? null : flag === '1';
  const counts = { countSinceReset: counter(segment, 2), count: counter(segment, 3) };
  return { ...base, at: null, durationMin: null, ...counts, active };
}
