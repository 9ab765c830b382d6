import { type SQL, sql } from 'drizzle-orm';
import { type BookedSale, type CardPayment, type PayoutLine, usualMatching } from '../../domain/reconciliation.ts';
import type { DayRange } from '../../domain/report.ts';
import type { Db } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import { personName } from '../db/statements/person-name.ts';

export type Span = { range: DayRange; timeZone: string; currency: string };

const startOf = ({ range, timeZone }: Span): SQL => sql`(${range.from}::date::timestamp at time zone ${timeZone})`;
const within = (at: SQL, span: Span): SQL =>
  sql`${at} >= ${startOf(span)}
    and ${at} < ((${span.range.to}::date + 1)::timestamp at time zone ${span.timeZone})`;
const ms = (at: SQL): SQL => sql`(extract(epoch from ${at}) * 1000)::float8`;
const cents = (amount: SQL): SQL => sql`round(${amount} * 100)::float8`;
/** Sales sold before it are in files. */
const filedUntil = sql`coalesce((select max(month + interval '1 month') at time zone 'UTC' from rolled_up_months where parent = 'sales'), '-infinity')`;
/** More rows than this are not held in memory at once. */
export const mostRows = 300_000;

/** The location that a row of an alias names. */
const placeOf = (machineId: SQL, marketId: SQL): SQL =>
  sql`case when ${machineId} is not null then 'vending_machine:' || ${machineId} when ${marketId} is not null then 'market:' || ${marketId} end`;

/** Sales of more devices than this are read in one go and not device by device. */
const mostAsked = 5_000;

/**
 * Cashless sales in the books at places with a connected reader or till, from its first payment on, one a transaction.
 * Only partners' ids are references. One that no partner told misses its payment only if it was sold while a system was
 * connected there: what that system pulled of the time before may have holes.
 */
export async function findBookedSales(db: Db, span: Span): Promise<BookedSale[]> {
  const linked = await firstRow<{ devices: number }>(
    db,
    sql`select count(*)::int as devices from (
          select from vendor_devices where link = 'linked' and not removed limit ${mostAsked + 1}) d`,
  );
  if (!linked || linked.devices === 0) return [];
  const isWanted = sql`${within(sql`s.sale_date`, span)} and s.successful and not s.refunded and s.currency = ${span.currency}
    and s.payment_method <> 'cash'`;
  const oneByOne = (place: SQL): SQL =>
    sql`readers r cross join lateral (select * from sales s where s.${place} = r.${place} and ${isWanted} offset 0) s`;
  const together = (place: SQL): SQL => sql`readers r join sales s on s.${place} = r.${place} and ${isWanted}`;
  const salesAt = linked.devices > mostAsked ? together : oneByOne;
  const soldAt = (place: SQL): SQL =>
    sql`select s.source, s.transaction_id, s.machine_id, s.market_id, s.sale_date, s.total_amount, r.connected
        from ${salesAt(place)} where s.sale_date >= r.since`;
  return rows<BookedSale>(
    db,
    sql`with readers as (
          select d.machine_id, d.market_id, min(v.sold_at) - interval '10 minutes' as since,
            range_agg(tstzrange(greatest(v.sold_at - interval '10 minutes', c.created_at),
              case when not c.is_active or c.removed_at is not null then greatest(l.sold_at, v.sold_at, c.created_at) end)) as connected
          from vendor_devices d join integration_configs c on c.id = d.config_id
          cross join lateral (
            select sold_at from vendor_sales x where x.config_id = d.config_id and x.device_id = d.vendor_id
            order by sold_at limit 1) v
          left join lateral (
            select sold_at from vendor_sales x where x.config_id = d.config_id order by sold_at desc limit 1) l on true
          where d.link = 'linked' and not d.removed group by 1, 2)
        select s.source || '|' || s.transaction_id as id, ${placeOf(sql`s.machine_id`, sql`s.market_id`)} as place,
          ${ms(sql`min(s.sale_date)`)} as at, ${cents(sql`sum(s.total_amount)`)} as amount,
          case when is_partner(s.source) then s.source || '|' || s.transaction_id end as reference,
          is_partner(s.source) or bool_or(s.connected @> s.sale_date) as "expectsPayment"
        from (${soldAt(sql`machine_id`)} union all ${soldAt(sql`market_id`)}) s
        group by s.source, s.transaction_id, s.machine_id, s.market_id limit ${mostRows + 1}`,
  );
}

