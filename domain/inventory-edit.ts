import { z } from 'zod';
import { nearDay } from './calendar-day.ts';
import { reason } from './inventory.ts';
import { requiredText, text } from './market.ts';
import { money, optionalMoney, wholeNumber } from './unit-schemas.ts';

const market = z.int({ error: 'Choose a market' }).positive('Choose a market');
const currentQuantity = wholeNumber('Current quantity', { least: 0, most: 1_000_000 });
const minimumQuantity = wholeNumber('Minimum quantity', { least: 1, most: 1_000_000 });
const fillUpTo = wholeNumber('The level to fill up to', { least: 1, most: 1_000_000 });

/** A product at a market. */
export const inventoryItemInput = z.strictObject({
  marketId: market,
  productName: requiredText(255, 'Product name'),
  currentQuantity: currentQuantity.default(0),
  minimumQuantity: minimumQuantity.default(10),
  parQuantity: fillUpTo.nullish(),
});
export type InventoryItemInput = z.output<typeof inventoryItemInput>;

const ofACount = ['reason', 'note', 'occurredAt'] as const;
type Counting = { currentQuantity?: number | undefined } & { [name in (typeof ofACount)[number]]?: unknown };

/** They are kept with a count: without one they would be taken and lost. */
function expectCount(edit: Counting, context: z.RefinementCtx): void {
  if (edit.currentQuantity !== undefined) return;
  for (const name of ofACount) {
    if (edit[name] === undefined) continue;
    context.addIssue({ code: 'custom', path: [name], message: 'This is kept with a count: send currentQuantity too' });
  }
}

/** An edit of an item's quantity (a count) and of its other fields, as another client may send it. */
export const inventoryItemUpdate = z
  .strictObject({
    marketId: market.optional(),
    productName: requiredText(255, 'Product name').optional(),
    currentQuantity: currentQuantity.optional(),
    minimumQuantity: minimumQuantity.optional(),
    parQuantity: fillUpTo.nullish(),
    lastRestocked: z.iso.datetime({ offset: true }).nullish(),
    reason: reason.optional(),
    note: text(500, 'Note').optional(),
    occurredAt: z.iso.datetime({ offset: true }).optional(),
  })
  .superRefine(expectCount);
export type InventoryItemUpdate = z.output<typeof inventoryItemUpdate>;

/** So many items are changed or taken off in one call: beyond that, others would wait for it too long. */
export const mostItemsAtOnce = 500;

const tooMany = `At most ${mostItemsAtOnce} items at once`;
const itemId = z.int().positive();
const areDifferent = (ids: readonly number[]): boolean => new Set(ids).size === ids.length;
const twice = 'An item is named twice';

/** Items that one call is about. */
export const itemsInput = z.strictObject({
  ids: z.array(itemId).min(1, 'Choose at least one item').max(mostItemsAtOnce, tooMany).refine(areDifferent, twice),
});

/** Minimums of several items. `from`: the one it builds on; where another stands by now, nothing is changed. */
export const minimumsInput = z.strictObject({
  items: z
    .array(z.strictObject({ id: itemId, minimumQuantity, from: z.int().optional() }))
    .min(1, 'Choose at least one item')
    .max(mostItemsAtOnce, tooMany)
    .refine((items) => areDifferent(items.map(({ id }) => id)), twice),
});
export type MinimumsInput = z.output<typeof minimumsInput>;

/** The one number of a form that sets it for several items. */
export const minimumInput = z.strictObject({ minimumQuantity });

/** An edit of a slot: its quantity (a count), and what stands in it at which price. */
export const slotUpdate = z
  .strictObject({
    productName: requiredText(255, 'Product name').optional(),
    slotNumber: requiredText(20, 'Slot number').optional(),
    price: money('Price is required').optional(),
    cost: optionalMoney(),
    maxQuantity: wholeNumber('Max quantity', { least: 1, most: 10_000 }).optional(),
    productCode: text(50, 'Product code').nullish(),
    category: text(100, 'Category').nullish(),
    brand: text(100, 'Brand').nullish(),
    expirationDate: nearDay.nullish(),
    currentQuantity: currentQuantity.optional(),
    minimumQuantity: wholeNumber('Minimum quantity', { least: 0, most: 10_000 }).optional(),
    parQuantity: wholeNumber('Par', { least: 1, most: 10_000 }).nullish(),
    reason: reason.optional(),
    note: text(500, 'Note').optional(),
    occurredAt: z.iso.datetime({ offset: true }).optional(),
  })
  .superRefine(expectCount);
export type SlotUpdate = z.output<typeof slotUpdate>;
