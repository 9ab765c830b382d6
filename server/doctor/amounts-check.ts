import { sql } from 'drizzle-orm';
import { counted } from '../../domain/counted.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { isNoNumber } from '../db/statements/no-number.ts';
import { rebuildItemDays } from '../need/service.ts';
import { rebuildPaymentSums } from '../payments/service.ts';
import { mendSaleAmounts, rebuildDailySums } from '../sales/service.ts';
import { mendVendorAmounts } from '../vendor-records/service.ts';
import { broken, type Check, good } from './finding.ts';

type Found = { name: string; n: number };

/** Values of numeric columns that are no numbers, by column: a sum over one of them is none either. */
async function findNoNumbers(db: Db): Promise<Found[]> {
  const columns = await rows<{ table: string; column: string }>(
    db,
    sql`select c.relname as table, a.attname as column from pg_attribute a join pg_class c on c.oid = a.attrelid
        where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
          and a.atttypid = 'numeric'::regtype and not a.attisdropped order by 1, 2`,
  );
  const found: Found[] = [];
  for (const table of new Set(columns.map((one) => one.table))) {
    const names = columns.filter((one) => one.table === table).map((one) => one.column);
    const counts = names.map((name) => sql`count(*) filter (where ${isNoNumber(name)})::int`);
    const row = await firstRow<{ counts: number[] }>(
      db,
      sql`select array[${sql.join(counts, sql`, `)}] as counts from ${sql.identifier(table)}`,
    );
    for (const [at, name] of names.entries()) {
      const n = row?.counts[at] ?? 0;
      if (n > 0) found.push({ name: `${table}.${name}`, n });
    }
  }
  return found;
}

const told = (found: readonly Found[]): string => found.map(({ name, n }) => `${name} (${n})`).join(', ');

/** What older versions took of a partner though it was no number. */
export const amounts: Check = {
  name: 'Amounts',
  look: async ({ database: { db } }) => {
    const found = await findNoNumbers(db);
    if (found.length === 0) return good('All amounts are numbers.');
    const n = found.reduce((sum, one) => sum + one.n, 0);
    return broken(
      `${counted(n, 'amount is no number and makes every sum it is part of none', 'amounts are no numbers and make every sum they are part of none')}: ${told(found)}. Run milkrun doctor --repair: such a sale is kept with the amount that its price or total says, else with 0.00 and a note, and the sums are made anew.`,
    );
  },
  repair: async ({ database: { db } }) => {
    const sales = await mendSaleAmounts(db);
    const payments = await mendVendorAmounts(db);
    await rebuildItemDays(db);
    await rebuildDailySums(db);
    await rebuildPaymentSums(db);
    const left = await findNoNumbers(db);
    const rest =
      left.length === 0
        ? ''
        : ` Not mended: ${told(left)}. Days whose rows are in files cannot be made anew, and the rest is for a person to say.`;
    return `${counted(sales, 'sale', 'sales')} and ${counted(payments, 'payment', 'payments')} with an amount that was no number were kept with one, and the sums were made anew.${rest}`;
  },
};
