/**
 * A plan being worked on, changed by two primitives, `insert` and `remove`, which are recorded so that a round can be taken back.
 * Guarantees: `cost` equals the recomputed cost at any time; `canInsert` is exact: an insertion it allows keeps every promise of the
 * route. A record of changes instead of copies, since copying is what slows ruin and recreate down at 1,000 stops.
 */

import { endOf, isReload, type Model, startOf } from '../model.ts';
import { ABSENT, type Chain, clearRoute, emptyChain, legsOf, link, readRoute, unlink } from './chain.ts';
import { CHANGE, Journal } from './journal.ts';
import { Limits } from './limits.ts';
import { Loads } from './loads.ts';
import { fixedBeginnings, type Part, wholeOf } from './part.ts';
import type { RouteChange, Snapshot } from './snapshot.ts';
import { Times } from './times.ts';

export class Plan {
  readonly model: Model;
  readonly part: Part;
  readonly chain: Chain;
  /** Per node but the starts: ticks of the leg that leads to it. */
  readonly legInto: Int32Array;
  /** Per node but the ends: ticks of the leg that leads away from it. */
  readonly legFrom: Int32Array;
  /** Stops on no route, in no order; the first `absentCount` entries. */
  readonly absent: Int32Array;
  absentCount = 0;
  /** Routes plus stops left out, in ticks. */
  cost = 0;
  /** Vehicles with at least one stop, in no order; the first `usedCount` entries. */
  readonly used: Int32Array;
  usedCount = 0;
  readonly loads: Loads;
  readonly times: Times;
  private readonly limits: Limits;
  /** Per vehicle: visits to reload on its route. */
  private readonly reloads: Int32Array;
  /** Times or loads follow the order of stops. */
  private readonly isFollowed: boolean;
  /** Routes whose times and loads are out of date: brought up to date together, at the next question. */
  private readonly stale: Int32Array;
  private readonly isStale: Uint8Array;
  private staleCount = 0;
  private readonly absentAt: Int32Array;
  private readonly usedAt: Int32Array;
  private readonly emptyOfType: Int32Array;
  private readonly journal = new Journal();
  /** Cost at the last `forget`. */
  private costBefore = 0;
  /** Routes changed since the last `forget`. */
  private readonly touched: Int32Array;
  private readonly isTouched: Uint8Array;
  private touchedCount = 0;

  constructor(model: Model, part: Part = wholeOf(model)) {
    this.model = model;
    this.part = part;
    this.chain = emptyChain(model);
    this.legInto = new Int32Array(model.nodes);
    this.legFrom = new Int32Array(model.nodes);
    this.loads = new Loads(model, this.chain);
    this.times = new Times(model, this.chain);
    this.limits = new Limits(model, this.chain);
    this.reloads = new Int32Array(model.vehicles);
    this.isFollowed = model.timed || model.mixedLoad;
    this.stale = new Int32Array(model.vehicles);
    this.isStale = new Uint8Array(model.vehicles);
    this.absent = new Int32Array(model.stops);
    this.absentAt = new Int32Array(model.stops);
    this.used = new Int32Array(model.vehicles);
    this.usedAt = new Int32Array(model.vehicles);
    this.emptyOfType = new Int32Array(model.types);
    this.touched = new Int32Array(model.vehicles);
    this.isTouched = new Uint8Array(model.vehicles);
    this.clear();
  }

  /** Empties every route but for its fixed beginning. Cannot be taken back. */
  clear(): void {
    this.clearAll();
    this.setRoutes(fixedBeginnings(this.model, this.part));
    this.forget();
  }

  private clearAll(): void {
    const { model, chain, part } = this;
    chain.route.fill(ABSENT);
    this.absentCount = 0;
    this.cost = 0;
    this.isStale.fill(0);
    this.staleCount = 0;
    this.limits.clear();
    this.reloads.fill(0);
    this.loads.clear();
    this.emptyOfType.fill(-1);
    for (const stop of part.stops) this.addAbsent(stop);
    // Each is noted empty, as if it had been the last one used.
    for (let vehicle = model.vehicles - 1; vehicle >= 0; vehicle--) {
      this.usedAt[vehicle] = 0;
      this.usedCount = 1;
      clearRoute(model, chain, vehicle);
      this.times.clearRoute(vehicle);
      this.noteEmpty(vehicle);
    }
    this.usedCount = 0;
  }

