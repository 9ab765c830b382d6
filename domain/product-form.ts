import { z } from 'zod';
import { productInput } from './product.ts';

/** What is typed about a product: text everywhere, barcodes one a line. */
export type ProductTyped = Record<
  'name' | 'brand' | 'category' | 'unitPrice' | 'unitCost' | 'caseSize' | 'shelfLifeDays' | 'barcodes',
  string
>;

const blank = (text: string): string | null => (text.trim() === '' ? null : text.trim());

/** Text into what the server takes; a wrong barcode is named. */
export const typedProduct = z.preprocess((typed) => {
  const { name, brand, category, unitPrice, unitCost, caseSize, shelfLifeDays, barcodes } = typed as ProductTyped;
  return {
    name,
    brand: blank(brand),
    category: blank(category),
    unitPrice: blank(unitPrice),
    unitCost: blank(unitCost),
    caseSize: blank(caseSize) === null ? null : Number(caseSize),
    shelfLifeDays: blank(shelfLifeDays) === null ? null : Number(shelfLifeDays),
    barcodes: barcodes.split(/[\s,;]+/).filter(Boolean),
  };
}, productInput);
