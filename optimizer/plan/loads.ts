/**
 * Loads of all routes. Guarantees: `hasRoom` is exact. Deliveries ride from the start to their stop, pickups from their stop to the end;
 * when only one of the two occurs and nobody reloads, the route's total decides, otherwise the heaviest load before and after every place is kept
 * (load segments as in PyVRP, Wouda, Lan and Kool 2024).
 */

import { endOf, isReload, type Model, startOf } from '../model.ts';
import type { Chain } from './chain.ts';

export class Loads {
  /**
   * A first look whether there is room: `need` per stop against `room` per vehicle + 1. Entry 0 of `room`, for stops on no route, is below any
   * need. Only the first amount counts here, and nothing when loads are mixed: `hasRoom` is exact.
   */
  readonly room: Int32Array;
  readonly need: Int32Array;
  /** Per vehicle x dimension: what may still be added. Says nothing with mixed loads, where the place matters. */
  private readonly spare: Int32Array;
  /** Per stop x dimension: what it adds to a route's total. */
  private readonly amount: Int32Array;
  private readonly looksFirst: boolean;
  private readonly model: Model;
  private readonly chain: Chain;
  /** Per vehicle x dimension, only with mixed loads. */
  private readonly delivered: Int32Array;
  /** Per node x dimension, only with mixed loads: heaviest load from the start to here, and from here to the end. */
  private readonly peakBefore: Int32Array;
  private readonly peakAfter: Int32Array;

  constructor(model: Model, chain: Chain) {
    const followed = model.mixedLoad ? model.nodes * model.dimensions : 0;
    this.model = model;
    this.chain = chain;
    this.spare = Int32Array.from(model.capacity);
    this.amount = model.delivery.map((delivered, i) => delivered + (model.pickup[i] ?? 0));
    this.looksFirst = model.dimensions > 0 && !model.mixedLoad;
    this.room = new Int32Array(model.vehicles + 1);
    this.need = new Int32Array(model.stops);
    if (this.looksFirst) for (let i = 0; i < model.stops; i++) this.need[i] = this.amount[i * model.dimensions] ?? 0;
    this.delivered = new Int32Array(model.vehicles * model.dimensions);
    this.peakBefore = new Int32Array(followed);
    this.peakAfter = new Int32Array(followed);
  }

  clear(): void {
    this.spare.set(this.model.capacity);
    const { dimensions, vehicles } = this.model;
    this.room[0] = -1;
    for (let vehicle = 0; vehicle < vehicles; vehicle++) {
      this.room[vehicle + 1] = this.looksFirst ? (this.spare[vehicle * dimensions] ?? 0) : 0;
    }
    this.delivered.fill(0);
    this.peakBefore.fill(0);
    this.peakAfter.fill(0);
  }

  /** Whether the vehicle can carry what `stop` needs when it stands behind `after`. */
  hasRoom(stop: number, after: number, vehicle: number): boolean {
    const { dimensions, mixedLoad } = this.model;
    if (mixedLoad) return this.hasRoomBehind(stop, after, vehicle);
    const { spare, amount } = this;
    for (let d = 0; d < dimensions; d++) {
      if ((amount[stop * dimensions + d] ?? 0) > (spare[vehicle * dimensions + d] ?? 0)) return false;
    }
    return true;
  }

  private hasRoomBehind(stop: number, after: number, vehicle: number): boolean {
    const { dimensions, delivery, pickup, capacity } = this.model;
    for (let d = 0; d < dimensions; d++) {
      const limit = capacity[vehicle * dimensions + d] ?? 0;
      const handedOver = delivery[stop * dimensions + d] ?? 0;
      const takenOn = pickup[stop * dimensions + d] ?? 0;
      if ((this.peakBefore[after * dimensions + d] ?? 0) + handedOver > limit) return false;
      if ((this.peakAfter[after * dimensions + d] ?? 0) + takenOn > limit) return false;
    }
    return true;
  }

  /** Whether the vehicle can carry its route as it is: two trips that a visit to reload no longer parts may be too much for one. */
  areKept(vehicle: number): boolean {
    const { model, chain, peakBefore } = this;
    if (!model.hasReloads) return true;
    const { dimensions, capacity } = model;
    const end = endOf(model, vehicle);
    for (let node = startOf(model, vehicle); node !== end; node = chain.next[node] ?? end) {
      for (let d = 0; d < dimensions; d++) {
        if ((peakBefore[node * dimensions + d] ?? 0) > (capacity[vehicle * dimensions + d] ?? 0)) return false;
      }
    }
    return true;
  }

