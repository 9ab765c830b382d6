/**
 * Tells why a stop was left out, in the order a dispatcher would ask: may anyone serve it, is there a way, would it fit on an empty vehicle,
 * would it fit on some vehicle of this plan. Guarantees one reason per stop, and that 'not_worth_it' is only said when a place exists.
 */

import { NO_WAY } from './cost.ts';
import { endOf, type Model, startOf } from './model.ts';
import { legsOf } from './plan/chain.ts';
import { Inserter } from './plan/insertion.ts';
import { canCarry } from './plan/loads.ts';
import type { Plan } from './plan/plan.ts';
import { endTime, shiftStart } from './plan/schedule.ts';
import type { Random } from './random.ts';
import type { Neighbours } from './search/neighbours.ts';
import type { UnassignedReason } from './solution.ts';

function leg(model: Model, vehicle: number, from: number, to: number): number {
  return legsOf(model, vehicle).seconds[(model.place[from] ?? 0) * model.places + (model.place[to] ?? 0)] ?? NO_WAY;
}

function hasWay(model: Model, vehicle: number, stop: number): boolean {
  const there = leg(model, vehicle, startOf(model, vehicle), stop);
  return there < NO_WAY && leg(model, vehicle, stop, endOf(model, vehicle)) < NO_WAY;
}

/** Whether the stop, alone on an idle vehicle, misses its own windows: it would be in time without them. */
function missesOwnWindow(model: Model, vehicle: number, stop: number): boolean {
  if (model.problem.jobs[stop]?.time_windows.length === 0) return false;
  const start = shiftStart(model, vehicle);
  const arrival = start + leg(model, vehicle, startOf(model, vehicle), stop);
  const last = model.windowEnd[(model.windowFrom[stop + 1] ?? 0) - 1] ?? 0;
  const shiftEnd = model.windowEnd[model.windowFrom[endOf(model, vehicle)] ?? 0] ?? 0;
  const back = (model.service[stop] ?? 0) + leg(model, vehicle, stop, endOf(model, vehicle));
  const first = model.windowStart[model.windowFrom[stop] ?? 0] ?? 0;
  return arrival > last || (arrival + back <= shiftEnd && first + back > shiftEnd);
}

/** Whether the stop's windows rule out any time at which the vehicle, within its shift, could serve it. */
function isBoundByWindow(model: Model, vehicle: number, stop: number): boolean {
  if (model.problem.jobs[stop]?.time_windows.length === 0) return false;
  const earliest = shiftStart(model, vehicle) + leg(model, vehicle, startOf(model, vehicle), stop);
  const shiftEnd = model.windowEnd[model.windowFrom[endOf(model, vehicle)] ?? 0] ?? 0;
  const latest = shiftEnd - leg(model, vehicle, stop, endOf(model, vehicle)) - (model.service[stop] ?? 0);
  for (let at = model.windowFrom[stop] ?? 0; at < (model.windowFrom[stop + 1] ?? 0); at++) {
    if ((model.windowStart[at] ?? 0) <= earliest && latest <= (model.windowEnd[at] ?? 0)) return false;
  }
  return true;
}

/** Load after adding the stop to a route in the most favourable place. */
function hasRoomSomewhere(plan: Plan, vehicle: number, stop: number): boolean {
  const { model } = plan;
  const stops = [...plan.stopsOf(vehicle)];
  for (let at = 0; at <= stops.length; at++) {
    if (canCarry(model, vehicle, [...stops.slice(0, at), stop, ...stops.slice(at)])) return true;
  }
  return false;
}

/** Whether some place of a route has a way to the stop and on from there: another island may be served from elsewhere only. */
function isOnTheWay(plan: Plan, vehicle: number, stop: number): boolean {
  const { model } = plan;
  const route = [startOf(model, vehicle), ...plan.stopsOf(vehicle), endOf(model, vehicle)];
  return route.slice(1).some((next, at) => {
    const before = route[at] ?? next;
    return leg(model, vehicle, before, stop) < NO_WAY && leg(model, vehicle, stop, next) < NO_WAY;
  });
}

export class Reasons {
  private readonly plan: Plan;
  private readonly inserter: Inserter;

  constructor(plan: Plan, near: Neighbours, random: Random) {
    this.plan = plan;
    this.inserter = new Inserter(plan, near, random, near.width);
  }

  /** Why an absent stop of the plan is absent. */
  of(stop: number): UnassignedReason {
    const { plan } = this;
    const { model } = plan;
    const all = Array.from({ length: model.vehicles }, (_, vehicle) => vehicle);
    const willing = all.filter((vehicle) => model.allowed[stop * model.vehicles + vehicle] === 1);
    if (willing.length === 0) return 'skill';
    const able = willing.filter((vehicle) => hasWay(model, vehicle, stop));
    if (able.length === 0) return 'unreachable';
    const strong = able.filter((vehicle) => canCarry(model, vehicle, [stop]));
    if (strong.length === 0) return 'capacity';
    const alone = strong.filter((vehicle) => this.isFeasibleAlone(vehicle, stop));
    if (alone.length === 0) return strong.some((vehicle) => missesOwnWindow(model, vehicle, stop)) ? 'window' : 'shift';
    if (this.inserter.findAnywhere(stop)) return 'not_worth_it';
    if (!alone.some((vehicle) => isOnTheWay(plan, vehicle, stop))) return 'unreachable';
    if (!alone.some((vehicle) => hasRoomSomewhere(plan, vehicle, stop))) return 'capacity';
    return alone.every((vehicle) => isBoundByWindow(model, vehicle, stop)) ? 'window' : 'shift';
  }

  private isFeasibleAlone(vehicle: number, stop: number): boolean {
    const { model } = this.plan;
    if ((model.maxTasks[vehicle] ?? 0) < 1) return false;
    const there = startOf(model, vehicle);
    const back = endOf(model, vehicle);
    const driving = leg(model, vehicle, there, stop) + leg(model, vehicle, stop, back);
    if (driving > (model.maxSeconds[vehicle] ?? 0)) return false;
    const { metres } = legsOf(model, vehicle);
    const { place, places } = model;
    const at = place[stop] ?? 0;
    const distance = (metres[(place[there] ?? 0) * places + at] ?? 0) + (metres[at * places + (place[back] ?? 0)] ?? 0);
    if (distance > (model.maxMetres[vehicle] ?? 0)) return false;
    return endTime(model, vehicle, [stop], shiftStart(model, vehicle)) < NO_WAY;
  }
}
