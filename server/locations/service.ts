import type { Reply } from '../../contract/endpoint.ts';
import type { getLocationStock, LocationSales, PlaceCount } from '../../contract/locations.ts';
import { notFound } from '../../domain/errors.ts';
import type { LocationRef } from '../../domain/location.ts';
import { addDays, dayIn, instantIn } from '../../domain/time.ts';
import { sumOfMoney } from '../../domain/units.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { machineInScope, marketInScope, type Scope, scopeOf, toldAlike } from '../scope/service.ts';
import { getOperator } from '../settings/service.ts';
import { countByRoute, countPlaces, findMapPlaces, findPlacePage, type Seen, type Wish } from './places.ts';
import {
  existsLocation,
  findSalesByDay,
  findSalesByHour,
  findSalesByProduct,
  findStockDays,
  sumTarget,
} from './queries.ts';

export { requireStatus } from './status.ts';

type Asked = { ref: LocationRef; days: number };

/** Sales of a location in scope over its last days, today included. */
export async function salesOf(deps: Deps, caller: Caller, { ref, days }: Asked): Promise<LocationSales> {
  await requireInScope(deps, caller, ref);
  const { timeZone, currency } = await getOperator(deps.db);
  const until = dayIn(timeZone, deps.clock.now());
  const from = addDays(until, 1 - days);
  const at = (day: string): Date => instantIn(timeZone, day, 0);
  const asked = { ref, currency, timeZone, from: at(from), until: at(addDays(until, 1)) };
  const byDay = await findSalesByDay(deps.db, asked);
  const before = await findSalesByDay(deps.db, { ...asked, from: at(addDays(from, -days)), until: at(from) });
  const total = byDay.reduce((sum, row) => ({ units: sum.units + row.units, sales: sum.sales + row.sales }), {
    units: 0,
    sales: 0,
  });
  return {
    currency,
    from,
    until,
    total: { ...total, amount: sumOf(byDay) },
    before: sumOf(before),
    byDay: everyDay(byDay, from, days),
    byHour: everyHour(await findSalesByHour(deps.db, asked)),
    byProduct: await findSalesByProduct(deps.db, asked),
  };
}

const sumOf = (rows: readonly { amount: string }[]): string => sumOfMoney(rows.map(({ amount }) => amount));

type Sum = { units: number; amount: string };
const nothing: Sum = { units: 0, amount: '0.00' };

function everyDay(rows: readonly (Sum & { day: string })[], from: string, days: number) {
  const found = new Map(rows.map((row) => [row.day, row]));
  return Array.from({ length: days }, (_, n) => {
    const day = addDays(from, n);
    const { units, amount } = found.get(day) ?? nothing;
    return { day, units, amount };
  });
}

function everyHour(rows: readonly (Sum & { hour: number })[]) {
  const found = new Map(rows.map((row) => [row.hour, row]));
  return Array.from({ length: 24 }, (_, hour) => ({ ...nothing, ...found.get(hour), hour }));
}

/** Stock of a location in scope at the end of each of its last days. */
export async function stockOf(
  deps: Deps,
  caller: Caller,
  { ref, days }: Asked,
): Promise<Reply<typeof getLocationStock>> {
  await requireInScope(deps, caller, ref);
  const { timeZone } = await getOperator(deps.db);
  const until = dayIn(timeZone, deps.clock.now());
  return {
    target: await sumTarget(deps.db, ref),
    days: await findStockDays(deps.db, ref, { from: addDays(until, 1 - days), until, timeZone }),
  };
}

const places = ['markets', 'vending_machines'];

const seenIn = (scope: Scope): Seen => ({ markets: marketInScope(scope), machines: machineInScope(scope) });

/** A page of the locations in scope that match. All pages of one list, in any order, are told how many there are by one count. */
export async function pageOfPlaces(deps: Deps, caller: Caller, wish: Wish) {
  const scope = await scopeOf(deps, caller);
  const seen = seenIn(scope);
  const { sort: _sort, page: _page, limit: _limit, low: _low, ...filter } = wish;
  const counts = () =>
    toldAlike(deps, scope, {
      asked: ['places counted', filter],
      read: () => countPlaces(deps.db, seen, wish),
      ofMany: { rows: ({ all }) => all, from: places },
    });
  return findPlacePage(deps.db, seen, { wish, counts });
}

/** What a map shows of the locations in scope that match. */
export async function placesOnMap(deps: Deps, caller: Caller, filter: Parameters<typeof findMapPlaces>[2]) {
  const scope = await scopeOf(deps, caller);
  return toldAlike(deps, scope, {
    asked: ['map', filter],
    read: () => findMapPlaces(deps.db, seenIn(scope), filter),
    ofMany: { rows: ({ total }) => total, from: places },
  });
}

/** Locations in scope by route designation. */
export async function countedByRoute(deps: Deps, caller: Caller): Promise<PlaceCount[]> {
  const scope = await scopeOf(deps, caller);
  return toldAlike(deps, scope, {
    asked: ['places'],
    read: () => countByRoute(deps.db, seenIn(scope)),
    ofMany: { rows: (counts) => counts.reduce((sum, { all }) => sum + all, 0), from: places },
  });
}

async function requireInScope(deps: Deps, caller: Caller, ref: LocationRef): Promise<void> {
  const scope = await scopeOf(deps, caller);
  const inScope = ref.type === 'market' ? marketInScope(scope) : machineInScope(scope);
  if (await existsLocation(deps.db, ref, inScope)) return;
  throw notFound(ref.type === 'market' ? 'market' : 'machine');
}
