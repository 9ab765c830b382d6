import type { CountConflict, HeldEvent } from '../../contract/stock-review.ts';
import type { FieldEvent } from '../../domain/field-event.ts';
import type { StockEvent } from '../../domain/inventory.ts';
import { formatNumber, formatSigned } from '../http/format.ts';

const kinds: Record<StockEvent['kind'] | FieldEvent['type'] | 'unreadable', string> = {
  count: 'Count',
  restock: 'Restock',
  removal: 'Removal',
  spoilage: 'Spoilage',
  return: 'Return',
  visit: 'Note and figures of a visit',
  'route-started': 'Start of a route',
  'route-completed': 'End of a route',
  'day-ended': 'End of a day',
  'stop-arrived': 'Arrival at a stop',
  'stop-completed': 'Completion of a stop',
  'stop-skipped': 'Skipped stop',
  'stop-reopened': 'Stop opened again',
  'arrival-undone': 'Arrival taken back',
  'start-undone': 'Start taken back',
  unreadable: 'A change that could not be read',
};

/** A newer phone may send kinds that are not known here. */
const nameOf: Record<string, string | undefined> = kinds;

/** What happened, such as 'Count of Cola, A1: 7'. */
export function heldTitle({ kind, productName, slotNumber, quantity }: HeldEvent): string {
  const what = nameOf[kind] ?? 'A change';
  const of = productName ? ` of ${productName}${slotNumber ? `, ${slotNumber}` : ''}` : '';
  if (quantity === null) return `${what}${of}`;
  return `${what}${of}: ${kind === 'count' ? formatNumber(quantity) : formatSigned(quantity)}`;
}

/** A slip of the finger, as likely as not. */
export function isTooMuch({ kind, quantity, capacity }: HeldEvent): boolean {
  return kind === 'count' && quantity !== null && capacity !== null && quantity > capacity;
}

export function itemTitle({ productName, slotNumber }: Pick<CountConflict, 'productName' | 'slotNumber'>): string {
  return slotNumber ? `${productName}, ${slotNumber}` : productName;
}

/** What the earlier count says of the time of the later one. */
export function firstThen({ first, moved }: CountConflict): number {
  return Math.max(0, first.quantity + moved);
}

/** Why the earlier count does not read as it was made; nothing when nothing moved. */
export function movedWords({ moved }: CountConflict): string | null {
  if (moved === 0) return null;
  return moved > 0 ? `${moved} put in since` : `${-moved} taken out since`;
}
