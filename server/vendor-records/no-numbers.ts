import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';

/**
 * Gives payments whose price or amount is no number one: what the other says, else nothing. The partner's own record stays in `raw`,
 * and a fee or tax that is none is not known.
 */
export async function mendVendorAmounts(db: Db): Promise<number> {
  const isNone = (column: string) => sql`${sql.identifier(column)} in ('NaN', 'Infinity', '-Infinity')`;
  const mended = await rows(
    db,
    sql`update vendor_sales set
          unit_price = case when not ${isNone('unit_price')} then unit_price when ${isNone('amount')} then 0
                            else round(amount / greatest(quantity, 1), 2) end,
          amount = case when not ${isNone('amount')} then amount when ${isNone('unit_price')} then 0 else unit_price * quantity end,
          tax = case when not ${isNone('tax')} then tax end, fee = case when not ${isNone('fee')} then fee end,
          details = details || case when ${isNone('unit_price')} and ${isNone('amount')}
                                    then '{"flag": "its amount was no number"}'::jsonb else '{}'::jsonb end
        where ${isNone('unit_price')} or ${isNone('amount')} or ${isNone('tax')} or ${isNone('fee')} returning id`,
  );
  return mended.length;
}
