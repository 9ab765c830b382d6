/**
 * Exact times of one route. Guarantees: `endTime` finds the earliest end of a sequence of stops, or NO_WAY when some window, break or
 * the shift cannot be kept. Waiting is allowed everywhere. Breaks are taken in the order of their windows, anywhere on the way or
 * while waiting; `Stage` keeps for every number of breaks already taken the earliest time, so that taking one early or late is weighed.
 * A break need not be taken when the route ends before its last window closes.
 */
import { NO_WAY } from '../cost.ts';
import { endOf, type Model, startOf } from '../model.ts';

/** Earliest begin of service at a node when arriving at `time`; NO_WAY when every window has closed. */
export function beginService(model: Model, node: number, time: number): number {
  const last = model.windowFrom[node + 1] ?? 0;
  for (let w = model.windowFrom[node] ?? 0; w < last; w++) {
    if (time > (model.windowEnd[w] ?? 0)) continue;
    const start = model.windowStart[w] ?? 0;
    return time > start ? time : start;
  }
  return NO_WAY;
}

/** Latest arrival at a node that still lets its service begin at `time` or before; -1 when no window opens so early. */
export function latestArrival(model: Model, node: number, time: number): number {
  const first = model.windowFrom[node] ?? 0;
  for (let w = (model.windowFrom[node + 1] ?? 0) - 1; w >= first; w--) {
    if (time < (model.windowStart[w] ?? 0)) continue;
    const end = model.windowEnd[w] ?? 0;
    return time < end ? time : end;
  }
  return -1;
}

/** Seconds of setup and service at `node` when coming from `before`. */
function workSeconds(model: Model, before: number, node: number): number {
  const service = model.service[node] ?? 0;
  if (!model.setupVaries || model.place[before] === model.place[node]) return service;
  return service + (model.setup[node] ?? 0);
}

/** One point of a route for each number of breaks taken: when the vehicle is free to go on. */
export interface Stage {
  readonly node: number;
  /** Arrival, begin of service, end of service; NO_WAY when impossible. */
  readonly arrival: Float64Array;
  readonly begin: Float64Array;
  readonly free: Float64Array;
  /** Breaks taken before this leg on the best way here. */
  readonly taken: Int32Array;
}

/** Begin of break `index` (in the order of windows) when the driver is free at `time`; NO_WAY when its windows have closed. */
export function beginBreak(model: Model, at: { vehicle: number; index: number }, time: number): number {
  const { base } = model;
  const windows = model.problem.vehicles[at.vehicle]?.breaks[at.index]?.time_windows ?? [];
  for (const [from, to] of windows) {
    if (time > to - base) continue;
    return Math.max(time, from - base, 0);
  }
  return NO_WAY;
}

function leg(model: Model, vehicle: number, from: number, to: number): number {
  const row = (model.place[from] ?? 0) * model.places;
  return model.legs[vehicle]?.seconds[row + (model.place[to] ?? 0)] ?? NO_WAY;
}

function arriveWithBreaks(model: Model, vehicle: number, from: Stage, to: number): Stage {
  const breaks = model.problem.vehicles[vehicle]?.breaks ?? [];
  const arrival = new Float64Array(breaks.length + 1).fill(NO_WAY);
  const taken = new Int32Array(breaks.length + 1);
  const seconds = leg(model, vehicle, from.node, to);
  for (let before = 0; before <= breaks.length; before++) {
    let free = from.free[before] ?? NO_WAY;
    let arrives = free + seconds;
    for (let after = before; after <= breaks.length && free < NO_WAY && arrives < NO_WAY; after++) {
      if (arrives < (arrival[after] ?? 0)) {
        arrival[after] = arrives;
        taken[after] = before;
      }
      const rest = breaks[after];
      if (rest === undefined) break;
      // The driver goes on until the break's window opens: only what of the leg is then left comes after the break.
      const begin = beginBreak(model, { vehicle, index: after }, free);
      free = begin + rest.service;
      arrives = Math.max(arrives, begin) + rest.service;
    }
  }
  const begin = arrival.map((time) => serviceAt(model, to, time));
  const work = workSeconds(model, from.node, to);
  return { node: to, arrival, begin, free: begin.map((time) => Math.min(NO_WAY, time + work)), taken };
}

function serviceAt(model: Model, node: number, arrival: number): number {
  const known = model.servedAt[node] ?? -1;
  if (known >= 0) return known;
  return arrival >= NO_WAY ? NO_WAY : beginService(model, node, arrival);
}

/** All stages of a route from its start to its end, leaving at `departure`. */
export function stagesOf(model: Model, vehicle: number, stops: ArrayLike<number>, departure: number): Stage[] {
  const count = (model.problem.vehicles[vehicle]?.breaks.length ?? 0) + 1;
  const free = new Float64Array(count).fill(NO_WAY);
  free[0] = departure;
  let stage: Stage = { node: startOf(model, vehicle), arrival: free, begin: free, free, taken: new Int32Array(count) };
  const stages = [stage];
  for (let i = 0; i <= stops.length; i++) {
    stage = arriveWithBreaks(model, vehicle, stage, stops[i] ?? endOf(model, vehicle));
    stages.push(stage);
  }
  return stages;
}

/** Breaks taken by the end of the best way through `stages`, or -1 when there is none. */
export function breaksTaken(model: Model, vehicle: number, stages: readonly Stage[]): number {
  const last = stages[stages.length - 1];
  const breaks = model.problem.vehicles[vehicle]?.breaks ?? [];
  let best = -1;
  for (let taken = 0; taken <= breaks.length; taken++) {
    const end = last?.begin[taken] ?? NO_WAY;
    if (end >= NO_WAY || (best >= 0 && end >= (last?.begin[best] ?? NO_WAY))) continue;
    const skipped = breaks.slice(taken);
    if (skipped.every((rest) => (rest.time_windows.at(-1)?.[1] ?? 0) - model.base >= end)) best = taken;
  }
  return best;
}

/** Earliest end of a route without breaks. */
function plainEndTime(model: Model, vehicle: number, stops: ArrayLike<number>, departure: number): number {
  let from = startOf(model, vehicle);
  let time = departure;
  for (let i = 0; i <= stops.length; i++) {
    const to = stops[i] ?? endOf(model, vehicle);
    const begin = serviceAt(model, to, time + leg(model, vehicle, from, to));
    if (begin >= NO_WAY) return NO_WAY;
    time = begin + workSeconds(model, from, to);
    from = to;
  }
  return time;
}

/** Earliest end of a route that leaves at `departure`; NO_WAY when it cannot keep all windows, breaks and the shift. */
export function endTime(model: Model, vehicle: number, stops: ArrayLike<number>, departure: number): number {
  if ((model.problem.vehicles[vehicle]?.breaks.length ?? 0) === 0)
    return plainEndTime(model, vehicle, stops, departure);
  const stages = stagesOf(model, vehicle, stops, departure);
  const taken = breaksTaken(model, vehicle, stages);
  return taken < 0 ? NO_WAY : (stages.at(-1)?.begin[taken] ?? NO_WAY);
}

/** Start of the shift: when the vehicle may leave at the earliest. */
export function shiftStart(model: Model, vehicle: number): number {
  return model.windowStart[model.windowFrom[startOf(model, vehicle)] ?? 0] ?? 0;
}
