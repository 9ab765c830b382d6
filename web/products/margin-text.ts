import type { Product } from '../../contract/products.ts';
import { toNumber } from '../http/parse.ts';

/** What remains of the price after cost, in percent; a dash where one of them is not known. */
export function marginText({ unitPrice, unitCost }: Product): string {
  const price = toNumber(unitPrice ?? '0');
  if (price === 0 || unitCost === null) return '–';
  return `${Math.round((100 * (price - toNumber(unitCost))) / price)}%`;
}
