/**
 * Prices of stops from which it can be seen which routes cannot be part of a better plan. Guarantees of `run`: no column costs less than
 * the prices of its stops together, so the sum of all prices is a lower bound of every choice of columns that serves each stop once.
 * Method: the linear relaxation (every stop served at least once) by the primal simplex method with an explicit inverse (Dantzig 1953),
 * from the basis of the present routes; demands are raised by tiny random amounts, since otherwise most steps would lead nowhere.
 */

import { Random } from '../random.ts';
import type { Columns } from './columns.ts';

/** Reduced costs this little below 0 count as 0: share of the mean price. */
const CLOSE = 1e-7;
const SMALLEST_PIVOT = 1e-7;
const ROUNDING = 1e-11;
const PERTURBATION = 1e-3;
const SEED = 0xbead;
/** Columns looked at closely between two passes over all. */
const CANDIDATES = 60;
/** No entry is worth bringing into the basis; entries are columns, or -1 - stop for what a stop is served too often. */
const NONE = 2 ** 31 - 1;

export class PartitionBound {
  /** Per stop. */
  readonly price: Float64Array;
  /** Per column: its cost less the prices of its stops, never below 0 but for rounding. */
  reduced = new Float64Array(0);
  bound = 0;
  private rows = 0;
  private readonly inverse: Float64Array;
  /** Per row, that is per stop: how much of what stands in the basis there is taken. */
  private readonly value: Float64Array;
  private readonly demand: Float64Array;
  /** The entry that comes into the basis, as a sum of what stands there. */
  private readonly column: Float64Array;
  private readonly candidates = new Int32Array(CANDIDATES);
  private readonly merits = new Float64Array(CANDIDATES);
  private candidateCount = 0;
  private tolerance = 0;

  /** For parts of up to `stops` stops. */
  constructor(stops: number) {
    const random = new Random(SEED);
    this.price = new Float64Array(stops);
    this.inverse = new Float64Array(stops * stops);
    this.value = new Float64Array(stops);
    this.demand = Float64Array.from({ length: stops }, () => 1 + PERTURBATION * random.fraction());
    this.column = new Float64Array(stops);
  }

  /** Finds prices; the first `own` columns serve every stop once. Ends after about `most` multiplications; returns how many there were. */
  run(columns: Columns, own: number, most: number): number {
    this.rows = columns.size;
    const pass = (columns.from[columns.count] ?? 0) + this.rows;
    const pivot = (this.rows * this.rows) / 2;
    let steps = 0;
    this.begin(columns, own);
    while (steps < most && this.collect(columns)) {
      steps += pass;
      for (let entry = this.best(columns); entry !== NONE && steps < most; entry = this.best(columns)) {
        if (!this.enter(columns, entry)) break;
        steps += pivot;
      }
    }
    this.lower(columns);
    return steps;
  }

  /** The basis of the present routes: each serves one of its stops as often as asked and the others a tiny bit too often. */
  private begin(columns: Columns, own: number): void {
    const { rows, inverse, value, demand, price } = this;
    const { stops, from, cost } = columns;
    inverse.fill(0);
    price.fill(0);
    for (let route = 0; route < own; route++) {
      const first = from[route] ?? 0;
      const last = from[route + 1] ?? 0;
      let tight = stops[first] ?? 0;
      for (let at = first; at < last; at++) {
        const stop = stops[at] ?? 0;
        if ((demand[stop] ?? 0) > (demand[tight] ?? 0)) tight = stop;
      }
      for (let at = first; at < last; at++) {
        const stop = stops[at] ?? 0;
        inverse[stop * rows + tight] = 1;
        if (stop === tight) continue;
        inverse[stop * rows + stop] = -1;
        value[stop] = (demand[tight] ?? 0) - (demand[stop] ?? 0);
      }
      value[tight] = demand[tight] ?? 0;
      price[tight] = cost[route] ?? 0;
    }
    this.tolerance = (CLOSE * price.reduce((sum, one) => sum + one, 0)) / rows;
  }

  /** What taking more of an entry adds to the cost. */
  private meritOf(columns: Columns, entry: number): number {
    const { price } = this;
    if (entry < 0) return price[-1 - entry] ?? 0;
    const { stops, from } = columns;
    const last = from[entry + 1] ?? 0;
    let sum = columns.cost[entry] ?? 0;
    for (let at = from[entry] ?? 0; at < last; at++) sum -= price[stops[at] ?? 0] ?? 0;
    return sum;
  }

