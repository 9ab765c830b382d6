import { type SQL, sql } from 'drizzle-orm';
import { type Month, monthOf, monthStart } from '../../domain/reconciliation-sample.ts';
import type { Db } from '../../server/db/database.ts';
import { firstRow } from '../../server/db/database.ts';
import type { Running } from '../../server/start.ts';
import { getter, signedIn } from '../signed-in.ts';

/** Figures that the product promises, in milliseconds. */
const reportGoalMs = 300;
const reconciliationGoalMs = 5_000;

type Say = (line: string) => void;
type Get = ReturnType<typeof getter>;

const asManager = async ({ deps, address }: Running): Promise<Get> => getter(address, await signedIn(deps));

async function timesOf(get: Get, path: string, calls: number): Promise<{ p50: number; worst: number; reply: unknown }> {
  const times: number[] = [];
  let reply = await get(path);
  for (let call = 0; call < calls; call++) {
    const begun = performance.now();
    reply = await get(path);
    times.push(performance.now() - begun);
  }
  times.sort((a, b) => a - b);
  return { p50: times[Math.floor(calls / 2)] ?? 0, worst: times.at(-1) ?? 0, reply: JSON.parse(reply.toString()) };
}

/**
 * The report of 90 days where six systems tell of every way of paying, scheme and state on every day, as at an operator with
 * 50,000 machines: reports read sums only, so these are all that its size changes. Returns whether the goal is met.
 */
export async function paymentReportTimes(running: Running, say: Say): Promise<boolean> {
  const sums = await fillSums(running.deps.db);
  const get = await asManager(running);
  const { p50, worst } = await timesOf(get, '/api/payment-reports?range=quarter', 20);
  say(
    `Payment report of 90 days, ${sums} sums by day: p50 ${p50.toFixed(0)} ms, worst ${worst.toFixed(0)} ms (goal ${reportGoalMs} ms)`,
  );
  return p50 <= reportGoalMs;
}

async function fillSums(db: Db): Promise<number> {
  const days = sql`generate_series(current_date - 200, current_date, interval '1 day') d`;
  const systems = sql`unnest(array['cantaloupe', 'nayax', 'moma', 'nama_vdi', 'lightspeed', 'dex']) s`;
  const ways = sql`(values ('cash', ''), ('credit', 'Visa'), ('credit', 'Mastercard'), ('credit', 'American Express'),
    ('credit', 'Discover'), ('contactless', 'Visa'), ('contactless', 'Mastercard'), ('mobile', 'Visa'), ('prepaid', '')) w(method, card)`;
  const states = sql`unnest(array['completed', 'failed', 'refunded']) t`;
  await db.execute(
    sql`insert into payment_days select d::date, s, w.method, w.card, t, 'USD', 480, 500, 966.25, 940.10, 28.8, 480
        from ${days}, ${systems}, ${ways}, ${states} on conflict do nothing`,
  );
  await db.execute(
    sql`insert into payment_hours (day, hour, system, currency, lines, amount, revenue)
        select d::date, h, s, 'USD', 540, 1086.25, 1060.10 from ${days}, generate_series(0, 23) h, ${systems} on conflict do nothing`,
  );
  return (await firstRow<{ n: number }>(db, sql`select count(*)::int as n from payment_days`))?.n ?? 0;
}

const salesCompared = 100_000;

/**
 * Reconciliation of 100,000 sales with errors in one of two hundred, from the rows of the database to the differences.
 * Returns whether it is in time, finds ninety-nine errors in a hundred, and fewer than one difference in a thousand is false.
 */
export async function reconciliationTimes(running: Running, say: Say): Promise<boolean> {
  const month = monthOf(salesCompared, 20260312);
  await fillMonth(running.deps.db, month);
  const get = await asManager(running);
  const { p50, reply } = await timesOf(get, '/api/reconciliation?from=2026-02-26&to=2026-04-02', 3);
  const { open, sales } = reply as { open: number; sales: number };
  const off = Math.abs(open - month.errors.length) / sales;
  say(
    `Reconciliation of ${sales} sales: ${(p50 / 1000).toFixed(2)} s (goal ${reconciliationGoalMs / 1000} s); ${month.errors.length} errors seeded, ${open} differences told`,
  );
  return p50 <= reconciliationGoalMs && off < 0.001;
}

