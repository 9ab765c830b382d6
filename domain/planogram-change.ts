import type { PlacedSlot, TemplateSlot } from './planogram.ts';
import { slotKey } from './trays.ts';

/** A slot as it is now. */
type Present = TemplateSlot & { id: number; currentQuantity: number; planned?: PlacedSlot['planned'] | undefined };

export type PlanogramChange =
  | { kind: 'added'; slotNumber: string; productName: string }
  | { kind: 'removed'; slotNumber: string; productName: string; units: number }
  | { kind: 'moved'; slotNumber: string; productName: string; from: string }
  | { kind: 'product'; slotNumber: string; productName: string; from: string; units: number }
  | { kind: 'changed'; slotNumber: string; productName: string; fields: readonly string[] };

const compared = [
  ['price', 'price'],
  ['parQuantity', 'par'],
  ['maxQuantity', 'capacity'],
  ['minimumQuantity', 'minimum'],
] as const;

/** What a wanted planogram changes on a machine, slot by slot. */
export function planogramChanges(present: readonly Present[], wanted: readonly PlacedSlot[]): PlanogramChange[] {
  const byId = new Map(present.map((slot) => [slot.id, slot]));
  const kept = new Set(wanted.flatMap((slot) => slot.id ?? []));
  const gone = present.filter((slot) => !kept.has(slot.id));
  return [
    ...wanted.flatMap((slot) => changesOf(slot.id === undefined ? undefined : byId.get(slot.id), slot)),
    ...gone.map(({ slotNumber, productName, currentQuantity }): PlanogramChange => {
      return { kind: 'removed', slotNumber, productName, units: currentQuantity };
    }),
  ];
}

function changesOf(before: Present | undefined, slot: PlacedSlot): PlanogramChange[] {
  const { slotNumber, productName } = slot;
  if (!before) return [{ kind: 'added', slotNumber, productName }];
  const changes: PlanogramChange[] = [];
  if (before.slotNumber !== slotNumber)
    changes.push({ kind: 'moved', slotNumber, productName, from: before.slotNumber });
  const next = slot.planned?.productName ?? productName;
  if (before.productName !== next) {
    const units = before.currentQuantity;
    changes.push({ kind: 'product', slotNumber, productName: next, from: before.productName, units });
  }
  const fields = compared.flatMap(([field, word]) => ((before[field] ?? null) === (slot[field] ?? null) ? [] : [word]));
  if (fields.length > 0) changes.push({ kind: 'changed', slotNumber, productName, fields });
  return changes;
}

/**
 * A template laid over a machine: positions of both keep their slot, others of the template are new, others of the machine
 * go. Where another product stands, it is exchanged when the slot is next filled, so that what is left is not counted as
 * the new one; an empty slot has it at once.
 */
export function withTemplate(present: readonly Present[], template: readonly TemplateSlot[]): PlacedSlot[] {
  const byNumber = new Map(present.map((slot) => [slot.slotNumber, slot]));
  const byKey = new Map(present.map((slot) => [slotKey(slot.slotNumber), slot]));
  const wantedNumbers = new Set(template.map((slot) => slot.slotNumber));
  return template.map((wanted) => {
    const alike = byKey.get(slotKey(wanted.slotNumber));
    const before =
      byNumber.get(wanted.slotNumber) ?? (alike && wantedNumbers.has(alike.slotNumber) ? undefined : alike);
    if (!before) return withinCapacity(wanted);
    // A coil holds what it holds: units that are there are never above the capacity.
    const maxQuantity = Math.max(wanted.maxQuantity, before.currentQuantity);
    if (before.productName === wanted.productName || before.currentQuantity === 0) {
      return withinCapacity({ ...wanted, id: before.id, slotNumber: before.slotNumber, maxQuantity, planned: null });
    }
    const { productName, price, parQuantity } = wanted;
    return withinCapacity({ ...placedOf(before), maxQuantity, planned: { productName, price, parQuantity } });
  });
}

/**
 * Levels of a slot that becomes smaller, or of a template from when a minimum could be above the capacity. Nobody has typed
 * them here, so nobody could be asked to correct them.
 */
function withinCapacity<S extends PlacedSlot>(slot: S): S {
  const { maxQuantity, parQuantity, minimumQuantity } = slot;
  return {
    ...slot,
    parQuantity: parQuantity ? Math.min(parQuantity, maxQuantity) : null,
    minimumQuantity: Math.min(minimumQuantity, maxQuantity),
  };
}

/** A slot as it stands, as a position of a wanted planogram. */
export function placedOf(slot: Present): PlacedSlot & { id: number } {
  const { id, slotNumber, productName, price, cost, productCode, category, brand } = slot;
  const { maxQuantity, parQuantity, minimumQuantity, planned = null } = slot;
  const product = { productName, price, cost, productCode, category, brand };
  return { id, slotNumber, ...product, maxQuantity, parQuantity, minimumQuantity, planned };
}

/** Two positions exchanged, or one slot moved to a free one. */
export function withMove(slots: readonly PlacedSlot[], from: string, to: string): PlacedSlot[] {
  return slots.map((slot) => {
    if (slot.slotNumber === from) return { ...slot, slotNumber: to };
    return slot.slotNumber === to ? { ...slot, slotNumber: from } : slot;
  });
}