  /** First empty vehicle of a type, or -1. Vehicles of one type are interchangeable, so no other needs a try. */
  emptyVehicle(type: number): number {
    return this.emptyOfType[type] ?? -1;
  }

  private noteEmpty(vehicle: number): void {
    const last = this.used[--this.usedCount] ?? 0;
    this.used[this.usedAt[vehicle] ?? 0] = last;
    this.usedAt[last] = this.usedAt[vehicle] ?? 0;
    if (this.part.hasVehicle[vehicle] === 0) return;
    const type = this.model.type[vehicle] ?? 0;
    const known = this.emptyOfType[type] ?? -1;
    if (known < 0 || vehicle < known) this.emptyOfType[type] = vehicle;
  }

  private noteUsed(vehicle: number): void {
    this.usedAt[vehicle] = this.usedCount;
    this.used[this.usedCount++] = vehicle;
    const { type, vehicles } = this.model;
    const own = type[vehicle] ?? 0;
    if (this.emptyOfType[own] !== vehicle) return;
    let following = vehicle + 1;
    while (following < vehicles && (type[following] !== own || !this.isEmpty(following))) following++;
    this.emptyOfType[own] = following < vehicles ? following : -1;
  }

  /** Whether a vehicle of the part has no stops. */
  isEmpty(vehicle: number): boolean {
    return this.chain.tasks[vehicle] === 0 && this.part.hasVehicle[vehicle] === 1;
  }

  /** Whether a stop of the part is on no route. */
  isAbsent(stop: number): boolean {
    return this.chain.route[stop] === ABSENT && this.part.hasStop[stop] === 1;
  }

  /** Stops on routes. */
  get servedCount(): number {
    return this.part.stops.length - this.absentCount;
  }

  private addAbsent(stop: number): void {
    this.absentAt[stop] = this.absentCount;
    this.absent[this.absentCount++] = stop;
    this.cost += this.model.missed[stop] ?? 0;
  }

  private dropAbsent(stop: number): void {
    const at = this.absentAt[stop] ?? 0;
    const last = this.absent[--this.absentCount] ?? 0;
    this.absent[at] = last;
    this.absentAt[last] = at;
    this.cost -= this.model.missed[stop] ?? 0;
  }

  /** Ticks that putting an absent stop behind `after` adds to the routes (without the gain of serving it). */
  insertionCost(stop: number, after: number): number {
    const { place, places, fixed } = this.model;
    const { next, route, tasks } = this.chain;
    const vehicle = route[after] ?? 0;
    const before = next[after] ?? 0;
    const { cost, costInto } = legsOf(this.model, vehicle);
    const row = (place[stop] ?? 0) * places;
    const detour = (costInto[row + (place[after] ?? 0)] ?? 0) + (cost[row + (place[before] ?? 0)] ?? 0);
    return tasks[vehicle] === 0 ? detour + (fixed[vehicle] ?? 0) : detour - (this.legInto[before] ?? 0);
  }

  /** Whether an absent stop may stand behind `after` with every promise of the route kept. */
  canInsert(stop: number, after: number): boolean {
    const { model, chain } = this;
    const vehicle = chain.route[after] ?? 0;
    const before = chain.next[after] ?? 0;
    if (this.staleCount > 0) this.settle();
    if (model.restricted) {
      if (model.allowed[stop * model.vehicles + vehicle] === 0) return false;
      if (before < model.stops && (model.lockedTo[before] ?? -1) >= 0) return false;
    }
    const tasks = (chain.tasks[vehicle] ?? 0) - (this.reloads[vehicle] ?? 0);
    if (tasks >= (model.maxTasks[vehicle] ?? 0) && !isReload(model, stop)) return false;
    if (!this.loads.hasRoom(stop, after, vehicle)) return false;
    if (this.limits.hasAny && !this.limits.allows(stop, after, vehicle)) return false;
    return !model.timed || this.times.isInTime(stop, after, vehicle);
  }

