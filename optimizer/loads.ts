/**
 * Loads of all routes. Guarantees: `hasRoom` is exact. Deliveries ride from the start to their stop, pickups from their stop to the end;
 * when only one of the two occurs, the route's total decides, otherwise the heaviest load before and after every place is kept
 * (load segments as in PyVRP, Wouda, Lan and Kool 2024).
 */
import type { Chain } from './chain.ts';
import { endOf, type Model, startOf } from './model.ts';

export class Loads {
  private readonly model: Model;
  private readonly chain: Chain;
  /** Per vehicle x dimension. */
  private readonly delivered: Int32Array;
  private readonly pickedUp: Int32Array;
  /** Per node x dimension, only with mixed loads: heaviest load from the start to here, and from here to the end. */
  private readonly peakBefore: Int32Array;
  private readonly peakAfter: Int32Array;

  constructor(model: Model, chain: Chain) {
    const size = model.vehicles * model.dimensions;
    const followed = model.mixedLoad ? model.nodes * model.dimensions : 0;
    this.model = model;
    this.chain = chain;
    this.delivered = new Int32Array(size);
    this.pickedUp = new Int32Array(size);
    this.peakBefore = new Int32Array(followed);
    this.peakAfter = new Int32Array(followed);
  }

  clear(): void {
    this.delivered.fill(0);
    this.pickedUp.fill(0);
    this.peakBefore.fill(0);
    this.peakAfter.fill(0);
  }

  /** Whether the vehicle can carry what `stop` needs when it stands behind `after`. */
  hasRoom(stop: number, after: number, vehicle: number): boolean {
    const { dimensions, delivery, pickup, capacity, mixedLoad } = this.model;
    for (let d = 0; d < dimensions; d++) {
      const at = vehicle * dimensions + d;
      const limit = capacity[at] ?? 0;
      const handedOver = delivery[stop * dimensions + d] ?? 0;
      const takenOn = pickup[stop * dimensions + d] ?? 0;
      if (!mixedLoad) {
        if ((this.delivered[at] ?? 0) + (this.pickedUp[at] ?? 0) + handedOver + takenOn > limit) return false;
        continue;
      }
      if ((this.peakBefore[after * dimensions + d] ?? 0) + handedOver > limit) return false;
      if ((this.peakAfter[after * dimensions + d] ?? 0) + takenOn > limit) return false;
    }
    return true;
  }

  /** Counts a stop in (`sign` 1) or out (-1). */
  count(stop: number, vehicle: number, sign: 1 | -1): void {
    const { dimensions, delivery, pickup } = this.model;
    for (let d = 0; d < dimensions; d++) {
      const at = vehicle * dimensions + d;
      this.delivered[at] = (this.delivered[at] ?? 0) + sign * (delivery[stop * dimensions + d] ?? 0);
      this.pickedUp[at] = (this.pickedUp[at] ?? 0) + sign * (pickup[stop * dimensions + d] ?? 0);
    }
  }

  /** Follows the loads along a route again; to be called after every change of it. */
  refresh(vehicle: number): void {
    if (!this.model.mixedLoad) return;
    for (let d = 0; d < this.model.dimensions; d++) this.follow(vehicle, d);
  }

  private follow(vehicle: number, d: number): void {
    const { model, chain, peakBefore, peakAfter } = this;
    const { dimensions, delivery, pickup, stops } = model;
    const end = endOf(model, vehicle);
    let load = this.delivered[vehicle * dimensions + d] ?? 0;
    let peak = 0;
    for (let node = startOf(model, vehicle); node !== end; node = chain.next[node] ?? end) {
      if (node < stops) load += (pickup[node * dimensions + d] ?? 0) - (delivery[node * dimensions + d] ?? 0);
      peak = Math.max(peak, load);
      peakBefore[node * dimensions + d] = peak;
    }
    peak = 0;
    for (let node = chain.prev[end] ?? end; ; node = chain.prev[node] ?? node) {
      peak = Math.max(peak, load);
      peakAfter[node * dimensions + d] = peak;
      if (node >= stops) return;
      load += (delivery[node * dimensions + d] ?? 0) - (pickup[node * dimensions + d] ?? 0);
    }
  }
}

/** Whether a vehicle can carry a whole sequence of stops, whatever it carried before. */
export function canCarry(model: Model, vehicle: number, stops: ArrayLike<number>): boolean {
  const { dimensions, delivery, pickup, capacity } = model;
  for (let d = 0; d < dimensions; d++) {
    let load = 0;
    for (let i = 0; i < stops.length; i++) load += delivery[(stops[i] ?? 0) * dimensions + d] ?? 0;
    const limit = capacity[vehicle * dimensions + d] ?? 0;
    if (load > limit) return false;
    for (let i = 0; i < stops.length; i++) {
      const at = (stops[i] ?? 0) * dimensions + d;
      load += (pickup[at] ?? 0) - (delivery[at] ?? 0);
      if (load > limit) return false;
    }
  }
  return true;
}
