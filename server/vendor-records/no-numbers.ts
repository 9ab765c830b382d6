import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { isNoNumber } from '../db/statements/no-number.ts';

/**
 * Gives payments whose price or amount is no number one: what the other says, else nothing. The partner's own record stays in `raw`,
 * and a fee or tax that is none is not known.
 */
export async function mendVendorAmounts(db: Db): Promise<number> {
  const mended = await rows(
    db,
    sql`update vendor_sales set
          unit_price = case when not ${isNoNumber('unit_price')} then unit_price when ${isNoNumber('amount')} then 0
                            else round(amount / greatest(quantity, 1), 2) end,
          amount = case when not ${isNoNumber('amount')} then amount when ${isNoNumber('unit_price')} then 0 else unit_price * quantity end,
          tax = case when not ${isNoNumber('tax')} then tax end, fee = case when not ${isNoNumber('fee')} then fee end,
          details = details || case when ${isNoNumber('unit_price')} and ${isNoNumber('amount')}
                                    then '{"flag": "its amount was no number"}'::jsonb else '{}'::jsonb end
        where ${isNoNumber('unit_price')} or ${isNoNumber('amount')} or ${isNoNumber('tax')} or ${isNoNumber('fee')} returning id`,
  );
  return mended.length;
}