  /**
   * Whether the routes changed since the last `forget` keep their promises: a removal can break them without the triangle inequality, and
   * where it joins two trips.
   */
  keepsPromises(): boolean {
    const { model, limits, loads } = this;
    if (!model.timed && !limits.hasAny && !model.hasReloads) return true;
    if (this.staleCount > 0) this.settle();
    for (let i = 0; i < this.touchedCount; i++) {
      const vehicle = this.touched[i] ?? 0;
      if (!limits.areKept(vehicle) || !loads.areKept(vehicle)) return false;
      if (model.timed && !this.times.isRouteInTime(vehicle)) return false;
    }
    return true;
  }

  /** Puts an absent stop behind `after`. */
  insert(stop: number, after: number): void {
    const { model, chain } = this;
    const { place, places } = model;
    const vehicle = chain.route[after] ?? 0;
    const before = chain.next[after] ?? 0;
    const { cost, costInto } = legsOf(model, vehicle);
    const row = (place[stop] ?? 0) * places;
    const into = costInto[row + (place[after] ?? 0)] ?? 0;
    const from = cost[row + (place[before] ?? 0)] ?? 0;
    const opened = this.legInto[before] ?? 0;
    this.cost += into + from + (chain.tasks[vehicle] === 0 ? (model.fixed[vehicle] ?? 0) : -opened);
    this.journal.note(stop, -1, opened, 0);
    this.putIn(stop, after, into, from);
    if (this.isFollowed && this.isStale[vehicle] === 0) {
      if (model.timed) this.times.afterInsert(stop, vehicle);
      if (model.mixedLoad) this.loads.refresh(vehicle);
    }
    this.touch(vehicle);
  }

  /** `into` and `from`: ticks of the legs to the stop and away from it. */
  private putIn(stop: number, after: number, into: number, from: number): void {
    const { chain, legInto, legFrom } = this;
    const vehicle = chain.route[after] ?? 0;
    this.dropAbsent(stop);
    this.loads.count(stop, vehicle, 1);
    if (isReload(this.model, stop)) this.reloads[vehicle] = (this.reloads[vehicle] ?? 0) + 1;
    if (this.limits.hasAny) this.limits.count(stop, after, 1);
    const before = chain.next[after] ?? 0;
    link(chain, stop, after);
    legFrom[after] = into;
    legInto[stop] = into;
    legFrom[stop] = from;
    legInto[before] = from;
    if (chain.tasks[vehicle] === 1) this.noteUsed(vehicle);
  }

  /** Takes a stop off its route. */
  remove(stop: number): void {
    const { model, chain } = this;
    const { place, places } = model;
    const vehicle = chain.route[stop] ?? 0;
    const after = chain.prev[stop] ?? 0;
    const into = this.legInto[stop] ?? 0;
    const from = this.legFrom[stop] ?? 0;
    const { cost } = legsOf(model, vehicle);
    const closed = cost[(place[after] ?? 0) * places + (place[chain.next[stop] ?? 0] ?? 0)] ?? 0;
    this.cost -= into + from + (chain.tasks[vehicle] === 1 ? (model.fixed[vehicle] ?? 0) : -closed);
    this.journal.note(stop, after, into, from);
    this.takeOut(stop, after, closed);
    if (this.isFollowed) this.outdate(vehicle);
    this.touch(vehicle);
  }

  /** `closed`: ticks of the leg past the stop. */
  private takeOut(stop: number, after: number, closed: number): void {
    const { chain } = this;
    const vehicle = chain.route[stop] ?? 0;
    unlink(chain, stop);
    this.legFrom[after] = closed;
    this.legInto[chain.next[after] ?? 0] = closed;
    this.loads.count(stop, vehicle, -1);
    if (isReload(this.model, stop)) this.reloads[vehicle] = (this.reloads[vehicle] ?? 0) - 1;
    if (this.limits.hasAny) this.limits.count(stop, after, -1);
    this.addAbsent(stop);
    if (chain.tasks[vehicle] === 0) this.noteEmpty(vehicle);
  }

  private outdate(vehicle: number): void {
    if (this.isStale[vehicle] === 1) return;
    this.isStale[vehicle] = 1;
    this.stale[this.staleCount++] = vehicle;
  }

  /** Brings times and loads of changed routes up to date. */
  settle(): void {
    if (this.staleCount === 0) return;
    const { model, stale } = this;
    for (let i = 0; i < this.staleCount; i++) {
      const vehicle = stale[i] ?? 0;
      this.isStale[vehicle] = 0;
      if (model.timed) this.times.refresh(vehicle);
      if (model.mixedLoad) this.loads.refresh(vehicle);
    }
    this.staleCount = 0;
  }

