import { sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { dayIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import type { LedgerEvent } from '../inventory/ledger.ts';
import { recordEvents } from '../inventory/service.ts';
import { publish } from '../live/hub.ts';
import { getOperator } from '../settings/service.ts';
import { saleEventId } from './event-id.ts';
import { movementAtSale } from './movement.ts';

const chunkSize = 1000;

type Named = { source: string; transactionId: string; line: string | null };

const listed = (ids: readonly string[]) =>
  sql`(select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`;

/**
 * The same sales, those among them that were taken back under a line of their own: the id of a sale is in the ledger for
 * ever, and what was taken back and is told again must count again.
 */
export async function linesAnew<S extends Named>(tx: Db, sales: readonly S[]): Promise<S[]> {
  const ids = sales.map(({ source, transactionId, line }) => saleEventId(source, transactionId, line));
  const found = await rows<{ id: string }>(
    tx,
    sql`select event_id as id from withdrawn_sales where event_id in ${listed(ids)}`,
  );
  if (found.length === 0) return [...sales];
  const withdrawn = new Set(found.map(({ id }) => id));
  return linesAnew(
    tx,
    sales.map((sale, index) =>
      withdrawn.has(ids[index] ?? '') ? { ...sale, line: `${sale.line ?? ''}|again` } : sale,
    ),
  );
}

type Sold = {
  eventId: string;
  machineId: number | null;
  itemId: number | null;
  quantity: number;
  soldAtUs: string;
  moved: boolean;
  route: string | null;
};

/** Takes back the sales that an import brought: what they took out of the stock is back in it, and no sum holds them. */
export async function takeBackSales(tx: Db, importId: number, at: Date): Promise<void> {
  const { timeZone } = await getOperator(tx);
  await refuseRolledUp(tx, importId);
  let last = '';
  while (true) {
    const ids = await findIdsAfter(tx, importId, last);
    if (ids.length === 0) return;
    last = ids.at(-1) ?? last;
    const sold = await findSold(tx, ids);
    const moving = sold.flatMap((sale) => backIn(sale, at));
    if (moving.length) await recordEvents(tx, moving, dayIn(timeZone, at));
    await tx.execute(
      sql`insert into withdrawn_sales select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb)`,
    );
    // The sums follow by a trigger.
    await tx.execute(sql`delete from sales where event_id in ${listed(ids)}`);
    const routes = [...new Set(sold.flatMap(({ route }) => route ?? []))];
    await publish(tx, { topic: 'sales', ids: [...new Set(sold.flatMap(({ machineId }) => machineId ?? []))], routes });
  }
}

/** Months that were rolled up keep their sums only: a sale in them cannot be taken out of these any more. */
async function refuseRolledUp(tx: Db, importId: number): Promise<void> {
  const found = await firstRow<{ n: number }>(
    tx,
    sql`select count(*)::int as n from import_changes c where c.import_id = ${importId} and c.table_name = 'sales'
          and not exists (select from sales s where s.event_id = c.row_key::uuid)`,
  );
  const gone = found?.n ?? 0;
  if (gone === 0) return;
  const words = gone === 1 ? '1 sale of it is' : `${gone} sales of it are`;
  throw new AppError(
    'conflict',
    `This import cannot be undone: ${words} in months that were rolled up. Nothing was changed.`,
  );
}

async function findIdsAfter(tx: Db, importId: number, last: string): Promise<string[]> {
  const found = await rows<{ id: string }>(
    tx,
    sql`select row_key as id from import_changes where import_id = ${importId} and table_name = 'sales' and row_key > ${last}
        order by row_key limit ${chunkSize}`,
  );
  return found.map(({ id }) => id);
}

function findSold(tx: Db, ids: readonly string[]): Promise<Sold[]> {
  return rows<Sold>(
    tx,
    sql`select s.event_id as "eventId", s.machine_id as "machineId", s.item_id as "itemId", s.quantity,
          (extract(epoch from s.sale_date) * 1000000)::bigint::text as "soldAtUs", s.route_designation as route,
          exists (select from stock_movements m where m.event_id = s.event_id) as moved
        from sales s where s.event_id in ${listed(ids)}`,
  );
}

/** A sale of minus so many: of the day's sales and of the stock nothing is left of either. */
function backIn(sale: Sold, at: Date): LedgerEvent[] {
  if (!sale.moved || sale.itemId === null) return [];
  const eventId = saleEventId('withdrawn', sale.eventId, null);
  const { itemId, quantity } = sale;
  return [movementAtSale(sale, { eventId, itemId, kind: 'sale', quantity, source: 'import', at })];
}
