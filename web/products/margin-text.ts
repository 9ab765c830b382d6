import type { Product } from '../../contract/products.ts';

/** What remains of the price after cost, in percent; a dash where one of them is not known. */
export function marginText({ unitPrice, unitCost }: Product): string {
  const price = Number(unitPrice ?? 0);
  if (price === 0 || unitCost === null) return '–';
  return `${Math.round((100 * (price - Number(unitCost))) / price)}%`;
}