  /** Counts a stop in (`sign` 1) or out (-1). */
  count(stop: number, vehicle: number, sign: 1 | -1): void {
    const { spare, amount } = this;
    const { dimensions, delivery, mixedLoad } = this.model;
    for (let d = 0; d < dimensions; d++) {
      const at = vehicle * dimensions + d;
      spare[at] = (spare[at] ?? 0) - sign * (amount[stop * dimensions + d] ?? 0);
      if (mixedLoad) this.delivered[at] = (this.delivered[at] ?? 0) + sign * (delivery[stop * dimensions + d] ?? 0);
    }
    if (this.looksFirst) this.room[vehicle + 1] = spare[vehicle * dimensions] ?? 0;
  }

  /** Follows the loads along a route again; to be called after every change of it when loads are mixed. */
  refresh(vehicle: number): void {
    for (let d = 0; d < this.model.dimensions; d++) this.follow(vehicle, d);
  }

  private follow(vehicle: number, d: number): void {
    const { model, chain, peakBefore, peakAfter } = this;
    const { dimensions, delivery, pickup, stops } = model;
    const end = endOf(model, vehicle);
    let load = this.loadFrom(startOf(model, vehicle), end, d);
    let peak = 0;
    for (let node = startOf(model, vehicle); node !== end; node = chain.next[node] ?? end) {
      if (isReload(model, node)) {
        load = this.loadFrom(node, end, d);
        peak = 0;
      } else if (node < stops) load += (pickup[node * dimensions + d] ?? 0) - (delivery[node * dimensions + d] ?? 0);
      peak = Math.max(peak, load);
      peakBefore[node * dimensions + d] = peak;
    }
    // Backwards, what rides to the end of the trip counts from there: every pickup behind, less the deliveries still to come.
    load = this.takenOn(end, d);
    peak = 0;
    for (let node = chain.prev[end] ?? end; ; node = chain.prev[node] ?? node) {
      peak = Math.max(peak, load);
      peakAfter[node * dimensions + d] = peak;
      if (isReload(model, node)) {
        load = this.takenOn(node, d);
        peak = 0;
      } else if (node >= stops) return;
      else load += (delivery[node * dimensions + d] ?? 0) - (pickup[node * dimensions + d] ?? 0);
    }
  }

  /** What is delivered on the trip that begins at `from`. */
  private loadFrom(from: number, end: number, d: number): number {
    const { model, chain } = this;
    if (!model.hasReloads) return this.delivered[(chain.route[from] ?? 0) * model.dimensions + d] ?? 0;
    let sum = 0;
    for (let node = chain.next[from] ?? end; node !== end && !isReload(model, node); node = chain.next[node] ?? end) {
      sum += model.delivery[node * model.dimensions + d] ?? 0;
    }
    return sum;
  }

  /** What was taken on, on the trip that closes at `to`. */
  private takenOn(to: number, d: number): number {
    const { model, chain } = this;
    let sum = 0;
    for (let node = chain.prev[to] ?? to; node < model.stops && !isReload(model, node); node = chain.prev[node] ?? to) {
      sum += model.pickup[node * model.dimensions + d] ?? 0;
    }
    return sum;
  }
}

/** What is delivered from `from` on, until the vehicle reloads. */
function tripLoad(model: Model, stops: ArrayLike<number>, from: number, d: number): number {
  let load = 0;
  for (let i = from; i < stops.length; i++) {
    const stop = stops[i] ?? 0;
    if (isReload(model, stop)) return load;
    load += model.delivery[stop * model.dimensions + d] ?? 0;
  }
  return load;
}

/** Whether a vehicle can carry a whole sequence of stops, whatever it carried before. */
export function canCarry(model: Model, vehicle: number, stops: ArrayLike<number>): boolean {
  const { dimensions, delivery, pickup, capacity } = model;
  for (let d = 0; d < dimensions; d++) {
    const limit = capacity[vehicle * dimensions + d] ?? 0;
    let load = tripLoad(model, stops, 0, d);
    if (load > limit) return false;
    for (let i = 0; i < stops.length; i++) {
      if (isReload(model, stops[i] ?? 0)) load = tripLoad(model, stops, i + 1, d);
      const at = (stops[i] ?? 0) * dimensions + d;
      load += (pickup[at] ?? 0) - (delivery[at] ?? 0);
      if (load > limit) return false;
    }
  }
  return true;
}
