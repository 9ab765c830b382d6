/**
 * A first plan, quickly. Guarantees: every promise kept; a stop is left out only when no allowed place was found or its prize is too
 * small; fixed beginnings stay. Method: greedy cheapest insertion, hard stops first (dear to leave out, few vehicles allowed, far away), beside the
 * nearest stops; for vehicles that are all alike, savings (Clarke & Wright 1964) come first.
 */

import { endOf, isReload, type Model } from './model.ts';
import { ABSENT } from './plan/chain.ts';
import { Inserter } from './plan/insertion.ts';
import { Plan } from './plan/plan.ts';
import { canDrive } from './plan/route-check.ts';
import type { Random } from './random.ts';
import type { Neighbours } from './search/neighbours.ts';
import { appendTrip, cheapestTrips, dropIdleReloads, openTrip } from './search/reload.ts';
import { savingsRoutes } from './search/savings.ts';

function insertionOrder(plan: Plan): number[] {
  const { model } = plan;
  const { vehicles, place, places } = model;
  const depot = place[model.stops] ?? 0;
  const cost = model.legs[0]?.cost;
  const key = (stop: number) => {
    let choices = 0;
    for (let vehicle = 0; vehicle < vehicles; vehicle++) choices += model.allowed[stop * vehicles + vehicle] ?? 0;
    const far = cost?.[depot * places + (place[stop] ?? 0)] ?? 0;
    return { stop, missed: model.missed[stop] ?? 0, choices, far };
  };
  const keys = Array.from({ length: plan.absentCount }, (_, i) => key(plan.absent[i] ?? 0));
  keys.sort((a, b) => b.missed - a.missed || a.choices - b.choices || b.far - a.far || a.stop - b.stop);
  return keys.map((entry) => entry.stop);
}

/** Puts every absent stop of the plan in where it is cheapest, if that adds less than what the stop is worth. */
export function insertAbsent(plan: Plan, near: Neighbours, random: Random, worth: Float64Array): void {
  const inserter = new Inserter(plan, near, random, near.width);
  for (const stop of insertionOrder(plan)) {
    if (isReload(plan.model, stop)) continue;
    if (inserter.find(stop, worth[stop] ?? 0)) plan.insert(stop, inserter.after);
    else if (plan.model.hasReloads) openTrip(plan, stop, worth[stop] ?? 0);
  }
  dropIdleReloads(plan);
  plan.forget();
}

/** Below this many stops, problems with windows end better when they begin by insertion alone: measured on 100 and 200 stops. */
const LEAST_WINDOWED = 300;

/** A plan of savings and insertion; `worth` per stop in ticks. */
export function construct(model: Model, near: Neighbours, random: Random, worth: Float64Array): Plan {
  const plan = new Plan(model);
  const saved = model.timed && model.stops < LEAST_WINDOWED ? [] : savingsRoutes(model, near);
  for (const [vehicle, stops] of saved.entries()) {
    if (vehicle < model.vehicles && canDrive(model, vehicle, stops)) plan.setRoutes([{ vehicle, stops }]);
  }
  insertAbsent(plan, near, random, worth);
  return plan;
}

/**
 * Puts stops on routes in the order a person gave, behind their fixed beginnings. A route that cannot be driven as it is keeps, one by one,
 * the stops that can be put at its end.
 */
export function followOrder(plan: Plan, routes: readonly { vehicle: number; stops: readonly number[] }[]): void {
  for (const { vehicle, stops } of routes) {
    const fresh = [...new Set(stops)].filter((stop) => plan.chain.route[stop] === ABSENT);
    const given = [...plan.stopsOf(vehicle), ...fresh];
    const whole = plan.model.hasReloads ? cheapestTrips(plan, vehicle, given) : given;
    // Tried as a whole first: its beginning alone may not lead home in time although the whole does.
    if (canDrive(plan.model, vehicle, whole)) plan.setRoutes([{ vehicle, stops: whole }]);
    else appendEach(plan, vehicle, fresh);
  }
  plan.forget();
}

function appendEach(plan: Plan, vehicle: number, stops: readonly number[]): void {
  const end = endOf(plan.model, vehicle);
  for (const stop of stops) {
    const last = plan.chain.prev[end] ?? end;
    if (isReload(plan.model, stop)) continue;
    if (plan.canInsert(stop, last)) plan.insert(stop, last);
    else if (plan.model.hasReloads) appendTrip(plan, vehicle, stop);
  }
}
