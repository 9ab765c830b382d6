import { type SQL, sql } from 'drizzle-orm';
import type { DayRange } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { findPage, type Page, type Window } from '../db/statements/paging.ts';

export type RowWish = {
  range: DayRange;
  system: string | null;
  status: 'completed' | 'failed' | 'pending' | 'refunded' | null;
  timeZone: string;
};

export type PaymentRow = {
  system: string;
  paymentId: string;
  deviceId: string;
  locationType: 'market' | 'vending_machine' | null;
  locationId: number | null;
  locationName: string | null;
  productName: string | null;
  quantity: number;
  amount: string;
  revenue: string;
  fee: string | null;
  currency: string;
  paymentMethod: string;
  cardType: string;
  lastFour: string | null;
  status: 'completed' | 'failed' | 'pending' | 'refunded';
  paidAt: string;
};

const fields = sql`p.system, p.payment_id as "paymentId", coalesce(p.device_id, m.machine_id,
    case when p.market_id is not null then 'MKT-' || lpad(p.market_id::text, 3, '0') end, '') as "deviceId",
  case when m.id is not null then 'vending_machine' when k.id is not null then 'market' end as "locationType",
  coalesce(m.id, k.id) as "locationId", coalesce(m.name, k.name) as "locationName", p.product_name as "productName",
  p.quantity, p.amount::text as amount, p.revenue::text as revenue, p.fee::text as fee, p.currency,
  p.payment_method as "paymentMethod", p.card_type as "cardType", p.last_four as "lastFour", p.status,
  to_char(p.paid_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "paidAt"`;

const joined = sql`left join vending_machines m on m.id = p.machine_id left join markets k on k.id = p.market_id`;

/** The instants of the days, so that only their partitions are read. */
function within({ range, system, status, timeZone }: RowWish): SQL {
  const start = (day: string): SQL => sql`(${day}::date::timestamp at time zone ${timeZone})`;
  return sql`p.paid_at >= ${start(range.from)} and p.paid_at < ((${range.to}::date + 1)::timestamp at time zone ${timeZone})
    and ${system === null ? sql`true` : sql`p.system = ${system}`} and ${status === null ? sql`true` : sql`p.status = ${status}`}`;
}

/** What a sale of the ledger is sorted and filtered by, as the view of payments has it. */
const sold = sql`(select s.sale_date as paid_at, s.id * 2 as sort_id, split_part(s.source, ':', 1) as system,
    ledger_status(s.successful, s.refunded) as status from sales s where not is_partner(s.source)) p`;

/**
 * Ledger and partner rows apart, each with no more rows than the page can show. Behind the view the order of its tables is not
 * known: first the instants between which the ledger's rows of the page lie are found by index, then the rows.
 */
function parts(wish: RowWish, window: Window): SQL {
  const place = { value: sql`p.paid_at`, id: sql`p.sort_id` };
  const instants = sql`(select p.paid_at from ${sold} ${window({ condition: within(wish), ...place })}) b`;
  const isNear = sql`p.paid_at >= (select min(b.paid_at) from ${instants}) and p.paid_at <= (select max(b.paid_at) from ${instants})`;
  const part = (origin: 'ledger' | 'partner'): SQL => {
    const condition = sql`p.origin = ${origin} and ${within(wish)} and ${origin === 'ledger' ? isNear : sql`true`}`;
    return sql`(select * from payments p ${window({ condition, ...place })})`;
  };
  return sql`(${part('ledger')} union all ${part('partner')}) p ${joined}`;
}

export function findPayments(
  db: Db,
  wish: RowWish & { page: string | undefined; limit: number },
): Promise<Page<PaymentRow>> {
  return findPage<PaymentRow>(db, {
    fields,
    source: (window) => parts(wish, window),
    condition: sql`true`,
    order: { name: 'date', value: sql`p.paid_at`, type: 'timestamptz', id: sql`p.sort_id`, down: true },
    page: wish.page,
    limit: wish.limit,
    total: () => countPayments(db, wish),
  });
}

/** Counted from the sums: counting rows would read all of them. */
export async function countPayments(db: Db, { range, system, status }: Omit<RowWish, 'timeZone'>): Promise<number> {
  const found = await firstRow<{ lines: number }>(
    db,
    sql`select coalesce(sum(lines), 0)::int as lines from payment_days where day between ${range.from} and ${range.to}
        and ${system === null ? sql`true` : sql`system = ${system}`} and ${status === null ? sql`true` : sql`status = ${status}`}`,
  );
  return found?.lines ?? 0;
}

type Written = { exactAt: string; sortId: string };

/** The next rows for a file, the oldest first, behind the last one written. */
export function findChunk(
  db: Db,
  wish: RowWish,
  after: Written | null,
  limit: number,
): Promise<(PaymentRow & Written)[]> {
  const beyond = after
    ? sql`(p.paid_at, p.sort_id) > (${after.exactAt}::timestamptz, ${after.sortId}::bigint)`
    : sql`true`;
  const source = parts(
    wish,
    ({ condition, value, id }) => sql`where ${condition} and ${beyond} order by ${value}, ${id} limit ${limit}`,
  );
  return rows<PaymentRow & Written>(
    db,
    sql`select ${fields}, p.sort_id::text as "sortId", p.paid_at::text as "exactAt" from ${source}
        order by p.paid_at, p.sort_id limit ${limit}`,
  );
}
