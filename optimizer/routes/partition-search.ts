/**
 * Chooses columns so that every stop is served once, for less than `target`. Guarantees: the choice uses no more vehicles of a type than
 * are free. Depth first: the stop that the fewest columns can still serve comes next, its columns by rising reduced cost; with prices that no
 * column undercuts, the reduced costs of the columns chosen must stay below the gap between bound and target. Gives up after a number of looks.
 */
import type { Columns } from './columns.ts';
import type { PartitionBound } from './partition-bound.ts';

/** Looks at a column for a stop, in all. */
const MOST_LOOKS = 200_000;
/** Costs are whole ticks: a better choice saves at least one, but for rounding. */
const LEAST_GAIN = 1 - 1e-6;

export class PartitionSearch {
  looks = 0;
  private readonly columns: Columns;
  private readonly reduced: Float64Array;
  /** Columns that can serve a stop, by rising reduced cost: `list[first[stop]]` .. `list[first[stop + 1]]`. */
  private readonly first: Int32Array;
  private readonly list: Int32Array;
  private readonly isCovered: Uint8Array;
  private readonly free: Int32Array;
  private readonly chosen: number[] = [];
  private best: number[] | undefined;
  /** What the reduced costs may still add up to. */
  private slack: number;
  private left: number;

  /** `free`: vehicles per type. */
  constructor(columns: Columns, bound: PartitionBound, { target, free }: { target: number; free: Int32Array }) {
    const { size, from, stops } = columns;
    const { reduced } = bound;
    this.columns = columns;
    this.reduced = reduced;
    this.slack = target - LEAST_GAIN - bound.bound;
    this.free = free;
    this.isCovered = new Uint8Array(size);
    this.left = size;
    const kept: number[] = [];
    for (let column = 0; column < columns.count; column++) if ((reduced[column] ?? 0) <= this.slack) kept.push(column);
    kept.sort((a, b) => (reduced[a] ?? 0) - (reduced[b] ?? 0) || a - b);
    const perStop: number[][] = Array.from({ length: size }, () => []);
    for (const column of kept) {
      for (let at = from[column] ?? 0; at < (from[column + 1] ?? 0); at++) perStop[stops[at] ?? 0]?.push(column);
    }
    this.list = Int32Array.from(perStop.flat());
    this.first = new Int32Array(size + 1);
    for (const [stop, own] of perStop.entries()) this.first[stop + 1] = (this.first[stop] ?? 0) + own.length;
  }

  /** Columns that cost less than the target; undefined when none were found. */
  run(): readonly number[] | undefined {
    if (this.slack >= 0) this.descend(0);
    return this.best;
  }

  private descend(spent: number): void {
    if (this.left === 0) {
      this.best = [...this.chosen];
      this.slack = spent - LEAST_GAIN;
      return;
    }
    const stop = this.scarcest(spent);
    if (stop < 0) return;
    for (let at = this.first[stop] ?? 0; at < (this.first[stop + 1] ?? 0) && this.looks < MOST_LOOKS; at++) {
      const column = this.list[at] ?? 0;
      const total = spent + (this.reduced[column] ?? 0);
      if (total > this.slack) return;
      this.looks++;
      if (!this.isOpen(column)) continue;
      this.choose(column, 1);
      this.descend(total);
      this.choose(column, -1);
    }
  }

  private isOpen(column: number): boolean {
    const { stops, from, type } = this.columns;
    if ((this.free[type[column] ?? 0] ?? 0) === 0) return false;
    const last = from[column + 1] ?? 0;
    for (let at = from[column] ?? 0; at < last; at++) if (this.isCovered[stops[at] ?? 0] === 1) return false;
    return true;
  }

  private choose(column: number, sign: 1 | -1): void {
    const { stops, from, type } = this.columns;
    const kind = type[column] ?? 0;
    const first = from[column] ?? 0;
    const last = from[column + 1] ?? 0;
    for (let at = first; at < last; at++) this.isCovered[stops[at] ?? 0] = sign === 1 ? 1 : 0;
    this.left -= sign * (last - first);
    this.free[kind] = (this.free[kind] ?? 0) - sign;
    if (sign === 1) this.chosen.push(column);
    else this.chosen.pop();
  }

  /** The stop with the fewest columns left; -1 when some stop has none. */
  private scarcest(spent: number): number {
    let scarcest = -1;
    let fewest = Number.POSITIVE_INFINITY;
    for (let stop = 0; stop < this.isCovered.length; stop++) {
      if (this.isCovered[stop] === 1) continue;
      let open = 0;
      for (let at = this.first[stop] ?? 0; at < (this.first[stop + 1] ?? 0) && open < fewest; at++) {
        const column = this.list[at] ?? 0;
        if (spent + (this.reduced[column] ?? 0) > this.slack) break;
        this.looks++;
        if (this.isOpen(column)) open++;
      }
      if (open === 0) return -1;
      if (open >= fewest) continue;
      fewest = open;
      scarcest = stop;
    }
    return scarcest;
  }
}
