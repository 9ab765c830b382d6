import { sql } from 'drizzle-orm';
import { AppError } from '../../domain/errors.ts';
import { addDays, dayIn } from '../../domain/time.ts';
import { timeZone } from '../../simulator/calendar.ts';
import { eventIdRange } from '../../simulator/event-ids.ts';
import { spanBounds } from '../../simulator/operator/operator.ts';
import { type ProfileName, profiles } from '../../simulator/operator/profiles.ts';
import { type Simulation, simulate } from '../../simulator/simulate.ts';
import type { OpenDay } from '../../simulator/today.ts';
import { lastUntoldDay, visitsOfRoute } from '../../simulator/visits.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { saveOperator } from '../settings/service.ts';
import { lockDemo } from './carry-queries.ts';
import { insertFoundation, insertSimulatedAlerts, insertSites, isEmpty, moveSequences } from './load-queries.ts';
import { ensureMonths, insertMoves, insertSales, sumSales } from './movement-queries.ts';
import { insertRoutes } from './route-queries.ts';
import { insertVisits } from './visit-queries.ts';

export type LoadOptions = {
  profile: ProfileName;
  seed: number;
  /** Days of history; null: what the profile has. */
  days: number | null;
  /** Last day of history; null: yesterday. */
  until: string | null;
};

export type Loaded = {
  profile: ProfileName;
  seed: number;
  from: string;
  until: string;
  machines: number;
  markets: number;
  sales: number;
  movements: number;
  routes: number;
};

type Progress = (done: number, total: number) => void;

/** Fills an empty database with a synthetic operator and its history, whole or not at all. */
export async function loadOperator(
  deps: Pick<Deps, 'db' | 'clock'>,
  options: LoadOptions,
  onProgress: Progress,
): Promise<Loaded> {
  await requireEmpty(deps.db);
  const until = options.until ?? addDays(dayIn(timeZone, deps.clock.now()), -1);
  const days = options.days ?? profiles[options.profile].days;
  const simulation = simulate({ profile: options.profile, seed: options.seed, days, until });
  const loaded = await deps.db.transaction(async (tx) => {
    // Of several processes that start on an empty database, one fills it; the others wait here and find it filled.
    await lockDemo(tx);
    await requireEmpty(tx);
    return fill(tx, simulation, onProgress);
  });
  await deps.db.transaction(async (tx) => {
    // Of 50,000 machines it takes longer than any call may, and without it the database chooses its plans blindly.
    await tx.execute(sql`set local statement_timeout = 0`);
    await tx.execute(sql`analyze`);
  });
  return loaded;
}

async function requireEmpty(db: Db): Promise<void> {
  if (await isEmpty(db)) return;
  throw new AppError('conflict', 'The database is not empty. The synthetic operator is only put into an empty one.');
}

async function fill(tx: Db, simulation: Simulation, onProgress: Progress): Promise<Loaded> {
  const { plan, span } = simulation;
  const { fromMs, toMs } = spanBounds(span);
  // With the operator's time zone, which comes last, the days of all items are made in one long statement.
  await tx.execute(sql`set local statement_timeout = 0`);
  await ensureMonths(tx, fromMs, toMs);
  await insertFoundation(tx, plan, new Date(fromMs));
  const counts = await fillHistory(tx, simulation, onProgress);
  const routes = await fillRoutes(tx, simulation);
  await moveSequences(tx);
  await sumSales(tx, eventIdRange(plan.seed, 0));
  await saveOperator(tx, {
    name: plan.name,
    timeZone: plan.timeZone,
    isDemo: true,
    demoProfile: plan.profileName,
    demoSeed: plan.seed,
    demoUntil: span.until,
  });
  const { machines, markets } = plan.profile;
  return { profile: plan.profileName, seed: plan.seed, ...span, machines, markets, ...counts, routes };
}

async function fillHistory(tx: Db, { plan, span, history }: Simulation, onProgress: Progress) {
  const counts = { sales: 0, movements: 0 };
  let sites = 0;
  for (const chunk of history()) {
    await insertSites(tx, chunk.sites, spanBounds(span).fromMs);
    await insertMoves(tx, chunk.movements);
    await insertSales(tx, chunk.sales);
    await insertSimulatedAlerts(tx, chunk.alerts);
    counts.sales += chunk.sales.length;
    counts.movements += chunk.movements.length + chunk.sales.filter((sale) => sale.state !== 'failed').length;
    sites += chunk.sites.length;
    onProgress(sites, plan.sites.length);
  }
  return counts;
}

/** Routes go in by this many: one statement a day would take longer than the rows. */
const routesAtOnce = 500;

async function fillRoutes(tx: Db, simulation: Simulation): Promise<number> {
  let waiting: OpenDay[] = [];
  let routes = 0;
  for (const day of simulation.routes()) {
    routes += day.length;
    for (const driven of day) waiting.push({ driven, status: 'completed', doneStops: driven.tour.sites.length });
    if (waiting.length < routesAtOnce) continue;
    await insertDriven(tx, simulation, waiting);
    waiting = [];
  }
  await insertDriven(tx, simulation, waiting);
  return routes;
}

async function insertDriven(tx: Db, { plan, span }: Simulation, routes: readonly OpenDay[]): Promise<void> {
  await insertRoutes(tx, plan, routes);
  const untoldUntil = lastUntoldDay(span);
  const { toMs } = spanBounds(span);
  const told = routes.filter(({ driven }) => driven.day > untoldUntil);
  await insertVisits(
    tx,
    told.flatMap((route) => visitsOfRoute(plan.seed, route, toMs)),
  );
}
