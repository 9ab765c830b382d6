import { z } from 'zod';
import { requiredText, text } from './market.ts';
import { money, optionalMoney, wholeNumber } from './unit-schemas.ts';

/** What stands in a slot, apart from how much of it. */
const content = {
  productName: requiredText(255, 'Product name'),
  price: money('Price is required'),
  cost: optionalMoney(),
  productCode: text(50, 'Product code').nullish(),
  category: text(100, 'Category').nullish(),
  brand: text(100, 'Brand').nullish(),
};

/** Another product for a slot, put in when the slot is next filled. */
export const plannedProduct = z.strictObject({
  productName: content.productName,
  price: content.price,
  parQuantity: wholeNumber('Par', { least: 1, most: 10_000 }).nullish(),
});
export type PlannedProduct = z.output<typeof plannedProduct>;

/** One position of a planogram. With the id of a slot it is that slot, perhaps elsewhere; without one it is new. */
export const placedSlot = z
  .strictObject({
    id: z.int().positive().optional(),
    slotNumber: requiredText(20, 'Slot number'),
    ...content,
    maxQuantity: wholeNumber('Max quantity', { least: 1, most: 10_000 }),
    parQuantity: wholeNumber('Par', { least: 1, most: 10_000 }).nullish(),
    minimumQuantity: wholeNumber('Minimum quantity', { least: 0, most: 10_000 }),
    planned: plannedProduct.nullish(),
  })
  .refine((slot) => !slot.parQuantity || slot.parQuantity <= slot.maxQuantity, {
    path: ['parQuantity'],
    message: 'Par cannot exceed the slot capacity',
  });
export type PlacedSlot = z.output<typeof placedSlot>;

/** A whole planogram: every position once. */
export const planogram = z
  .array(placedSlot)
  .max(500, 'A planogram has at most 500 slots')
  .superRefine((slots, context) => {
    const seen = new Set<string>();
    for (const [at, { slotNumber }] of slots.entries()) {
      if (seen.has(slotNumber)) {
        context.addIssue({ code: 'custom', path: [at, 'slotNumber'], message: `Slot ${slotNumber} is there twice` });
      }
      seen.add(slotNumber);
    }
  });

/** What a template keeps of a slot. */
export const templateSlot = z.object({
  slotNumber: z.string(),
  productName: z.string(),
  price: z.string(),
  cost: z.string().nullable(),
  productCode: z.string().nullable(),
  category: z.string().nullable(),
  brand: z.string().nullable(),
  maxQuantity: z.int(),
  parQuantity: z.int().nullable(),
  minimumQuantity: z.int(),
});
export type TemplateSlot = z.output<typeof templateSlot>;
