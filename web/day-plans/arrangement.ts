import type { DayPlan } from '../../contract/day-plans.ts';
import type { Arrangement } from '../../domain/day-plan.ts';
import type { LocationRef } from '../../domain/location.ts';

/** Who visits what, as the server takes it. */
export function arrangementOf(plan: DayPlan): Arrangement {
  return {
    routes: plan.routes.map((route) => route.stops.map(({ type, id, locked }) => ({ type, id, locked }))),
    unassigned: plan.unassigned.map(({ type, id }) => ({ type, id })),
  };
}

/** A place in the plan: before the stop at `index` of a route; `null` for the list of those not given to anybody. */
export type Target = { route: number | null; index: number };

const isSame = (a: LocationRef, b: LocationRef): boolean => a.type === b.type && a.id === b.id;

/** Where a stop is now. */
export function placeOf(arrangement: Arrangement, stop: LocationRef): Target | null {
  for (const [route, stops] of arrangement.routes.entries()) {
    const index = stops.findIndex((one) => isSame(one, stop));
    if (index >= 0) return { route, index };
  }
  const index = arrangement.unassigned.findIndex((one) => isSame(one, stop));
  return index >= 0 ? { route: null, index } : null;
}

/** Whether a stop that is put there stays where it is; an index beyond the last is the end. */
export function isThere(arrangement: Arrangement, stop: LocationRef, to: Target): boolean {
  const from = placeOf(arrangement, stop);
  if (from?.route !== to.route) return false;
  if (to.route === null) return true;
  const before = Math.min(to.index, arrangement.routes[to.route]?.length ?? 0);
  return before === from.index || before === from.index + 1;
}

/** Takes a stop out and puts it in elsewhere. A stop given to another driver is no longer locked to the one before. */
export function move(arrangement: Arrangement, stop: LocationRef, to: Target): Arrangement {
  const from = placeOf(arrangement, stop);
  if (!from) return arrangement;
  const locked = from.route === null ? false : (arrangement.routes[from.route]?.[from.index]?.locked ?? false);
  const { type, id } = stop;
  const routes = arrangement.routes.map((stops) => stops.filter((one) => !isSame(one, stop)));
  const unassigned = arrangement.unassigned.filter((one) => !isSame(one, stop));
  if (to.route === null) return { routes, unassigned: [...unassigned, { type, id }] };
  const index = from.route === to.route && from.index < to.index ? to.index - 1 : to.index;
  const moved = { type, id, locked: locked && from.route === to.route };
  return {
    routes: routes.map((stops, route) => (route === to.route ? stops.toSpliced(index, 0, moved) : stops)),
    unassigned,
  };
}

/** Locks a stop to its driver, or frees it. */
export function setLocked(arrangement: Arrangement, stop: LocationRef, locked: boolean): Arrangement {
  return {
    ...arrangement,
    routes: arrangement.routes.map((stops) => stops.map((one) => (isSame(one, stop) ? { ...one, locked } : one))),
  };
}

/** What a change costs, in the words of the screen: more or less driving, and what gets too long, too full or too late. */
export function costOf(
  before: DayPlan,
  after: DayPlan,
): { minutes: number; km: number; overShiftMin: number; overTotes: number; lateStops: number } {
  const over = (plan: DayPlan): number => plan.routes.reduce((sum, route) => sum + route.overShiftMin, 0);
  const tooFull = (plan: DayPlan): number =>
    plan.routes.reduce((sum, { totes, capacityTotes }) => sum + Math.max(0, totes - (capacityTotes ?? totes)), 0);
  const late = (plan: DayPlan): number =>
    plan.routes.flatMap(({ stops }) => stops).filter(({ lateMin }) => lateMin > 0).length;
  return {
    minutes: after.totals.drivingMin - before.totals.drivingMin,
    km: Math.round((after.totals.distanceKm - before.totals.distanceKm) * 10) / 10,
    overShiftMin: over(after) - over(before),
    overTotes: tooFull(after) - tooFull(before),
    lateStops: late(after) - late(before),
  };
}
