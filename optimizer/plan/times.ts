/**
 * Times of all routes, kept up to date as far as they change. Guarantees: `isInTime` is exact, so an insertion it allows keeps every
 * window and shift. Method: earliest begin of service forwards, latest arrival backwards (Savelsbergh 1992); several windows per stop
 * are fine, because being earlier never hurts. Routes with breaks, and insertions that change a neighbour's setup, are walked whole.
 */

import { NO_WAY } from '../cost.ts';
import { endOf, type Model, startOf } from '../model.ts';
import { type Chain, legsOf, readRoute } from './chain.ts';
import { beginService, endTime, latestArrival, shiftStart } from './schedule.ts';

export class Times {
  private readonly model: Model;
  private readonly chain: Chain;
  /** Per node. Not kept for vehicles with breaks. */
  readonly begin: Int32Array;
  readonly latest: Int32Array;
  /** Per node: seconds between the begin at the node before and the arrival here. */
  private readonly step: Int32Array;
  /** Per node: its only window. */
  private readonly opens: Int32Array;
  private readonly closes: Int32Array;
  readonly isPlain: boolean;
  readonly hasBreaks: Uint8Array;
  private readonly scratch: Int32Array;

  constructor(model: Model, chain: Chain) {
    this.model = model;
    this.chain = chain;
    this.begin = new Int32Array(model.nodes);
    this.latest = new Int32Array(model.nodes);
    this.step = new Int32Array(model.nodes);
    this.opens = Int32Array.from(
      { length: model.nodes },
      (_, node) => model.windowStart[model.windowFrom[node] ?? 0] ?? 0,
    );
    this.closes = Int32Array.from(
      { length: model.nodes },
      (_, node) => model.windowEnd[model.windowFrom[node] ?? 0] ?? 0,
    );
    this.isPlain = !model.severalWindows;
    this.hasBreaks = Uint8Array.from(model.problem.vehicles, (vehicle) => (vehicle.breaks.length > 0 ? 1 : 0));
    this.scratch = new Int32Array(model.stops + 1);
  }

  /** Sets the ends of an empty route. */
  clearRoute(vehicle: number): void {
    const { model } = this;
    const start = startOf(model, vehicle);
    const end = endOf(model, vehicle);
    this.begin[start] = shiftStart(model, vehicle);
    this.latest[end] = model.windowEnd[model.windowFrom[end] ?? 0] ?? 0;
    this.measure(end, vehicle);
    this.forward(end);
    this.backward(start);
  }

  /** Whether the route keeps all windows, breaks and the shift with `stop` behind `after`. */
  isInTime(stop: number, after: number, vehicle: number): boolean {
    const { model } = this;
    const { place, places, setupVaries } = model;
    const before = this.chain.next[after] ?? 0;
    if (this.hasBreaks[vehicle] === 1) return this.isInTimeWalked(stop, after, vehicle);
    if (setupVaries && this.changesSetup(stop, after, before)) return this.isInTimeWalked(stop, after, vehicle);
    const { seconds, secondsInto } = legsOf(model, vehicle);
    const row = (place[stop] ?? 0) * places;
    const leaves = (this.begin[after] ?? 0) + this.work(after);
    const begin = this.beginAt(stop, leaves + (secondsInto[row + (place[after] ?? 0)] ?? 0));
    if (begin >= NO_WAY) return false;
    const setup = setupVaries && place[after] !== place[stop] ? (model.setup[stop] ?? 0) : 0;
    const arrives = begin + (model.service[stop] ?? 0) + setup + (seconds[row + (place[before] ?? 0)] ?? 0);
    return arrives <= (this.latest[before] ?? 0);
  }

  /** The stop behind gains or loses its setup when the place before it changes: then its latest arrival is no longer right. */
  private changesSetup(stop: number, after: number, before: number): boolean {
    const { place, setup } = this.model;
    if ((setup[before] ?? 0) === 0) return false;
    return (place[after] === place[before]) !== (place[stop] === place[before]);
  }

  private isInTimeWalked(stop: number, after: number, vehicle: number): boolean {
    const { model, scratch, chain } = this;
    const end = endOf(model, vehicle);
    let length = 0;
    for (let node = startOf(model, vehicle); node !== end; node = chain.next[node] ?? end) {
      if (node < model.stops) scratch[length++] = node;
      if (node === after) scratch[length++] = stop;
    }
    return endTime(model, vehicle, scratch.subarray(0, length), shiftStart(model, vehicle)) < NO_WAY;
  }

  /** Whether a route is in time as it stands: without the triangle inequality, a removal can make it later. */
  isRouteInTime(vehicle: number): boolean {
    const { model } = this;
    if (this.chain.tasks[vehicle] === 0) return true;
    if (this.hasBreaks[vehicle] === 0) return (this.begin[endOf(model, vehicle)] ?? 0) < NO_WAY;
    const length = readRoute(model, this.chain, vehicle, this.scratch);
    return endTime(model, vehicle, this.scratch.subarray(0, length), shiftStart(model, vehicle)) < NO_WAY;
  }