/**
 * Cashless payments as the partners tell them, one a transaction. Corrections of accounts and cash taken out of a kiosk are
 * none; money put on an account is one that bought nothing. One is refunded where nothing of it stands any more. No sale is missed
 * that is in a file, or may be, since the clocks of both differ.
 */
export function findCardPayments(db: Db, span: Span): Promise<CardPayment[]> {
  const stands = sql`v.status <> 'refunded'`;
  const isCounted = sql`v.outcome not in ('same', 'held_same', 'waiting_same') and v.currency = ${span.currency}`;
  return rows<CardPayment>(
    db,
    sql`with told as (
          select system, ${ms(sql`((max(paid_on) + 1)::timestamp at time zone ${span.timeZone})`)} as until from payout_lines group by 1),
        given as (
          select v.config_id, v.ledger_source, v.ledger_id, -sum(v.amount) as amount from vendor_sales v
          where v.status = 'refunded' and not v.moves_stock and v.sold_at >= ${startOf(span)} and v.amount < 0 and ${isCounted}
          group by 1, 2, 3)
        select v.config_id || '|' || v.ledger_id as id,
          coalesce(max(${placeOf(sql`d.machine_id`, sql`d.market_id`)}), 'device:' || coalesce(v.device_id, '')) as place,
          ${ms(sql`min(v.sold_at)`)} as at,
          ${cents(sql`coalesce(sum(v.amount) filter (where v.moves_stock and ${stands}), sum(v.amount) filter (where ${stands}), sum(v.amount))`)} as amount,
          coalesce(${cents(sql`max(g.amount)`)}, 0) as refunded,
          coalesce(${cents(sql`sum((v.details ->> 'surcharge')::numeric) filter (where v.moves_stock)`)}, 0) as surcharge,
          v.ledger_source || '|' || v.ledger_id as reference,
          case when bool_and(not ${stands}) then 'refunded'
               when bool_or(v.status = 'pending' or v.outcome = 'held' and ${stands}) then 'pending'
               when bool_or(v.status = 'failed') then 'failed' else 'completed' end as status,
          bool_or(v.moves_stock and ${stands}) and coalesce(bool_or(d.link = 'linked'), false)
            and coalesce(max(g.amount) < sum(v.amount) filter (where v.moves_stock and ${stands}), true)
            and min(v.sold_at) >= ${filedUntil} + ${`${usualMatching.nearMs} milliseconds`}::interval as "expectsSale",
          (select max(t.until) from told t where t.system in (v.system, v.ledger_source)) as "paidOutUntil"
        from vendor_sales v left join vendor_devices d on d.config_id = v.config_id and d.vendor_id = v.device_id
        left join given g on g.config_id = v.config_id and g.ledger_source = v.ledger_source and g.ledger_id = v.ledger_id
        where ${within(sql`v.sold_at`, span)} and ${isCounted}
          and coalesce(v.payment_method, '') <> 'cash'
          and coalesce(v.details ->> 'transactionType', 'sale') in ('sale', 'account_deposit')
        group by v.config_id, v.system, v.ledger_source, v.ledger_id, v.device_id limit ${mostRows + 1}`,
  );
}

/** Nobody pays out later than this after the sale. */
const longestSettlementDays = 120;

/** Payouts from the range's first day on; a payout names the partner's own transaction id. */
export function findPayouts(db: Db, span: Span): Promise<PayoutLine[]> {
  const { range, timeZone } = span;
  return rows<PayoutLine>(
    db,
    sql`select p.payout || '|' || p.line || '|' || p.reference as id, coalesce(v.ledger_source, p.system) || '|' || p.reference as reference,
          ${cents(sql`p.amount`)} as amount, ${cents(sql`p.fee`)} as fee,
          ${ms(sql`(p.paid_on::timestamp at time zone ${timeZone})`)} as at, coalesce(v.others, false) as "isOfOtherDays"
        from payout_lines p left join (
          select system, ledger_id, min(ledger_source) as ledger_source,
            not bool_or(${within(sql`sold_at`, span)}) as others from vendor_sales
          where sold_at >= (${range.from}::date - ${longestSettlementDays}::int)::timestamp at time zone ${timeZone}
          group by 1, 2) v on v.system = p.system and v.ledger_id = p.reference
        where p.paid_on >= ${range.from} limit ${mostRows + 1}`,
  );
}

