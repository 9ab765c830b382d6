import { type OperatorRules, usualRules } from './operator-rules.ts';

/**
 * The product's different rules of 'low', side by side, each naming the screens that use it.
 * They differ on purpose: an item at exactly its minimum is 'Warning' in the office and low in the field.
 */

/** Dashboard, the low-stock call and the mobile tile: at or below the minimum. */
export function isLow(item: { currentQuantity: number; minimumQuantity: number }): boolean {
  return item.currentQuantity <= item.minimumQuantity;
}

export type FieldStatus = 'out' | 'low' | 'good';

/** Mobile Field Inventory and Daily Schedule. A machine slot without a minimum of its own passes 0: then it is only out or good. */
export function fieldStatus(quantity: number, minimum: number): FieldStatus {
  if (quantity <= 0) return 'out';
  return quantity <= minimum ? 'low' : 'good';
}

/** Front of a machine: at its minimum; a slot without one below a part of what it holds. */
export function frontStatus(
  slot: { currentQuantity: number; minimumQuantity: number; maxQuantity: number },
  { lowSlotPercent }: Pick<OperatorRules, 'lowSlotPercent'> = usualRules,
): FieldStatus {
  if (slot.currentQuantity <= 0 || slot.minimumQuantity > 0) {
    return fieldStatus(slot.currentQuantity, slot.minimumQuantity);
  }
  return slot.currentQuantity * 100 < lowSlotPercent * slot.maxQuantity ? 'low' : 'good';
}

/** Words of the Daily Schedule for the field rule. */
export const scheduleLabel: Record<FieldStatus, string> = { out: 'Empty', low: 'Low', good: 'Good' };

export type OfficeStatus = 'low' | 'warning' | 'in-stock';

/** Inventory screen: low below the minimum, a warning below one and a half times the minimum. */
export function officeStatus(item: { currentQuantity: number; minimumQuantity: number }): OfficeStatus {
  if (item.currentQuantity < item.minimumQuantity) return 'low';
  return item.currentQuantity < 1.5 * item.minimumQuantity ? 'warning' : 'in-stock';
}

export type LevelBand = 'danger' | 'warning' | 'healthy';

type Bands = Pick<OperatorRules, 'lowLevelPercent' | 'goodLevelPercent'>;

/** Colour band of a market's stock level in percent: below 40, 40 to below 70, 70 and above, unless the operator says else. */
export function levelBand(percent: number, { lowLevelPercent, goodLevelPercent }: Bands = usualRules): LevelBand {
  if (percent < lowLevelPercent) return 'danger';
  return percent < goodLevelPercent ? 'warning' : 'healthy';
}

/**
 * The quantity a market item should be filled to: its par where one is set, else twice its minimum
 * (the quantity that the row's restock button sets).
 */
export function targetQuantity(item: { minimumQuantity: number; parQuantity: number | null }): number {
  return item.parQuantity ?? 2 * item.minimumQuantity;
}

/**
 * Stock level of a market, whole percent 0 to 100: what is there, each item counted at most up to its target,
 * over the sum of the targets. No items is 0.
 */
export function stockLevel(stockedUnits: number, targetUnits: number): number {
  if (targetUnits <= 0) return 0;
  return Math.max(0, Math.min(100, Math.round((100 * stockedUnits) / targetUnits)));
}

/** What a quick restock of a market row sets: twice the minimum; with Quick Restock mode on at least 50. */
export function restockQuantity(minimum: number, mode: { quickRestock: boolean }): number {
  return mode.quickRestock ? Math.max(2 * minimum, 50) : 2 * minimum;
}

/**
 * Administration Dashboard and Integration Sync Center: at or below the minimum or, where a capacity exists, below a fifth of it. A
 * machine slot counts with minimum 0 there, whatever it is elsewhere.
 */
export function administrationLow(
  item: { currentQuantity: number; minimumQuantity: number; capacity: number | null },
  { lowSlotPercent }: Pick<OperatorRules, 'lowSlotPercent'> = usualRules,
): boolean {
  if (item.currentQuantity <= item.minimumQuantity) return true;
  return item.capacity !== null && item.currentQuantity * 100 < lowSlotPercent * item.capacity;
}
