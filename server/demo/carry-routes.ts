import { addDays, dayIn } from '../../domain/time.ts';
import { dayOf, daysBetween, timeZone } from '../../simulator/calendar.ts';
import type { Visit } from '../../simulator/keeping.ts';
import type { OperatorPlan } from '../../simulator/operator/operator.ts';
import type { Site } from '../../simulator/operator/sites.ts';
import { pastDay } from '../../simulator/operator/tours.ts';
import { type OpenDay, routesOfToday } from '../../simulator/today.ts';
import { type FieldVisit, fieldVisit, visitId, visitsOfRoute } from '../../simulator/visits.ts';
import type { Db } from '../db/database.ts';
import {
  findOpenStops,
  findPlannedDays,
  insertRoutes,
  type OpenStop,
  updateDoneRoutes,
  updateDoneStops,
} from './route-queries.ts';
import { insertVisits } from './visit-queries.ts';

/** From the instant up to which the demo has been lived, to now. */
export type Carry = { plan: OperatorPlan; fromMs: number; nowMs: number; today: string };

/** Who came to which place when, in order of time. */
export type VisitsBySite = Map<Site, Visit[]>;

/**
 * Ends the routes of days gone by, adds those of days nobody lived through, and lays out today's. Returns the visits that
 * these make.
 */
export async function carryRoutes(tx: Db, span: Carry): Promise<VisitsBySite> {
  const visits = new VisitBook(span);
  await endOldRoutes(tx, span, visits);
  const { plan, today, fromMs, nowMs } = span;
  const first = dayIn(timeZone, new Date(fromMs + 1));
  const planned = await findPlannedDays(tx, first, today);
  const missed = daysBetween(first, addDays(today, -1)).flatMap((day) =>
    plan.territories.flatMap(({ tours }): OpenDay[] => {
      const driven = pastDay(tours, day);
      return driven ? [{ driven, status: 'completed', doneStops: driven.tour.sites.length }] : [];
    }),
  );
  const routes = [...missed, ...routesOfToday(plan, dayOf(today), nowMs)].filter(
    ({ driven }) => !planned.has(`${driven.day} ${driven.tour.designation}`),
  );
  await insertRoutes(tx, plan, routes);
  for (const route of routes) visits.addRoute(route);
  await insertVisits(tx, visits.told);
  return visits.inOrder();
}

/** Open stops of days gone by are done after the last one that was, at most this far apart. */
const stopMs = 18 * 60_000;

async function endOldRoutes(tx: Db, span: Carry, visits: VisitBook): Promise<void> {
  const open = await findOpenStops(tx, span.today);
  const byRoute = new Map<number, OpenStop[]>();
  for (const stop of open) byRoute.set(stop.routeId, [...(byRoute.get(stop.routeId) ?? []), stop]);
  const ended = [...byRoute.values()].flatMap((stops) => endRoute(stops, span.nowMs));
  const done = ended.flatMap((route) => route.done);
  await updateDoneStops(tx, done);
  await updateDoneRoutes(tx, ended);
  for (const stop of done) visits.addStop(stop);
}

function endRoute(stops: readonly OpenStop[], nowMs: number) {
  const [first] = stops;
  if (!first) return [];
  const beganMs = Math.min(first.beganMs, nowMs);
  const real = stops.filter((stop) => stop.stopId > 0);
  const gapMs = Math.floor(Math.min(stopMs, (nowMs - beganMs) / (real.length + 1)));
  const done = real.map((stop, index) => ({
    ...stop,
    atMs: beganMs + (index + 1) * gapMs,
    leftMs: beganMs + Math.floor((index + 1.5) * gapMs),
  }));
  return [{ routeId: first.routeId, beganMs, endedMs: beganMs + (real.length + 1) * gapMs, done }];
}

class VisitBook {
  private readonly visits: VisitsBySite = new Map();
  private readonly sites: Map<string, Site>;
  private readonly drivers: Map<string, number>;
  private readonly seed: number;
  private readonly nowMs: number;
  /** What the drivers noted at each. */
  readonly told: FieldVisit[] = [];

  constructor({ plan, nowMs }: Carry) {
    this.seed = plan.seed;
    this.nowMs = nowMs;
    this.sites = new Map(plan.sites.map((site) => [`${site.type}:${site.id}`, site]));
    this.drivers = new Map(plan.territories.map(({ designation, driver }) => [designation, driver.id]));
  }

  addRoute(route: OpenDay): void {
    const { driven, doneStops } = route;
    const actorId = this.drivers.get(driven.tour.designation) ?? null;
    for (const [index, site] of driven.tour.sites.slice(0, doneStops).entries()) {
      this.add(site, driven.day, { atMs: driven.actualMs[index] ?? 0, actorId });
    }
    this.told.push(...visitsOfRoute(this.seed, route, this.nowMs));
  }

  addStop(stop: OpenStop & { atMs: number; leftMs: number }): void {
    const key = stop.marketId ? `market:${stop.marketId}` : `vending_machine:${stop.machineId}`;
    const site = this.sites.get(key);
    if (!site) return;
    const { day, atMs, leftMs } = stop;
    this.add(site, day, { atMs, actorId: stop.driverId });
    this.told.push(fieldVisit(this.seed, { site, day, openedMs: atMs, closedMs: leftMs }, this.nowMs));
  }

  inOrder(): VisitsBySite {
    for (const list of this.visits.values()) list.sort((a, b) => a.atMs - b.atMs);
    return this.visits;
  }

  private add(site: Site, day: string, visit: Omit<Visit, 'id'>): void {
    const list = this.visits.get(site) ?? [];
    this.visits.set(site, list);
    list.push({ ...visit, id: visitId(this.seed, day, site) });
  }
}
