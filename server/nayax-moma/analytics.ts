import { type SQL, sql } from 'drizzle-orm';
import type { IntegrationConfig } from '../../contract/integrations.ts';
import type { NayaxMomaAnalytics } from '../../contract/moma.ts';
import { integrationSystem } from '../../domain/integration.ts';
import { addDays, dayIn, instantIn } from '../../domain/time.ts';
import { type Db, firstRow, rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { listConfigs } from '../integrations/service.ts';
import { getOperator } from '../settings/service.ts';
import { isListed } from '../vendor-records/service.ts';

type Wish = { days: number; system: 'all' | 'nayax' | 'moma' };
type Span = { from: Date; system: Wish['system']; timeZone: string };

const decimalText = (sum: SQL): SQL => sql`coalesce(${sum}, 0)::numeric(16, 2)::text`;

/** What is held is not believed yet, and what a person left out never was a sale. */
const status = sql`partner_status(s.status, s.outcome)`;
const isRevenue = sql`${status} = 'completed'`;

/** A transaction that both systems told of is marked at the second: together it counts once. */
function within({ from, system }: Span): SQL {
  const systems =
    system === 'all'
      ? sql`s.system in ('nayax', 'moma') and s.outcome not in ('same', 'held_same', 'waiting_same')`
      : sql`s.system = ${system}`;
  return sql`${systems} and s.sold_at >= ${from.toISOString()}::timestamptz`;
}

/** Figures, payment methods and health of both systems, all from stored rows. */
export async function getAnalytics(deps: Deps, { days, system }: Wish): Promise<NayaxMomaAnalytics> {
  const { db, clock } = deps;
  const now = clock.now();
  const { timeZone } = await getOperator(db);
  const today = dayIn(timeZone, now);
  const first = addDays(today, 1 - days);
  const ofToday: Span = { from: instantIn(timeZone, today, 0), system, timeZone };
  const ofDays: Span = { from: instantIn(timeZone, first, 0), system, timeZone };
  const [sums, devices, methods, open, perDay, health] = await Promise.all([
    findToday(db, ofToday),
    countBySystem(db),
    findMethods(db, ofDays),
    findOpen(db, ofDays),
    findDays(db, ofDays),
    findHealth(deps, now),
  ]);
  const amounts = new Map(perDay.map(({ day, amount }) => [day, amount]));
  return {
    today: sums,
    devices,
    days,
    methods,
    open,
    perDay: Array.from({ length: days }, (_, index) => {
      const day = addDays(first, index);
      return { day, amount: amounts.get(day) ?? '0.00' };
    }),
    health,
  };
}

async function findToday(db: Db, span: Span): Promise<{ transactions: number; revenue: string }> {
  const found = await firstRow<{ transactions: number; revenue: string }>(
    db,
    sql`select count(*)::int as transactions, ${decimalText(sql`sum(s.amount)`)} as revenue
        from vendor_sales s where ${within(span)} and ${isRevenue}`,
  );
  return found ?? { transactions: 0, revenue: '0.00' };
}

async function countBySystem(db: Db): Promise<NayaxMomaAnalytics['devices']> {
  const found = await rows<{ system: string; all: number; active: number }>(
    db,
    sql`select d.system, count(*)::int as all, count(*) filter (where d.status in ('active', 'online'))::int as active
        from vendor_devices d join integration_configs c on c.id = d.config_id and c.removed_at is null
        where d.system in ('nayax', 'moma') and ${isListed} group by d.system`,
  );
  const of = (system: string) => found.find((one) => one.system === system) ?? { all: 0, active: 0 };
  const [nayax, moma] = [of('nayax'), of('moma')];
  return { nayax: nayax.all, nayaxActive: nayax.active, moma: moma.all, momaActive: moma.active };
}

function findMethods(db: Db, span: Span): Promise<NayaxMomaAnalytics['methods']> {
  return rows(
    db,
    sql`select coalesce(nullif(s.payment_method, ''), 'unknown') as method, count(*)::int as transactions,
               ${decimalText(sql`sum(s.amount)`)} as amount
        from vendor_sales s where ${within(span)} and ${isRevenue} group by 1 order by sum(s.amount) desc, 1`,
  );
}

/** What is not booked has no mark of who told it first: it is counted by the name that both systems give it. */
async function findOpen(db: Db, span: Span): Promise<NayaxMomaAnalytics['open']> {
  const each = sql`distinct concat_ws(' ', s.ledger_source, s.ledger_id, s.ledger_line)`;
  const found = await firstRow<NayaxMomaAnalytics['open']>(
    db,
    sql`select count(${each}) filter (where ${status} = 'pending')::int as pending,
               count(${each}) filter (where ${status} = 'failed')::int as failed
        from vendor_sales s where ${within(span)}`,
  );
  return found ?? { pending: 0, failed: 0 };
}

function findDays(db: Db, span: Span): Promise<NayaxMomaAnalytics['perDay']> {
  return rows(
    db,
    sql`select to_char(s.sold_at at time zone ${span.timeZone}, 'YYYY-MM-DD') as day, ${decimalText(sql`sum(s.amount)`)} as amount
        from vendor_sales s where ${within(span)} and ${isRevenue} group by 1`,
  );
}

type Runs = { configId: number; runs: number; failedRuns: number };
type Devices = { configId: number; active: number; offline: number; inactive: number };
const dayMs = 86_400_000;

async function findHealth(deps: Deps, now: Date): Promise<NayaxMomaAnalytics['health']> {
  const since = new Date(now.getTime() - dayMs).toISOString();
  const [nayax, moma, runs, devices] = await Promise.all([
    listConfigs(deps, 'nayax'),
    listConfigs(deps, 'moma'),
    rows<Runs>(
      deps.db,
      sql`select config_id as "configId", count(*) filter (where status <> 'paused')::int as runs,
                 count(*) filter (where status in ('failed', 'abandoned'))::int as "failedRuns"
          from sync_runs where system in ('nayax', 'moma') and created_at >= ${since}::timestamptz group by config_id`,
    ),
    rows<Devices>(
      deps.db,
      sql`select config_id as "configId", count(*) filter (where status in ('active', 'online'))::int as active,
                 count(*) filter (where status = 'offline')::int as offline,
                 count(*) filter (where status in ('inactive', 'maintenance'))::int as inactive
          from vendor_devices d where d.system in ('nayax', 'moma') and ${isListed} group by d.config_id`,
    ),
  ]);
  return [...nayax, ...moma].map((config) => healthOf(config, runs, devices));
}

function healthOf(config: IntegrationConfig, runs: readonly Runs[], devices: readonly Devices[]) {
  const ran = runs.find((one) => one.configId === config.id) ?? { runs: 0, failedRuns: 0 };
  const seen = devices.find((one) => one.configId === config.id) ?? { active: 0, offline: 0, inactive: 0 };
  return {
    configId: config.id,
    system: integrationSystem.parse(config.system),
    name: config.name,
    state: healthState(config),
    problem: config.problem,
    waitsUntil: config.waitsUntil,
    fresh: config.fresh.map(({ resource, lastGoodAt }) => ({ resource, lastGoodAt })),
    runs: ran.runs,
    failedRuns: ran.failedRuns,
    rejectedDeliveries: config.rejectedDeliveries,
    devices: { active: seen.active, offline: seen.offline, inactive: seen.inactive },
  };
}

type State = 'working' | 'failing' | 'waiting' | 'new' | 'inactive';

function healthState({ isActive, problem, waitsUntil, lastSyncAt }: IntegrationConfig): State {
  if (!isActive) return 'inactive';
  if (problem !== null) return 'failing';
  if (waitsUntil !== null) return 'waiting';
  return lastSyncAt === null ? 'new' : 'working';
}
