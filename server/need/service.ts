import type { Reply } from '../../contract/endpoint.ts';
import type { getNeed, LocationNeed, listNeeds, NeededItem } from '../../contract/need.ts';
import { notFound } from '../../domain/errors.ts';
import { type LocationRef, locationKey } from '../../domain/location.ts';
import {
  assumedVisitDays,
  type ErrorSums,
  forecastError,
  type Moment,
  noErrors,
  prizeSeconds,
  runOutDay,
  runsOutBefore,
  type Visits,
  whyVisit,
} from '../../domain/need.ts';
import { countTotes, type Handling, handlingOf } from '../../domain/picking.ts';
import { addDays, dayIn, distanceOfDays, instantIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { machineInScope, marketInScope, scopeOf } from '../scope/service.ts';
import { getOperator } from '../settings/service.ts';
import { itemsWithNeed, type LocatedItem } from './items.ts';
import { findErrors, findPlaces, findVisits, type PlacedLocation, sumErrors, type VisitRow } from './queries.ts';

export {
  countWrongDaySums,
  countWrongForeignDays,
  countWrongRefunds,
  countWrongSlotlessDays,
  rebuildDaySums,
  rebuildItemDays,
} from './item-days.ts';
export { measureNeed } from './measure.ts';

type Asked = { refs: readonly LocationRef[]; visit: string | null };

/** What locations in scope need until their next visit; unknown ones are left out. */
export async function listNeedsOf(deps: Deps, caller: Caller, asked: Asked): Promise<Reply<typeof listNeeds>> {
  const { locations, ...standing } = await needsOf(deps, caller, asked);
  return { ...standing, locations: locations.map((one) => one.need) };
}

/** The same of one location, with its slots or items; refuses unknown ones. */
export async function needOf(
  deps: Deps,
  caller: Caller,
  { ref, visit }: { ref: LocationRef; visit: string | null },
): Promise<Reply<typeof getNeed>> {
  const { locations, ...standing } = await needsOf(deps, caller, { refs: [ref], visit });
  const [found] = locations;
  if (!found) throw notFound('location');
  const items = [...found.items].sort((a, b) => b.need.lostMoney - a.need.lostMoney);
  return { ...standing, location: found.need, items: items.map((item) => toItem(item, found.visits.now)) };
}

async function needsOf(deps: Deps, caller: Caller, { refs, visit }: Asked) {
  const { db, env } = deps;
  const scope = await scopeOf(deps, caller);
  const places = await findPlaces(db, refs, { markets: marketInScope(scope), machines: machineInScope(scope) });
  const { currency } = await getOperator(db);
  const found = await locationNeeds(deps, places, visit);
  return {
    currency,
    costPerHour: env.costPerHour,
    overallError: forecastError(await sumErrors(db)),
    locations: found,
  };
}

export type Needed = { need: LocationNeed; items: LocatedItem[]; visits: Visits };

/**
 * Needs of places that the caller may see, in their order, by a handful of statements however many they are. `visit` is
 * the day of the visit in question; null: the next one of each place.
 */
export async function locationNeeds(
  deps: Pick<Deps, 'db' | 'clock' | 'env'>,
  places: readonly PlacedLocation[],
  visit: string | null,
): Promise<Needed[]> {
  if (places.length === 0) return [];
  const { timeZone } = await getOperator(deps.db);
  const now = momentIn(timeZone, deps.clock.now());
  const visits = await visitsOf(deps.db, places, { now, visit });
  const items = await itemsWithNeed(deps.db, places, { now, visitsOf: (key) => visits.get(key)?.visits ?? null });
  const errors = new Map((await findErrors(deps.db, places)).map((row) => [locationKey(row), row]));
  return places.flatMap((place) => {
    const when = visits.get(locationKey(place));
    if (!when) return [];
    const own = items.get(locationKey(place)) ?? [];
    const sums = errors.get(locationKey(place)) ?? noErrors;
    const need = toNeed(place, own, { ...when, costPerHour: deps.env.costPerHour, errors: sums });
    return [{ need, items: own, visits: when.visits }];
  });
}

/** What a visit is worth: sales it saves until the visit after, and the seconds of work and driving that pays for; and what to bring. */
export type VisitWorth = { seconds: number; saved: string; currency: string; totes: number };

/** By location key, as much of it as the solver asks for. */
export type Worths = ReadonlyMap<string, Pick<VisitWorth, 'seconds' | 'totes'>>;

/** What visiting each place on a day is worth and needs, by location key; for planners, whose caller may see the places. */
export async function worthOfVisits(
  deps: Pick<Deps, 'db' | 'clock' | 'env'>,
  places: readonly PlacedLocation[],
  day: string,
): Promise<Map<string, VisitWorth>> {
  const { currency } = await getOperator(deps.db);
  const found = await locationNeeds(deps, places, day);
  return new Map(
    found.map(({ need, items }) => [
      locationKey(need),
      { seconds: need.prizeSeconds, saved: need.savedMoney, currency, totes: countTotes(items.flatMap(toLoad)) },
    ]),
  );
}

/** What to load for an item, as it is packed. */
export function toLoad({ row, need }: LocatedItem): { units: number; handling: Handling }[] {
  return need.fill > 0 ? [{ units: need.fill, handling: handlingOf(row.category) }] : [];
}

/** The operator's day at an instant and the part of it that has passed. */
export function momentIn(timeZone: string, at: Date): Moment {
  const day = dayIn(timeZone, at);
  const starts = instantIn(timeZone, day, 0).getTime();
  const ends = instantIn(timeZone, addDays(day, 1), 0).getTime();
  return { day, passed: Math.min(1, Math.max(0, (at.getTime() - starts) / (ends - starts))) };
}

/** A planned day says no hour: a visit is taken to be at noon, and now where noon of today has passed and it is still to come. */
const noon = 0.5;
/** Days back that tell how often a location is visited. */
const visitMemoryDays = 60;

type Planned = { visits: Visits; planned: boolean };

async function visitsOf(
  db: Db,
  places: readonly PlacedLocation[],
  { now, visit }: { now: Moment; visit: string | null },
) {
  const since = addDays(now.day, -visitMemoryDays);
  const found = new Map((await findVisits(db, places, { from: now.day, since })).map((row) => [locationKey(row), row]));
  return new Map(places.map((place) => [locationKey(place), whenVisited(found.get(locationKey(place)), now, visit)]));
}

function whenVisited(row: VisitRow | undefined, now: Moment, visit: string | null): Planned {
  const gap = usualGap(row);
  const from = visit !== null && visit >= now.day ? visit : null;
  const ahead = row?.planned ?? [];
  const next = from ?? ahead[0] ?? laterOf(addDays(row?.lastVisit ?? now.day, gap), addDays(now.day, 1));
  const after = ahead.find((day) => day > next) ?? addDays(next, gap);
  const moment = (day: string): Moment => ({ day, passed: day === now.day ? Math.max(noon, now.passed) : noon });
  return {
    visits: { now, next: moment(next), after: moment(after) },
    planned: from !== null || ahead.length > 0,
  };
}

const laterOf = (a: string, b: string): string => (a > b ? a : b);

function usualGap(row: VisitRow | undefined): number {
  if (!row?.firstVisit || !row.lastVisit || row.visits < 2) return assumedVisitDays;
  return Math.max(1, Math.round(distanceOfDays(row.firstVisit, row.lastVisit) / (row.visits - 1)));
}

type Context = Planned & { costPerHour: number; errors: ErrorSums };

const cents = (money: number): string => money.toFixed(2);
const hundredth = (value: number): number => Math.round(value * 100) / 100;
const total = (items: readonly LocatedItem[], of: (item: LocatedItem) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0);

function toNeed(place: PlacedLocation, items: readonly LocatedItem[], context: Context): LocationNeed {
  const { visits, planned, costPerHour, errors } = context;
  const savedMoney = total(items, (item) => item.need.savedMoney);
  const lines = items.map((item) => ({ name: item.row.productName, onHand: item.row.onHand, need: item.need }));
  return {
    type: place.type,
    id: place.id,
    name: place.name,
    nextVisit: visits.next.day,
    nextVisitPlanned: planned,
    visitAfter: visits.after.day,
    unitsPerDay: hundredth(total(items, (item) => item.need.perDay)),
    soldOut: items.filter((item) => item.row.onHand <= 0 && item.need.perDay > 0).length,
    runningOut: items.filter((item) => item.row.onHand > 0 && runsOutBefore(item.need, visits)).length,
    lostUnits: hundredth(total(items, (item) => item.need.lostUnits)),
    lostMoney: cents(total(items, (item) => item.need.lostMoney)),
    savedMoney: cents(savedMoney),
    prizeSeconds: prizeSeconds(savedMoney, costPerHour),
    fillUnits: total(items, (item) => item.need.fill),
    why: whyVisit(lines, visits, { planned }),
    error: forecastError(errors),
  };
}

function toItem({ row, par, demand, need }: LocatedItem, now: Moment): NeededItem {
  return {
    itemType: row.itemType,
    id: row.id,
    productName: row.productName,
    slotNumber: row.slotNumber,
    onHand: row.onHand,
    par,
    perDay: hundredth(need.perDay),
    historyDays: hundredth(demand.days),
    daysOfCover: need.daysOfCover === null ? null : hundredth(need.daysOfCover),
    runsOut: row.onHand > 0 ? runOutDay(need, now) : null,
    untilVisit: hundredth(need.untilVisit),
    runOutChance: hundredth(need.runOutChance),
    lostUnits: hundredth(need.lostUnits),
    lostMoney: cents(need.lostMoney),
    fill: need.fill,
    cases: row.caseSize ? Math.floor(need.fill / row.caseSize) : null,
  };
}
