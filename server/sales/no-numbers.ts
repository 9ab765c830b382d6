import { sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';

/**
 * Gives sales whose price or amount is no number one: what the other says, else nothing, with a note. The sums that they are part of are
 * no numbers either and have to be made anew.
 */
export async function mendSaleAmounts(db: Db): Promise<number> {
  const isNone = (column: string) => sql`${sql.identifier(column)} in ('NaN', 'Infinity', '-Infinity')`;
  const mended = await rows(
    db,
    sql`update sales set
          price = case when not ${isNone('price')} then price when ${isNone('total_amount')} then 0
                       else round(total_amount / greatest(quantity, 1), 2) end,
          total_amount = case when not ${isNone('total_amount')} then total_amount when ${isNone('price')} then 0
                              else price * quantity end,
          flags = nullif(concat_ws('; ', flags, case when ${isNone('price')} and ${isNone('total_amount')} then 'its amount was no number' end), '')
        where ${isNone('price')} or ${isNone('total_amount')} returning event_id`,
  );
  return mended.length;
}