export type SettledRow = { key: string; by: string | null; at: string; note: string | null };

const utc = (at: SQL): SQL => sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export function findSettled(db: Db): Promise<SettledRow[]> {
  return rows<SettledRow>(
    db,
    sql`select d.key, ${personName('u')} as by, ${utc(sql`d.settled_at`)} as at, d.note
        from settled_differences d left join users u on u.id = d.settled_by`,
  );
}

export type NamedPlace = { place: string; type: 'market' | 'vending_machine'; id: number; name: string };

/** Names of the places that differences are about. */
export function findPlaceNames(db: Db, places: readonly string[]): Promise<NamedPlace[]> {
  const asked = sql`from jsonb_array_elements_text(${JSON.stringify(places)}::jsonb) g(place)`;
  return rows<NamedPlace>(
    db,
    sql`select g.place, 'vending_machine' as type, m.id, m.name ${asked} join vending_machines m on g.place = 'vending_machine:' || m.id
        union all
        select g.place, 'market', k.id, k.name ${asked} join markets k on g.place = 'market:' || k.id`,
  );
}

export type BagRow = {
  visitId: string;
  bagNumber: string;
  locationType: 'market' | 'vending_machine';
  locationId: number;
  name: string | null;
  route: string | null;
  driver: string | null;
  since: string | null;
  at: string;
  expected: string | null;
  counted: string | null;
};

/** The first day of which all sales are here, where the range begins before it. */
export async function findSalesFrom(db: Db, { range }: Span): Promise<string | null> {
  const found = await firstRow<{ day: string }>(
    db,
    sql`select first_kept_day('sales')::text as day where first_kept_day('sales') > ${range.from}::date`,
  );
  return found?.day ?? null;
}

/** Bags brought in the days, each with the cash sold at its location since the bag before, as long as no file has a part of it. */
export function findBags(db: Db, span: Span): Promise<BagRow[]> {
  return rows<BagRow>(
    db,
    sql`with bags as (
          select v.id, v.bag_number, v.market_id, v.vending_machine_id, v.actor_id, coalesce(v.closed_at, v.opened_at) as at,
            lag(coalesce(v.closed_at, v.opened_at)) over (
              partition by v.market_id, v.vending_machine_id order by coalesce(v.closed_at, v.opened_at), v.id) as since
          from visits v where v.bag_number is not null and v.bag_number <> ''),
        shown as (select * from bags b where ${within(sql`b.at`, span)} order by b.at desc, b.id limit 500)
        select b.id as "visitId", b.bag_number as "bagNumber",
          case when b.vending_machine_id is null then 'market' else 'vending_machine' end as "locationType",
          coalesce(b.vending_machine_id, b.market_id) as "locationId", coalesce(m.name, k.name) as name,
          coalesce(m.route_designation, k.route_designation) as route,
          ${personName('u')} as driver, ${utc(sql`b.since`)} as since, ${utc(sql`b.at`)} as at,
          case when b.since >= ${filedUntil} then (
            select coalesce(sum(s.total_amount), 0)::numeric(12, 2)::text from sales s
            where s.sale_date > b.since and s.sale_date <= b.at and s.payment_method = 'cash' and s.successful
              and not s.refunded and s.currency = ${span.currency}
              and (s.machine_id = b.vending_machine_id or s.market_id = b.market_id)) end as expected,
          c.counted::text as counted
        from shown b left join vending_machines m on m.id = b.vending_machine_id left join markets k on k.id = b.market_id
        left join users u on u.id = b.actor_id left join cash_counts c on c.visit_id = b.id
        order by b.at desc, b.id`,
  );
}

export async function insertSettled(
  db: Db,
  row: { key: string; kind: string; note: string | null; by: number; at: Date },
) {
  await db.execute(
    sql`insert into settled_differences (key, kind, note, settled_by, settled_at)
        values (${row.key}, ${row.kind}, ${row.note}, ${row.by}, ${row.at.toISOString()})
        on conflict (key) do update set note = excluded.note, settled_by = excluded.settled_by, settled_at = excluded.settled_at`,
  );
}