  private touch(vehicle: number): void {
    if (this.isTouched[vehicle] === 1) return;
    this.isTouched[vehicle] = 1;
    this.touched[this.touchedCount++] = vehicle;
  }

  /** Takes back everything since the last `forget`. */
  rollback(): void {
    const { chain } = this;
    const { entries, length } = this.journal;
    if (this.isFollowed) for (let i = 0; i < this.touchedCount; i++) this.outdate(this.touched[i] ?? 0);
    for (let i = length - CHANGE; i >= 0; i -= CHANGE) {
      const stop = entries[i] ?? 0;
      const after = entries[i + 1] ?? -1;
      const leg = entries[i + 2] ?? 0;
      if (after < 0) this.takeOut(stop, chain.prev[stop] ?? 0, leg);
      else this.putIn(stop, after, leg, entries[i + 3] ?? 0);
    }
    this.cost = this.costBefore;
    this.forget();
  }

  /** Calls `visit` for each used vehicle whose route changed since the last `forget`. */
  eachChanged(visit: (vehicle: number) => void): void {
    for (const vehicle of this.touched.subarray(0, this.touchedCount)) if (this.chain.tasks[vehicle]) visit(vehicle);
  }

  /** Makes everything so far final. */
  forget(): void {
    this.journal.clear();
    this.costBefore = this.cost;
    for (let i = 0; i < this.touchedCount; i++) this.isTouched[this.touched[i] ?? 0] = 0;
    this.touchedCount = 0;
  }

  /** Stops of a route in order. */
  stopsOf(vehicle: number): Int32Array {
    const stops = new Int32Array(this.chain.tasks[vehicle] ?? 0);
    readRoute(this.model, this.chain, vehicle, stops);
    return stops;
  }

  /** Replaces whole routes. A stop may change from one to the other; any other new stop must be absent. */
  setRoutes(changes: readonly RouteChange[]): void {
    const middles = changes.map((change) => this.removeMiddle(change));
    for (const [i, { stops }] of changes.entries()) {
      const { from, to, after } = middles[i] ?? { from: 0, to: 0, after: 0 };
      let behind = after;
      for (let at = from; at < to; at++) {
        const stop = stops[at] ?? 0;
        this.insert(stop, behind);
        behind = stop;
      }
    }
  }

  /** Removes what differs between a route and its replacement: the part between their common beginning and their common end. */
  private removeMiddle(change: RouteChange): { from: number; to: number; after: number } {
    const { model, chain } = this;
    const { vehicle, stops } = change;
    const start = startOf(model, vehicle);
    let after = start;
    let from = 0;
    while (from < stops.length && chain.next[after] === stops[from]) after = stops[from++] ?? start;
    let before = endOf(model, vehicle);
    let to = stops.length;
    while (to > from && chain.prev[before] === stops[to - 1]) before = stops[--to] ?? before;
    for (let node = chain.prev[before] ?? start; node !== after; node = chain.prev[before] ?? start) this.remove(node);
    return { from, to, after };
  }

  /** Copies all routes into `into`. */
  save(into: Snapshot): void {
    let length = 0;
    for (let vehicle = 0; vehicle < this.model.vehicles; vehicle++) {
      into.from[vehicle] = length;
      length += readRoute(this.model, this.chain, vehicle, into.order.subarray(length));
    }
    into.from[this.model.vehicles] = length;
    into.cost = this.cost;
  }

  /** Goes back to saved routes. Cannot be taken back. */
  restore(saved: Snapshot): void {
    this.clearAll();
    for (let vehicle = 0; vehicle < this.model.vehicles; vehicle++) {
      const stops = saved.order.subarray(saved.from[vehicle] ?? 0, saved.from[vehicle + 1] ?? 0);
      this.setRoutes([{ vehicle, stops }]);
    }
    this.forget();
  }

  /** A snapshot of the plan as it is. */
  snapshot(): Snapshot {
    const { stops, vehicles } = this.model;
    const saved = { order: new Int32Array(stops), from: new Int32Array(vehicles + 1), cost: 0 };
    this.save(saved);
    return saved;
  }
}
