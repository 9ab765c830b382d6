/**
 * Times of all routes, kept up to date as far as they change. Guarantees: `isInTime` is exact, so an insertion it allows keeps every
 * window and shift. Method: earliest begin of service forwards, latest arrival backwards (Savelsbergh 1992); several windows per stop
 * are fine, because being earlier never hurts. Routes with breaks, and insertions that change a neighbour's setup, are walked whole.
 */
import { type Chain, legsOf, readRoute } from './chain.ts';
import { NO_WAY } from './cost.ts';
import { endOf, type Model, startOf } from './model.ts';
import { beginService, endTime, latestArrival, shiftStart } from './schedule.ts';

export class Times {
  private readonly model: Model;
  private readonly chain: Chain;
  /** Per node. Not kept for vehicles with breaks. */
  private readonly begin: Int32Array;
  private readonly latest: Int32Array;
  private readonly hasBreaks: Uint8Array;
  private readonly scratch: Int32Array;

  constructor(model: Model, chain: Chain) {
    this.model = model;
    this.chain = chain;
    this.begin = new Int32Array(model.nodes);
    this.latest = new Int32Array(model.nodes);
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
    this.forward(end);
    this.backward(start);
  }

  /** Whether the route keeps all windows, breaks and the shift with `stop` behind `after`. */
  isInTime(stop: number, after: number, vehicle: number): boolean {
    const { model, chain } = this;
    const { place, places } = model;
    const before = chain.next[after] ?? 0;
    if (this.hasBreaks[vehicle] === 1) return this.isInTimeWalked(stop, after, vehicle);
    if (model.setupVaries && this.changesSetup(stop, after, before)) return this.isInTimeWalked(stop, after, vehicle);
    const { seconds } = legsOf(model, vehicle);
    const at = place[stop] ?? 0;
    const leaves = (this.begin[after] ?? 0) + this.work(after);
    const begin = this.beginAt(stop, leaves + (seconds[(place[after] ?? 0) * places + at] ?? 0));
    if (begin >= NO_WAY) return false;
    const setup = model.setupVaries && place[after] !== at ? (model.setup[stop] ?? 0) : 0;
    const arrives = begin + (model.service[stop] ?? 0) + setup + (seconds[at * places + (place[before] ?? 0)] ?? 0);
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
    this.forward(stop);
    this.backward(this.firstStale(this.chain.next[stop] ?? 0, stop));
  }

  /** Brings the times of a route up to date after the stop between `after` and `before` was taken off. */
  afterRemove(after: number, before: number, vehicle: number): void {
    if (this.hasBreaks[vehicle] === 1) return;
    this.forward(before);
    this.backward(this.firstStale(before, after));
  }

  /** Where latest arrivals have to be renewed from: the stop behind the change as well when its setup may have changed. */
  private firstStale(behind: number, changed: number): number {
    return this.model.setupVaries && behind < this.model.stops ? behind : changed;
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
    const { windowFrom, windowStart, windowEnd } = this.model;
    const first = windowFrom[node] ?? 0;
    if ((windowFrom[node + 1] ?? 0) - first !== 1) return beginService(this.model, node, arrival);
    if (arrival > (windowEnd[first] ?? 0)) return NO_WAY;
    const start = windowStart[first] ?? 0;
    return arrival > start ? arrival : start;
  }

  private latestAt(node: number, begin: number): number {
    const { windowFrom, windowStart, windowEnd } = this.model;
    const first = windowFrom[node] ?? 0;
    if ((windowFrom[node + 1] ?? 0) - first !== 1) return latestArrival(this.model, node, begin);
    if (begin < (windowStart[first] ?? 0)) return -1;
    const end = windowEnd[first] ?? 0;
    return begin < end ? begin : end;
  }

  /** Earliest begins from `node` on until they stop changing; three nodes at least, since a changed setup shows one node later. */
  private forward(node: number): void {
    const { model, chain } = this;
    const { place, places, servedAt } = model;
    const { seconds } = legsOf(model, chain.route[node] ?? 0);
    for (let at = node, steps = 0; ; steps++) {
      const before = chain.prev[at] ?? 0;
      const leaves = (this.begin[before] ?? 0) + this.work(before);
      const arrival = leaves + (seconds[(place[before] ?? 0) * places + (place[at] ?? 0)] ?? 0);
      const known = servedAt[at] ?? -1;
      const begin = known >= 0 ? known : this.beginAt(at, arrival);
      if (steps > 1 && begin === this.begin[at]) return;
      this.begin[at] = begin;
      const following = chain.next[at] ?? at;
      if (following === at) return;
      at = following;
    }
  }

  /** Latest arrivals from `node` back until they stop changing. */
  private backward(node: number): void {
    const { model, chain } = this;
    const { place, places, servedAt } = model;
    const { seconds } = legsOf(model, chain.route[node] ?? 0);
    for (let at = node, steps = 0; ; steps++) {
      const behind = chain.next[at] ?? 0;
      const onward = this.work(at) + (seconds[(place[at] ?? 0) * places + (place[behind] ?? 0)] ?? 0);
      // What has been served already was in time whenever the stops before it began.
      const isServed = (servedAt[behind] ?? -1) >= 0;
      const latest = this.latestAt(at, isServed ? NO_WAY - 1 : (this.latest[behind] ?? 0) - onward);
      if (steps > 1 && latest === this.latest[at]) return;
      this.latest[at] = latest;
      const before = chain.prev[at] ?? at;
      if (before === at) return;
      at = before;
    }
  }
}
