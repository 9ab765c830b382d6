/**
 * Turns a sequence of stops into steps with times, breaks and loads. Guarantees: the vehicle ends as early as it can and, among those,
 * leaves as late as it can, so that drivers do not wait without need; routes already begun keep the earliest departure.
 */

import { NO_WAY } from '../cost.ts';
import { endOf, isReload, type Model, startOf } from '../model.ts';
import type { Step } from '../solution.ts';
import { ABSENT, legsOf } from './chain.ts';
import { beginBreak, breaksTaken, endTime, type Stage, shiftStart, stagesOf } from './schedule.ts';

/** Latest departure that does not delay the end of the route. */
function departureOf(model: Model, vehicle: number, stops: Int32Array): number {
  const earliest = shiftStart(model, vehicle);
  const end = endTime(model, vehicle, stops, earliest);
  const hasBegun = stops.length > 0 && model.lockedTo[stops[0] ?? 0] !== ABSENT;
  if (hasBegun || end >= NO_WAY) return earliest;
  let low = earliest;
  let high = end;
  // The end never comes earlier by leaving later, so the latest departure can be found by halving.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (endTime(model, vehicle, stops, middle) <= end) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Number of breaks taken before each stage of the best way. */
function takenAlong(model: Model, vehicle: number, stages: readonly Stage[]): number[] {
  const taken = new Array<number>(stages.length).fill(0);
  taken[stages.length - 1] = Math.max(0, breaksTaken(model, vehicle, stages));
  for (let i = stages.length - 1; i > 0; i--) taken[i - 1] = stages[i]?.taken[taken[i] ?? 0] ?? 0;
  return taken;
}

class Tape {
  readonly steps: Step[] = [];
  private readonly model: Model;
  private readonly vehicle: number;
  private readonly stops: Int32Array;
  private load: number[];
  private seconds = 0;
  private metres = 0;

  constructor(model: Model, vehicle: number, stops: Int32Array) {
    this.model = model;
    this.vehicle = vehicle;
    this.stops = stops;
    this.load = this.loadOfTrip(0);
  }

  /** What is on board when the trip begins whose first stop is the one at `from`. */
  private loadOfTrip(from: number): number[] {
    const { model, stops } = this;
    const { dimensions, delivery } = model;
    const length = stops.subarray(from).findIndex((stop) => isReload(model, stop));
    const trip = stops.subarray(from, length < 0 ? undefined : from + length);
    return Array.from({ length: dimensions }, (_, d) =>
      trip.reduce((sum, stop) => sum + (delivery[stop * dimensions + d] ?? 0), 0),
    );
  }

  drive(from: number, to: number): void {
    const { place, places } = this.model;
    const cell = (place[from] ?? 0) * places + (place[to] ?? 0);
    const legs = legsOf(this.model, this.vehicle);
    this.seconds += legs.seconds[cell] ?? 0;
    this.metres += legs.metres[cell] ?? 0;
  }

  private push(step: Partial<Step> & Pick<Step, 'type' | 'arrival'>): void {
    this.steps.push({
      waiting_time: 0,
      setup: 0,
      service: 0,
      load: [...this.load],
      duration: this.seconds,
      distance: this.metres,
      ...step,
    });
  }

  end(type: 'start' | 'end', arrival: number): void {
    const vehicle = this.model.problem.vehicles[this.vehicle];
    const isStart = type === 'start';
    this.push({
      type,
      arrival: arrival + this.model.base,
      location_index: isStart ? vehicle?.start_index : vehicle?.end_index,
      location: isStart ? vehicle?.start : vehicle?.end,
    });
  }

  rest(index: number, begin: number, waiting: number): void {
    const rest = this.model.problem.vehicles[this.vehicle]?.breaks[index];
    this.push({
      type: 'break',
      id: rest?.id,
      description: rest?.description,
      arrival: begin - waiting + this.model.base,
      waiting_time: waiting,
      service: rest?.service ?? 0,
    });
  }

  job(stop: number, before: number, times: { arrival: number; begin: number }): void {
    const { model } = this;
    const { dimensions, delivery, pickup, place } = model;
    const job = model.problem.jobs[stop];
    for (let d = 0; d < dimensions; d++) {
      const change = (pickup[stop * dimensions + d] ?? 0) - (delivery[stop * dimensions + d] ?? 0);
      this.load[d] = (this.load[d] ?? 0) + change;
    }
    const isTripEnd = isReload(model, stop);
    if (isTripEnd) this.load = this.loadOfTrip(this.stops.indexOf(stop) + 1);
    const arrival = Math.min(times.arrival, times.begin);
    this.push({
      type: isTripEnd ? 'reload' : 'job',
      id: isTripEnd ? undefined : job?.id,
      location_index: job?.location_index,
      location: job?.location,
      description: job?.description,
      source: job?.source,
      arrival: arrival + model.base,
      waiting_time: times.begin - arrival,
      setup: place[before] === place[stop] ? 0 : (job?.setup ?? 0),
      service: job?.service ?? 0,
    });
  }
}

/** Steps of a route with stops. */
export function stepsOf(model: Model, vehicle: number, stops: Int32Array): Step[] {
  const departure = departureOf(model, vehicle, stops);
  const stages = stagesOf(model, vehicle, stops, departure);
  const taken = takenAlong(model, vehicle, stages);
  const tape = new Tape(model, vehicle, stops);
  tape.end('start', departure);
  let node = startOf(model, vehicle);
  for (let i = 1; i < stages.length; i++) {
    const stage = stages[i];
    const count = taken[i] ?? 0;
    const arrival = addBreaks(tape, model, {
      vehicle,
      from: stages[i - 1],
      to: stage,
      before: taken[i - 1] ?? 0,
      count,
    });
    const to = stops[i - 1] ?? endOf(model, vehicle);
    tape.drive(node, to);
    if (i === stages.length - 1) tape.end('end', stage?.begin[count] ?? 0);
    else tape.job(to, node, { arrival, begin: stage?.begin[count] ?? 0 });
    node = to;
  }
  return tape.steps;
}

interface LegOfStages {
  vehicle: number;
  from: Stage | undefined;
  to: Stage | undefined;
  before: number;
  count: number;
}

/** Writes the breaks of one leg; returns the arrival at its end. A break that begins after all driving of the leg is done is waited for. */
function addBreaks(tape: Tape, model: Model, leg: LegOfStages): number {
  const { vehicle, from, to, before, count } = leg;
  const seconds = legSeconds(model, vehicle, from?.node ?? 0, to?.node ?? 0);
  let free = from?.free[before] ?? 0;
  let arrives = free + seconds;
  for (let index = before; index < count; index++) {
    const begin = beginBreak(model, { vehicle, index }, free);
    const service = model.problem.vehicles[vehicle]?.breaks[index]?.service ?? 0;
    tape.rest(index, begin, Math.max(0, begin - Math.max(arrives, free)));
    free = begin + service;
    arrives = Math.max(arrives, begin) + service;
  }
  return arrives;
}

function legSeconds(model: Model, vehicle: number, from: number, to: number): number {
  return legsOf(model, vehicle).seconds[(model.place[from] ?? 0) * model.places + (model.place[to] ?? 0)] ?? 0;
}