const money = (hundredths: number): string => (hundredths / 100).toFixed(2);
const instant = (at: number): string => new Date(at).toISOString();

async function inParts<T>(list: readonly T[], insert: (json: string) => SQL, db: Db): Promise<void> {
  for (let at = 0; at < list.length; at += 5_000) await db.execute(insert(JSON.stringify(list.slice(at, at + 5_000))));
}

/** The month as rows of machines with a reader each, of the books, of the partner and of its payout file. */
async function fillMonth(db: Db, { sales, payments, payouts }: Month): Promise<void> {
  const numberOf = (place: string): number => Number(place.slice(3)) + 1_000_000;
  const machines = [...new Set([...sales, ...payments].map(({ place }) => numberOf(place)))];
  await db.execute(
    sql`insert into integration_configs (id, system, name, public_id, created_at)
        select id, 'cantaloupe', 'Seed ' || id, md5(id::text), '2026-01-01' from unnest(array[900001, 900002]) id`,
  );
  await db.execute(
    sql`insert into vendor_devices (config_id, system, vendor_id, location_type, name, status, content_hash, link, machine_id)
        select config, 'cantaloupe', 'R' || id, 'vending_machine', 'Reader ' || id, 'active', '', 'linked', id::int
        from jsonb_array_elements_text(${JSON.stringify(machines)}::jsonb) id, unnest(array[900001, 900002]) config`,
  );
  for (const day of ['2026-02-15', '2026-03-15', '2026-04-15'])
    await db.execute(sql`select ensure_month_partition('sales', ${day})`);
  await inParts(
    sales.map((one) => ({
      source: one.reference === null ? 'import' : 'cantaloupe',
      key: one.reference ?? one.id,
      machine: numberOf(one.place),
      amount: money(one.amount),
      at: instant(one.at),
    })),
    (
      json,
    ) => sql`insert into sales (source, transaction_id, event_id, machine_id, product_name, quantity, price, total_amount,
          currency, payment_method, sale_date, successful, refunded)
        select g.source, g.key, gen_random_uuid(), g.machine, 'Cola', 1, g.amount, g.amount, 'USD', 'credit', g.at, true, false
        from jsonb_to_recordset(${json}::jsonb) g(source text, key text, machine int, amount numeric, at timestamptz)`,
    db,
  );
  await inParts(
    payments.map((one) => ({
      id: one.id,
      key: one.reference,
      machine: numberOf(one.place),
      amount: money(one.amount),
      at: instant(one.at),
    })),
    (
      json,
    ) => sql`insert into vendor_sales (config_id, system, vendor_id, ledger_source, ledger_id, device_id, quantity, unit_price,
          amount, currency, payment_method, status, sold_at, moves_stock, content_hash, outcome)
        select case when g.id like '%again' then 900002 else 900001 end, 'cantaloupe', g.id, 'cantaloupe', g.key, 'R' || g.machine,
          1, g.amount, g.amount, 'USD', 'credit', 'completed', g.at, true, '', 'booked'
        from jsonb_to_recordset(${json}::jsonb) g(id text, key text, machine int, amount numeric, at timestamptz)`,
    db,
  );
  await inParts(
    payouts.map((one, line) => ({
      line,
      reference: one.reference,
      amount: money(one.amount),
      fee: money(one.fee),
      // The last file is of a later day: what is not paid out by then is missed.
      on: instant(line === payouts.length - 1 ? monthStart + 45 * 86_400_000 : Math.max(one.at, monthStart)),
    })),
    (json) => sql`insert into payout_lines (system, payout, reference, line, amount, fee, paid_on)
        select 'cantaloupe', 'P', g.reference, g.line, g.amount, g.fee, g."on"::date
        from jsonb_to_recordset(${json}::jsonb) g(line int, reference text, amount numeric, fee numeric, "on" timestamptz)`,
    db,
  );
}