  /** Gathers the entries that save most; false when none saves anything. */
  private collect(columns: Columns): boolean {
    this.candidateCount = 0;
    for (let entry = -this.rows; entry < columns.count; entry++) {
      const merit = this.meritOf(columns, entry);
      if (merit < -this.tolerance) this.offer(entry, merit);
    }
    return this.candidateCount > 0;
  }

  private offer(entry: number, merit: number): void {
    const { candidates, merits } = this;
    let at = this.candidateCount;
    if (at === CANDIDATES) {
      if (merit >= (merits[at - 1] ?? 0)) return;
      at--;
    } else this.candidateCount++;
    while (at > 0 && (merits[at - 1] ?? 0) > merit) {
      merits[at] = merits[at - 1] ?? 0;
      candidates[at] = candidates[at - 1] ?? 0;
      at--;
    }
    merits[at] = merit;
    candidates[at] = entry;
  }

  private best(columns: Columns): number {
    let best = NONE;
    let least = -this.tolerance;
    for (let i = 0; i < this.candidateCount; i++) {
      const entry = this.candidates[i] ?? 0;
      const merit = this.meritOf(columns, entry);
      if (merit >= least) continue;
      least = merit;
      best = entry;
    }
    return best;
  }

  /** Brings an entry into the basis; false when rounding leaves nothing to divide by. */
  private enter(columns: Columns, entry: number): boolean {
    const { rows, inverse, column, value, price } = this;
    const merit = this.meritOf(columns, entry);
    this.express(columns, entry);
    let leaving = -1;
    let least = Number.POSITIVE_INFINITY;
    for (let row = 0; row < rows; row++) {
      const part = column[row] ?? 0;
      if (part <= SMALLEST_PIVOT || (value[row] ?? 0) / part >= least) continue;
      least = (value[row] ?? 0) / part;
      leaving = row;
    }
    if (leaving < 0) return false;
    const pivot = column[leaving] ?? 1;
    const base = leaving * rows;
    for (let i = 0; i < rows; i++) {
      inverse[base + i] = (inverse[base + i] ?? 0) / pivot;
      price[i] = (price[i] ?? 0) + merit * (inverse[base + i] ?? 0);
    }
    for (let row = 0; row < rows; row++) {
      const part = column[row] ?? 0;
      if (row === leaving || part === 0) continue;
      value[row] = Math.max(0, (value[row] ?? 0) - part * least);
      const at = row * rows;
      for (let i = 0; i < rows; i++) inverse[at + i] = (inverse[at + i] ?? 0) - part * (inverse[base + i] ?? 0);
    }
    value[leaving] = least;
    return true;
  }

  private express(columns: Columns, entry: number): void {
    const { rows, inverse, column } = this;
    const { stops, from } = columns;
    const last = entry < 0 ? 0 : (from[entry + 1] ?? 0);
    for (let row = 0; row < rows; row++) {
      let sum = entry < 0 ? -(inverse[row * rows - 1 - entry] ?? 0) : 0;
      for (let at = entry < 0 ? 0 : (from[entry] ?? 0); at < last; at++)
        sum += inverse[row * rows + (stops[at] ?? 0)] ?? 0;
      column[row] = Math.abs(sum) < ROUNDING ? 0 : sum;
    }
  }

  /** Lowers the prices where a column costs less than its stops together. */
  private lower(columns: Columns): void {
    const { price, rows } = this;
    const { stops, from, count } = columns;
    if (this.reduced.length < count) this.reduced = new Float64Array(2 * count);
    for (let column = 0; column < count; column++) {
      const over = this.meritOf(columns, column);
      if (over >= 0) continue;
      const first = from[column] ?? 0;
      const last = from[column + 1] ?? 0;
      for (let at = first; at < last; at++)
        price[stops[at] ?? 0] = (price[stops[at] ?? 0] ?? 0) + over / (last - first);
    }
    for (let column = 0; column < count; column++) this.reduced[column] = this.meritOf(columns, column);
    this.bound = 0;
    for (let stop = 0; stop < rows; stop++) this.bound += price[stop] ?? 0;
  }
}
