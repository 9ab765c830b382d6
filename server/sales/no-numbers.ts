import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { isNoNumber } from '../db/statements/no-number.ts';

/**
 * Gives sales whose price or amount is no number one: what the other says, else nothing, with a note. The sums that they are part of are
 * no numbers either and have to be made anew.
 */
export async function mendSaleAmounts(db: Db): Promise<number> {
  const mended = await rows(
    db,
    sql`update sales set
          price = case when not ${isNoNumber('price')} then price when ${isNoNumber('total_amount')} then 0
                       else round(total_amount / greatest(quantity, 1), 2) end,
          total_amount = case when not ${isNoNumber('total_amount')} then total_amount when ${isNoNumber('price')} then 0
                              else price * quantity end,
          flags = nullif(concat_ws('; ', flags, case when ${isNoNumber('price')} and ${isNoNumber('total_amount')} then 'its amount was no number' end), '')
        where ${isNoNumber('price')} or ${isNoNumber('total_amount')} returning event_id`,
  );
  return mended.length;
}