export async function deleteSettled(db: Db, key: string): Promise<boolean> {
  const gone = await rows(db, sql`delete from settled_differences where key = ${key} returning key`);
  return gone.length > 0;
}

export type NewPayoutLine = {
  payout: string;
  /** Whether the file names the payout: else it is called by the file and the day. */
  isNamed: boolean;
  reference: string;
  line: number;
  amount: string;
  fee: string;
  paidOn: string;
};

type Import = { system: string; by: number; at: Date };

/** Stores lines that are not known yet; returns how many those were. */
export async function insertPayouts(db: Db, lines: readonly NewPayoutLine[], told: Import): Promise<number> {
  // Of two files that come at once, the second sees the lines of the first.
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('payouts'), hashtext(${told.system}))`);
  const named = lines.filter(({ isNamed }) => isNamed);
  const unnamed = lines.filter(({ isNamed }) => !isNamed);
  // First what is known by what it says alone: lines of the same file do not make it known.
  const added = await insertUnnamed(db, unnamed, told);
  return added + (await insertNamed(db, named, told));
}

const given = (lines: readonly NewPayoutLine[]): SQL => sql`jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
  as g(payout text, reference text, line int, amount numeric, fee numeric, "paidOn" date)`;

/** A line of a payout that has a name is known by its place in it. */
async function insertNamed(db: Db, lines: readonly NewPayoutLine[], { system, by, at }: Import): Promise<number> {
  if (lines.length === 0) return 0;
  const added = await rows(
    db,
    sql`insert into payout_lines (system, payout, reference, line, amount, fee, paid_on, imported_at, imported_by)
        select ${system}, g.payout, g.reference, g.line, g.amount, g.fee, g."paidOn", ${at.toISOString()}, ${by} from ${given(lines)}
        on conflict (system, payout, reference, line) do nothing returning id`,
  );
  return added.length;
}

/**
 * The same file has many names. Without one of its payouts, a line is known by what it says: of those that say the same, as many are
 * new as the file has more than are here.
 */
async function insertUnnamed(db: Db, lines: readonly NewPayoutLine[], { system, by, at }: Import): Promise<number> {
  if (lines.length === 0) return 0;
  const added = await rows(
    db,
    sql`with known as (
          select reference, paid_on, amount, count(*) as lines from payout_lines
          where system = ${system} and paid_on in (select "paidOn" from ${given(lines)}) group by 1, 2, 3),
        told as (
          select g.*, row_number() over (partition by g.reference, g."paidOn", g.amount order by g.line) as alike from ${given(lines)}),
        fresh as (
          select told.*, row_number() over (partition by told.payout, told.reference order by told.line) as nth
          from told left join known k on k.reference = told.reference and k.paid_on = told."paidOn" and k.amount = told.amount
          where told.alike > coalesce(k.lines, 0)),
        last as (
          select payout, reference, max(line) as line from payout_lines
          where system = ${system} and payout in (select payout from fresh) group by 1, 2)
        insert into payout_lines (system, payout, reference, line, amount, fee, paid_on, imported_at, imported_by)
        select ${system}, f.payout, f.reference, coalesce(l.line, 0) + f.nth, f.amount, f.fee, f."paidOn", ${at.toISOString()}, ${by}
        from fresh f left join last l on l.payout = f.payout and l.reference = f.reference
        returning id`,
  );
  return added.length;
}

export async function saveCash(
  db: Db,
  visitId: string,
  told: { counted: string | null; by: number; at: Date },
): Promise<boolean> {
  const known = await firstRow(db, sql`select id from visits where id = ${visitId} and bag_number is not null`);
  if (!known) return false;
  if (told.counted === null) await db.execute(sql`delete from cash_counts where visit_id = ${visitId}`);
  else {
    await db.execute(
      sql`insert into cash_counts (visit_id, counted, counted_by, counted_at)
          values (${visitId}, ${told.counted}, ${told.by}, ${told.at.toISOString()})
          on conflict (visit_id) do update set counted = excluded.counted, counted_by = excluded.counted_by, counted_at = excluded.counted_at`,
    );
  }
  return true;
}