  /** Brings the times of a route up to date after `stop` was put in. */
  afterInsert(stop: number, vehicle: number): void {
    if (this.hasBreaks[vehicle] === 1) return;
    const behind = this.chain.next[stop] ?? 0;
    this.measure(stop, vehicle);
    this.measure(behind, vehicle);
    let stale = stop;
    // The setup behind may have changed as well, and with it the way onward from there.
    if (this.model.setupVaries && behind < this.model.stops) {
      this.measure(this.chain.next[behind] ?? 0, vehicle);
      stale = behind;
    }
    this.forward(stop);
    this.backward(stale);
  }

  /** Brings all times of a route up to date. */
  refresh(vehicle: number): void {
    if (this.hasBreaks[vehicle] === 1) return;
    const { model, chain, step } = this;
    const { seconds } = legsOf(model, vehicle);
    const { place, places, service, setupVaries } = model;
    const end = endOf(model, vehicle);
    let from = startOf(model, vehicle);
    let at = chain.next[from] ?? end;
    for (;;) {
      const work = setupVaries ? this.work(from) : (service[from] ?? 0);
      step[at] = work + (seconds[(place[from] ?? 0) * places + (place[at] ?? 0)] ?? 0);
      if (at === end) break;
      from = at;
      at = chain.next[at] ?? end;
    }
    this.forwardAll(vehicle);
    this.backwardAll(vehicle);
  }

  /** The way from the node before. */
  private measure(node: number, vehicle: number): void {
    const { place, places } = this.model;
    const before = this.chain.prev[node] ?? 0;
    const { seconds } = legsOf(this.model, vehicle);
    this.step[node] = this.work(before) + (seconds[(place[before] ?? 0) * places + (place[node] ?? 0)] ?? 0);
  }

  /** Seconds of work at a node where it stands now. */
  private work(node: number): number {
    const { service, setup, place, setupVaries } = this.model;
    const own = service[node] ?? 0;
    if (!setupVaries || place[this.chain.prev[node] ?? 0] === place[node]) return own;
    return own + (setup[node] ?? 0);
  }

  /** As `beginService`, quick for the usual single window. */
  private beginAt(node: number, arrival: number): number {
    if (!this.isPlain) return beginService(this.model, node, arrival);
    if (arrival > (this.closes[node] ?? 0)) return NO_WAY;
    const start = this.opens[node] ?? 0;
    return arrival > start ? arrival : start;
  }

  private latestAt(node: number, begin: number): number {
    if (!this.isPlain) return latestArrival(this.model, node, begin);
    if (begin < (this.opens[node] ?? 0)) return -1;
    const end = this.closes[node] ?? 0;
    return begin < end ? begin : end;
  }

  private earliest(at: number, arrival: number): number {
    const known = this.isPlain ? -1 : (this.model.servedAt[at] ?? -1);
    return known >= 0 ? known : this.beginAt(at, arrival);
  }

  private latestBefore(at: number, behind: number): number {
    // What has been served already was in time whenever the stops before it began.
    const isServed = !this.isPlain && (this.model.servedAt[behind] ?? -1) >= 0;
    return this.latestAt(at, isServed ? NO_WAY - 1 : (this.latest[behind] ?? 0) - (this.step[behind] ?? 0));
  }

  /** Earliest begins from `node` on until they stop changing; three nodes at least, since a changed setup shows one node later. */
  private forward(node: number): void {
    const { begin, step } = this;
    const { next, prev } = this.chain;
    let time = begin[prev[node] ?? 0] ?? 0;
    for (let at = node, steps = 0; ; steps++) {
      time = this.earliest(at, time + (step[at] ?? 0));
      if (steps > 1 && time === begin[at]) return;
      begin[at] = time;
      const following = next[at] ?? at;
      if (following === at) return;
      at = following;
    }
  }

  /** Latest arrivals from `node` back until they stop changing. */
  private backward(node: number): void {
    const { latest } = this;
    const { next, prev } = this.chain;
    let behind = next[node] ?? 0;
    for (let at = node, steps = 0; ; steps++) {
      const time = this.latestBefore(at, behind);
      if (steps > 1 && time === latest[at]) return;
      latest[at] = time;
      const before = prev[at] ?? at;
      if (before === at) return;
      behind = at;
      at = before;
    }
  }

  private forwardAll(vehicle: number): void {
    const { begin, step } = this;
    const { next } = this.chain;
    const start = startOf(this.model, vehicle);
    let time = begin[start] ?? 0;
    let at = next[start] ?? start;
    for (;;) {
      time = this.earliest(at, time + (step[at] ?? 0));
      begin[at] = time;
      const following = next[at] ?? at;
      if (following === at) return;
      at = following;
    }
  }

  private backwardAll(vehicle: number): void {
    const { latest } = this;
    const { prev } = this.chain;
    const end = endOf(this.model, vehicle);
    let behind = end;
    let at = prev[end] ?? end;
    for (;;) {
      latest[at] = this.latestBefore(at, behind);
      const before = prev[at] ?? at;
      if (before === at) return;
      behind = at;
      at = before;
    }
  }
}
