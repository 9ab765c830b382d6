import { z } from 'zod';
import { requiredText, text } from './market.ts';
import { optionalMoney, wholeNumber } from './unit-schemas.ts';

/** Longest accepted barcode text: GTIN-14. */
const gtinLength = 14;

/**
 * The check digit of a GTIN without it (7, 11, 12 or 13 digits), per the GS1 General Specifications 7.9:
 * weights 3 and 1 from the right.
 */
export function checkDigit(body: string): number {
  let sum = 0;
  for (let i = 0; i < body.length; i++) {
    const weight = (body.length - i) % 2 === 1 ? 3 : 1;
    sum += Number(body[i]) * weight;
  }
  return (10 - (sum % 10)) % 10;
}

/**
 * One comparable form of a scanned or stored barcode: GTIN-14, zero-padded, so that a 12-digit UPC-A scan finds its
 * 13-digit EAN. Text that is not 8, 12, 13 or 14 digits (Code 128, shortened codes) is kept trimmed as it is.
 */
export function normalBarcode(scanned: string): string {
  const code = scanned.trim();
  return /^(\d{8}|\d{12,14})$/.test(code) ? code.padStart(gtinLength, '0') : code;
}

/** True when the digits are a GTIN-8, -12, -13 or -14 with a right check digit. */
export function isGtin(code: string): boolean {
  if (!/^(\d{8}|\d{12,14})$/.test(code)) return false;
  return checkDigit(code.slice(0, -1)) === Number(code.at(-1));
}

/**
 * The UPC-A number (12 digits) that a UPC-E code of 8 digits, as on cans and small packs, is short for; null where the
 * digits are none. Zeros left out are put back by the sixth digit, and the check digit must fit the long number.
 * Source: GS1 General Specifications 5.2.2.4.
 */
export function expandUpcE(code: string): string | null {
  const parts = /^([01])(\d)(\d)(\d)(\d)(\d)(\d)(\d)$/.exec(code);
  if (!parts) return null;
  const [, system = '', a = '', b = '', c = '', d = '', e = '', last = '', check = ''] = parts;
  const long = system + zerosPutBack([a, b, c, d, e].join(''), last) + check;
  return isGtin(long) ? long : null;
}

function zerosPutBack(five: string, last: string): string {
  if (last <= '2') return `${five.slice(0, 2)}${last}0000${five.slice(2)}`;
  if (last === '3') return `${five.slice(0, 3)}00000${five.slice(3)}`;
  if (last === '4') return `${five.slice(0, 4)}00000${five.slice(4)}`;
  return `${five}0000${last}`;
}

/** Every comparable form of what was scanned: 8 digits may be a GTIN-8 or a short UPC, which no reader can tell apart. */
export function barcodeForms(scanned: string): string[] {
  const long = expandUpcE(scanned.trim());
  return [normalBarcode(scanned), ...(long ? [normalBarcode(long)] : [])];
}

export const barcode = z
  .string()
  .trim()
  .min(1)
  .max(50, 'A barcode has at most 50 characters')
  .refine((code) => !/^(\d{8}|\d{12,14})$/.test(code) || isGtin(code), {
    error: ({ input }) => `The check digit of barcode ${input} is wrong`,
  });

/** Most barcodes of one product. */
export const maxBarcodes = 20;

/** What a person may set on a product of the catalogue. Prices are decimal text per unit. */
export const productInput = z.strictObject({
  name: requiredText(255, 'Product name'),
  brand: text(100, 'Brand').nullish(),
  category: text(100, 'Category').nullish(),
  unitPrice: optionalMoney(),
  unitCost: optionalMoney(),
  caseSize: wholeNumber('Case size', { least: 1, most: 10_000 }).nullish(),
  shelfLifeDays: z
    .int('Enter whole days')
    .min(1, 'Shelf life must be at least 1 day')
    .max(3650, 'Shelf life is at most 3650 days')
    .nullish(),
  barcodes: z.array(barcode).max(maxBarcodes).default([]),
});
export type ProductInput = z.output<typeof productInput>;

/** An edit may name some fields only; without `barcodes` the product keeps the ones it has. */
export const productUpdate = productInput
  .partial()
  .extend({ barcodes: productInput.shape.barcodes.unwrap().optional() });
export type ProductUpdate = z.output<typeof productUpdate>;

/**
 * The restock that a scan suggests: whole cases up to the target where the case size is known, else up to the target.
 * At least one unit.
 */
export function suggestedRestock(item: { onHand: number; target: number; caseSize: number | null }): number {
  const missing = Math.max(0, item.target - item.onHand);
  if (!item.caseSize) return Math.max(1, missing);
  return item.caseSize * Math.max(1, Math.floor(missing / item.caseSize));
}
