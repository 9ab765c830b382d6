/**
 * How long and how far each vehicle drives, kept only where some vehicle may not drive as long or as far as it likes. Guarantees: the sums
 * are those of the routes at any time.
 */

import type { Model } from '../model.ts';
import { type Chain, legsOf } from './chain.ts';

const isAny = ({ maxSeconds, maxMetres }: Model): boolean =>
  [...maxSeconds, ...maxMetres].some((limit) => limit < Number.POSITIVE_INFINITY);

/** Whether nothing but room, of one amount, decides where a stop may stand: `room` of the loads tells it all. */
export function isDecidedByRoom(model: Model): boolean {
  const { timed, restricted, mixedLoad, dimensions, maxTasks, stops } = model;
  if (timed || restricted || mixedLoad || dimensions > 1 || isAny(model)) return false;
  return maxTasks.every((most) => most >= stops);
}

export class Limits {
  /** Some vehicle has a limit; otherwise nothing here needs to be asked or told. */
  readonly hasAny: boolean;
  private readonly model: Model;
  private readonly chain: Chain;
  /** Per vehicle. */
  private readonly seconds: Float64Array;
  private readonly metres: Float64Array;

  constructor(model: Model, chain: Chain) {
    this.model = model;
    this.chain = chain;
    this.seconds = new Float64Array(model.vehicles);
    this.metres = new Float64Array(model.vehicles);
    this.hasAny = isAny(model);
  }

  clear(): void {
    this.seconds.fill(0);
    this.metres.fill(0);
  }

  /** Whether an absent stop may stand behind `after`. */
  allows(stop: number, after: number, vehicle: number): boolean {
    const { model } = this;
    const { seconds, metres } = legsOf(model, vehicle);
    if ((this.seconds[vehicle] ?? 0) + this.added(seconds, stop, after) > (model.maxSeconds[vehicle] ?? 0))
      return false;
    return (this.metres[vehicle] ?? 0) + this.added(metres, stop, after) <= (model.maxMetres[vehicle] ?? 0);
  }

  /** Whether the vehicle's route as it is keeps them. */
  areKept(vehicle: number): boolean {
    const { maxSeconds, maxMetres } = this.model;
    if ((this.seconds[vehicle] ?? 0) > (maxSeconds[vehicle] ?? 0)) return false;
    return (this.metres[vehicle] ?? 0) <= (maxMetres[vehicle] ?? 0);
  }

  /** Counts driving of a stop that does not yet (`sign` 1), or no longer (-1), stand behind `after`. */
  count(stop: number, after: number, sign: 1 | -1): void {
    const vehicle = this.chain.route[after] ?? 0;
    const { seconds, metres } = legsOf(this.model, vehicle);
    this.seconds[vehicle] = (this.seconds[vehicle] ?? 0) + sign * this.added(seconds, stop, after);
    this.metres[vehicle] = (this.metres[vehicle] ?? 0) + sign * this.added(metres, stop, after);
  }

  /** What a stop between `after` and what follows it now adds to the sum of `table` over the route. */
  private added(table: Int32Array, stop: number, after: number): number {
    const { place, places } = this.model;
    const { next, route, tasks } = this.chain;
    const from = (place[after] ?? 0) * places;
    const to = place[next[after] ?? 0] ?? 0;
    const at = place[stop] ?? 0;
    const detour = (table[from + at] ?? 0) + (table[at * places + to] ?? 0);
    return tasks[route[after] ?? 0] === 0 ? detour : detour - (table[from + to] ?? 0);
  }
}
