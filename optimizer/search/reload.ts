/**
 * Opens and closes trips of vehicles that may reload. Guarantees: every route keeps its promises; a visit to reload is only opened together
 * with a stop that needs it.
 */

import { endOf, isReload, startOf } from '../model.ts';
import { ABSENT, legsOf, readRoute } from '../plan/chain.ts';
import { canCarry } from '../plan/loads.ts';
import type { Plan } from '../plan/plan.ts';
import { canDrive } from '../plan/route-check.ts';

function unusedReload(plan: Plan, vehicle: number): number {
  const { reloadOf } = plan.model;
  for (let i = 0; i < plan.absentCount; i++) {
    const stop = plan.absent[i] ?? 0;
    if (reloadOf[stop] === vehicle) return stop;
  }
  return ABSENT;
}

interface Opening {
  added: number;
  vehicle: number;
  stops: number[];
}

/**
 * Puts an absent stop on a route together with a visit to reload before or behind it, where that is cheapest and adds less than `worth`
 * ticks. For stops that fit on no trip as it is. Returns whether there was such a place.
 */
export function openTrip(plan: Plan, stop: number, worth: number): boolean {
  const best: Opening = { added: worth, vehicle: ABSENT, stops: [] };
  for (let i = 0; i < plan.usedCount; i++) {
    const vehicle = plan.used[i] ?? 0;
    const reload =
      plan.model.allowed[stop * plan.model.vehicles + vehicle] === 1 ? unusedReload(plan, vehicle) : ABSENT;
    if (reload !== ABSENT) tryOpening(plan, { vehicle, reload, stop }, best);
  }
  if (best.vehicle === ABSENT) return false;
  plan.setRoutes([best]);
  return true;
}

function tryOpening(plan: Plan, put: { vehicle: number; reload: number; stop: number }, best: Opening): void {
  const { model, legInto } = plan;
  const { place, places } = model;
  const { vehicle, reload, stop } = put;
  const { cost } = legsOf(model, vehicle);
  const ticks = (from: number, to: number) => cost[(place[from] ?? 0) * places + (place[to] ?? 0)] ?? 0;
  const stops = [...plan.stopsOf(vehicle)];
  for (let at = 0; at <= stops.length; at++) {
    const before = stops[at - 1] ?? startOf(model, vehicle);
    const behind = stops[at] ?? endOf(model, vehicle);
    for (const pair of [
      [reload, stop],
      [stop, reload],
    ]) {
      const [first = 0, second = 0] = pair;
      const added = ticks(before, first) + ticks(first, second) + ticks(second, behind) - (legInto[behind] ?? 0);
      const isFixed = (model.lockedTo[behind] ?? ABSENT) !== ABSENT;
      if (added >= best.added || isFixed) continue;
      const whole = stops.toSpliced(at, 0, first, second);
      if (canDrive(model, vehicle, whole)) Object.assign(best, { added, vehicle, stops: whole });
    }
  }
}

/** Steps spent on dividing a route into trips at most; small routes are divided in every way. */
const MOST_STEPS = 20_000;

/**
 * The stops in this order with the vehicle's visits to reload between them where that is cheapest; the stops as they are when they contain
 * such visits already, or when no division keeps every promise.
 */
export function cheapestTrips(plan: Plan, vehicle: number, stops: readonly number[]): readonly number[] {
  const { model } = plan;
  if (stops.some((stop) => isReload(model, stop))) return stops;
  const free = [...model.reloads].filter(
    (stop) => model.reloadOf[stop] === vehicle && plan.chain.route[stop] === ABSENT,
  );
  const { cost } = legsOf(model, vehicle);
  const ticks = (from: number, to: number) =>
    cost[(model.place[from] ?? 0) * model.places + (model.place[to] ?? 0)] ?? 0;
  let best: { added: number; stops: readonly number[] } | null = null;
  let steps = 0;
  const divide = (at: number, used: number, trips: readonly number[], added: number): void => {
    if (++steps > MOST_STEPS || (best !== null && at === stops.length && added >= best.added)) return;
    if (at === stops.length) {
      if (canDrive(model, vehicle, trips)) best = { added, stops: trips };
      return;
    }
    const stop = stops[at] ?? 0;
    const isTripFull = !canCarry(model, vehicle, [...trips, stop]);
    const reload = free[used];
    if (!isTripFull) divide(at + 1, used, [...trips, stop], added);
    const isFixed = (model.lockedTo[stop] ?? ABSENT) !== ABSENT;
    if (reload === undefined || at === 0 || isFixed) return;
    const before = stops[at - 1] ?? 0;
    const detour = ticks(before, reload) + ticks(reload, stop) - ticks(before, stop);
    divide(at + 1, used + 1, [...trips, reload, stop], added + detour);
  };
  divide(0, 0, [], 0);
  return best === null ? stops : (best as { stops: readonly number[] }).stops;
}

/** Puts an absent stop at the end of a route, as a trip of its own, if that is allowed. */
export function appendTrip(plan: Plan, vehicle: number, stop: number): void {
  const reload = unusedReload(plan, vehicle);
  const stops = [...plan.stopsOf(vehicle), reload, stop];
  if (reload !== ABSENT && canDrive(plan.model, vehicle, stops)) plan.setRoutes([{ vehicle, stops }]);
}

/** Takes visits to reload off their routes that no trip follows or precedes. */
export function dropIdleReloads(plan: Plan): void {
  const { model } = plan;
  if (!model.hasReloads) return;
  const { next, prev, route } = plan.chain;
  const scratch = new Int32Array(model.stops);
  const isTripEnd = (node: number) => node >= model.stops || isReload(model, node);
  for (const stop of model.reloads) {
    const vehicle = route[stop] ?? ABSENT;
    if (vehicle === ABSENT || !(isTripEnd(next[stop] ?? 0) || isTripEnd(prev[stop] ?? 0))) continue;
    const length = readRoute(model, plan.chain, vehicle, scratch);
    if (
      canDrive(
        model,
        vehicle,
        scratch.subarray(0, length).filter((other) => other !== stop),
      )
    )
      plan.remove(stop);
  }
}
