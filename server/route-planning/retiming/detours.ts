import { and, gte, inArray } from 'drizzle-orm';
import type { Point } from '../../../domain/location.ts';
import { dayIn } from '../../../domain/time.ts';
import type { Deps, Roads } from '../../deps.ts';
import { getOperator } from '../../settings/service.ts';
import { activeIncidents, type Incidents } from '../incidents.ts';
import { closuresAmong } from '../optimize/closures.ts';
import { findRoutes, findStops, type RouteRow, type StopRow, stopsOfRoutes } from '../queries.ts';
import { routes } from '../tables.ts';
import { drivenBetween, goesAround, type Leg, lineName, openLegs, pointsThroughAll } from './legs.ts';

/** A way around closed roads: what it takes more than the usual one, how long it is, and its course where it is another. */
type Detour = { moreSeconds: number; moreMetres: number; metres: number; line: readonly Point[] | null };

/** The closed roads that ways lead around, and the ways by the straight lines of their legs. */
export type Detours = { ids: ReadonlySet<number>; wayOf: ReadonlyMap<string, Detour> };

type Ways = Detours['wayOf'];

/** What an engine said on one map, by question. */
type Said = { version: string; ways: ReadonlyMap<string, Ways> };

/**
 * What engines said: they are not asked again while neither a route nor what is closed nor the map changes, and it is known
 * within a transaction, where no engine is asked.
 */
const saidBy = new WeakMap<object, Said>();

/**
 * Asks the engine for the ways around roads closed by now, of the routes still to be driven that it can lead around them:
 * a road may have been closed after a route was planned. Before a transaction begins.
 */
export async function measureDetours({ db, clock, roads }: Pick<Deps, 'db' | 'clock' | 'roads'>): Promise<void> {
  const questions = await questionsNow({ db, clock });
  const version = questions.length > 0 ? await roads.version() : '';
  const said = saidBy.get(roads);
  const before = said?.version === version ? said.ways : null;
  const ways = new Map<string, Ways>();
  for (const { key, points, areas } of questions) {
    const found = before?.get(key) ?? (await waysAround(roads, points, areas));
    if (found) ways.set(key, found);
  }
  saidBy.set(roads, { version, ways });
}

async function questionsNow({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<Question[]> {
  const incidents = await activeIncidents(db);
  if (!incidents.all.some(({ closed }) => closed)) return [];
  const now = clock.now();
  const { timeZone } = await getOperator(db);
  const active = and(inArray(routes.status, ['planned', 'in_progress']), gte(routes.date, dayIn(timeZone, now)));
  const open = (await findRoutes(db, active)).filter(goesAround);
  const stops = open.length > 0 ? await findStops(db, stopsOfRoutes(open.map(({ id }) => id))) : [];
  return open.flatMap((route) => {
    const own = stops.filter(({ routeId }) => routeId === route.id);
    return questionOf(route, own, { incidents, now }) ?? [];
  });
}

type Context = { incidents: Incidents; now: Date };

/** What the engine has said of the ways of a route around what is closed now; null: nothing. */
export function knownDetours(
  roads: object | undefined,
  route: RouteRow,
  stops: readonly StopRow[],
  context: Context,
): Detours | null {
  const said = roads && saidBy.get(roads);
  const question = said?.ways.size ? questionOf(route, stops, context) : null;
  const wayOf = question && said?.ways.get(question.key);
  return wayOf ? { ids: question.ids, wayOf } : null;
}

type Question = ReturnType<typeof closuresAmong> & { key: string; points: Point[] };

function questionOf(route: RouteRow, stops: readonly StopRow[], { incidents, now }: Context): Question | null {
  const legs = openLegs(route, stops);
  if (!goesAround(route) || legs.length === 0) return null;
  const points = pointsThroughAll(route, stops);
  const { ids, areas } = closuresAmong(incidents.between(drivenBetween(route, legs, now)), points);
  if (ids.size === 0 || points.length < 2) return null;
  return { ids, areas, points, key: JSON.stringify([points, areas]) };
}

/** Without the legs that the engine leads around nothing; null where it is silent. */
async function waysAround(roads: Roads, points: readonly Point[], areas: Point[][]): Promise<Ways | null> {
  const around = await roads.route(points, { avoid: areas });
  const usual = await roads.route(points);
  if (!around.isAnswered || !usual.isAnswered) return null;
  const ways = new Map<string, Detour>();
  for (const [index, { seconds, metres, geometry, avoided }] of around.legs.entries()) {
    const [a, b] = [points[index], points[index + 1]];
    const before = usual.legs[index];
    if (!avoided || !a || !b || seconds === null || metres === null || !before) continue;
    if (before.seconds === null || before.metres === null) continue;
    const moreSeconds = Math.max(0, seconds - before.seconds);
    const moreMetres = Math.round(metres - before.metres);
    const line = moreSeconds > 0 || moreMetres !== 0 ? geometry : null;
    ways.set(lineName([a, b]), { moreSeconds, moreMetres, metres, line });
  }
  return ways;
}

/**
 * A leg with what of its metres is a way around. Earlier releases planned around closed roads and did not keep it: those metres
 * are not added a second time.
 */
export function withHeldDetour(leg: Leg, detours: Detours | null): Leg {
  const way = detours?.wayOf.get(lineName(leg.line));
  if (!way || leg.detourM !== 0) return leg;
  const usual = way.metres - way.moreMetres;
  const isHeld = Math.abs(leg.metres - way.metres) < Math.abs(leg.metres - usual);
  return isHeld ? { ...leg, metres: leg.metres - way.moreMetres, detourM: way.moreMetres } : leg;
}
