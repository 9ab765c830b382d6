import { sql } from 'drizzle-orm';
import type { LocationRef } from '../../domain/location.ts';
import {
  addForecast,
  demandWindow,
  type ErrorSums,
  expectedLeft,
  expectedUnits,
  type Forecast,
  noErrors,
} from '../../domain/need.ts';
import { addDays, dayIn, distanceOfDays, instantIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { getOperator } from '../settings/service.ts';
import { byLocation, demandsOf, grouped, type KindMeans, kindMeans } from './items.ts';
import {
  type CountRow,
  type ErrorRow,
  findCounts,
  findItems,
  type ItemRow,
  replaceKindMeans,
  saveErrors,
} from './queries.ts';

/** Days back whose counts are compared with what had been expected of them. */
const lookBackDays = 60;
const locationsAtOnce = 200;

/**
 * Measures the means of kinds, and how far forecasts of each location were from what its counts found. Each forecast
 * knows only the days before the count that it starts from.
 */
export async function measureNeed(deps: Pick<Deps, 'db' | 'clock'>): Promise<ErrorSums> {
  const { db, clock } = deps;
  const { timeZone } = await getOperator(db);
  const now = clock.now();
  const today = dayIn(timeZone, now);
  const until = addDays(today, -1);
  const window = { from: addDays(today, -demandWindow.days), until, zone: timeZone };
  await db.transaction((tx) => replaceKindMeans(tx, window));
  const span = { today, zone: timeZone, since: addDays(today, -lookBackDays), until };
  let overall = noErrors;
  for (const refs of chunks(await allLocations(db))) {
    const errors = await errorsOf(db, refs, span);
    await saveErrors(db, errors, now);
    overall = errors.reduce(addSums, overall);
  }
  return overall;
}

function allLocations(db: Db): Promise<LocationRef[]> {
  return rows<LocationRef>(
    db,
    sql`select 'market' as type, id from markets where deleted_at is null
        union all select 'vending_machine', id from vending_machines where deleted_at is null order by 1, 2`,
  );
}

function chunks(refs: readonly LocationRef[]): LocationRef[][] {
  const parts = Math.ceil(refs.length / locationsAtOnce);
  return Array.from({ length: parts }, (_, n) => refs.slice(n * locationsAtOnce, (n + 1) * locationsAtOnce));
}

const addSums = (a: ErrorSums, b: ErrorSums): ErrorSums => ({
  counts: a.counts + b.counts,
  absoluteError: a.absoluteError + b.absoluteError,
  signedError: a.signedError + b.signedError,
  naiveError: a.naiveError + b.naiveError,
});

type Back = { zone: string; since: string; until: string };

async function errorsOf(db: Db, refs: readonly LocationRef[], back: Back): Promise<ErrorRow[]> {
  const from = addDays(back.since, -demandWindow.days);
  const items = await findItems(db, refs, { from, until: back.until });
  const counts = await findCounts(db, refs, { at: instantIn(back.zone, back.since, 0), zone: back.zone });
  const countsOf = grouped(counts, (count) => `${count.itemType}:${count.itemId}`);
  const means = await kindMeans(db, items);
  return [...byLocation(items)].map(([, own]) => {
    const [first] = own;
    const sums = forecasts(own, { countsOf, from, means }).reduce(addForecast, noErrors);
    return { type: first?.type ?? 'market', id: first?.locationId ?? 0, ...sums };
  });
}

type Context = { countsOf: Map<string, CountRow[]>; from: string; means: KindMeans };

/** Forecasts of one location's items from each count to the next, learned from the days before the first of the two. */
function forecasts(items: readonly ItemRow[], { countsOf, from, means }: Context): Forecast[] {
  const wanted = items.flatMap((item, index) =>
    (countsOf.get(`${item.itemType}:${item.id}`) ?? []).map((count) => ({ index, count })),
  );
  const byDay = grouped(wanted, ({ count }) => count.fromDay);
  return [...byDay].flatMap(([day, starting]) => {
    const cut = distanceOfDays(from, day);
    const begins = cut - demandWindow.days;
    const span = { from: addDays(from, begins), days: demandWindow.days };
    const demands = demandsOf(
      items.map((item) => shifted(item, begins, cut)),
      span,
      means,
    );
    return starting.flatMap(({ index, count }) => {
      const demand = demands[index];
      const item = items[index];
      if (!demand || !item) return [];
      const naive = { perDay: plainMean(item, cut), shape: flat, days: 0 };
      return [{ expected: leftAt(demand, count), naive: leftAt(naive, count), found: count.found }];
    });
  });
}

const flat = [1, 1, 1, 1, 1, 1, 1];

/** The item as it was known at the morning of a day, its days counted from another first day. */
function shifted(item: ItemRow, begins: number, cut: number): ItemRow {
  const end = item.at.findIndex((at) => at >= cut);
  return { ...item, at: item.at.slice(0, end < 0 ? undefined : end).map((at) => at - begins) };
}

/** What a plain ruler says: all units over all days since the first row, sold out or not. */
function plainMean(item: ItemRow, cut: number): number {
  const first = item.at[0];
  if (first === undefined || first >= cut) return 0;
  const units = item.units.reduce((sum, sold, index) => sum + ((item.at[index] ?? cut) < cut ? sold : 0), 0);
  return units / (cut - Math.max(0, first));
}

function leftAt(demand: { perDay: number; shape: number[]; days: number }, count: CountRow): number {
  const asked = expectedUnits(
    demand,
    { day: count.fromDay, passed: count.fromPassed },
    { day: count.day, passed: count.passed },
  );
  return expectedLeft(asked, Math.max(0, count.stock + count.brought));
}
