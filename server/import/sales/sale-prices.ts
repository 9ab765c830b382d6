import { readMoney } from '../file/cells.ts';
import { findPricesNow } from '../queries.ts';
import type { Run } from '../run.ts';
import type { ReadSale, SoldRow } from './sale-rows.ts';

const flag = "no price in the file: today's is taken";

/**
 * Gives sales of a file that names no prices what their slot asks today, or else the catalogue. A sale whose price nobody knows is
 * refused: counted at nothing it would make the takings wrong.
 */
export async function withPrices(run: Run, sales: readonly ReadSale[], currency: string): Promise<SoldRow[]> {
  const unpriced = sales.filter((sale) => sale.price === null);
  const isOwn = currency === run.operator.currency;
  const known = unpriced.length > 0 && isOwn ? await findPricesNow(run.tx, unpriced) : new Map<number, string>();
  return sales.flatMap((sale) => {
    if (sale.price !== null && sale.total !== null)
      return { ...sale, price: sale.price, total: sale.total, isPricedNow: false };
    const price = readMoney(known.get(sale.line) ?? '');
    if (price === null) {
      run.tally.refuse(sale.line, reasonOf(sale));
      return [];
    }
    const total = price * BigInt(sale.quantity);
    run.tally.flag(sale.line, flag, total);
    return { ...sale, price, total, isPricedNow: true, flags: [...sale.flags, flag] };
  });
}

function reasonOf({ productName, slotNumber }: ReadSale): string {
  const what = productName ?? (slotNumber ? `slot ${slotNumber}` : 'this sale');
  return `has no price, and neither its machine nor the catalogue has one for ${what}`;
}
