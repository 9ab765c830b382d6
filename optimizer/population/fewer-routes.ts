/**
 * A plan with a route less than the best so far. Searches that count legs alone seldom give a route up, since every step on the way there is
 * dearer; begun with a vehicle less they may find that the stops fit, and that the plan is cheaper.
 */

import type { Model } from '../model.ts';
import { Plan } from '../plan/plan.ts';
import type { RouteChange, Snapshot } from '../plan/snapshot.ts';

/** Whether what all stops need fits into so many of the vehicles, which are alike. */
function fits({ dimensions, delivery, pickup, capacity }: Model, vehicles: number): boolean {
  for (let d = 0; d < dimensions; d++) {
    let [out, back] = [0, 0];
    for (let at = d; at < delivery.length; at += dimensions) {
      out += delivery[at] ?? 0;
      back += pickup[at] ?? 0;
    }
    if (Math.max(out, back) > vehicles * (capacity[d] ?? 0)) return false;
  }
  return true;
}

/**
 * The routes of `best` but for the shortest, whose stops are absent, in a plan that has no other vehicle than theirs. Undefined where their
 * loads rule out that they suffice. Vehicles must be alike.
 */
export function withRouteLess({ model, part }: Plan, best: Snapshot): Plan | undefined {
  const routes: RouteChange[] = [];
  for (let vehicle = 0; vehicle < model.vehicles; vehicle++) {
    const stops = best.order.slice(best.from[vehicle], best.from[vehicle + 1]);
    if (stops.length > 0) routes.push({ vehicle, stops });
  }
  routes.sort((a, b) => b.stops.length - a.stops.length).pop();
  if (routes.length === 0 || !fits(model, routes.length)) return undefined;
  const hasVehicle = new Uint8Array(model.vehicles);
  for (const { vehicle } of routes) hasVehicle[vehicle] = 1;
  const plan = new Plan(model, { ...part, hasVehicle });
  plan.setRoutes(routes);
  plan.forget();
  return plan;
}
