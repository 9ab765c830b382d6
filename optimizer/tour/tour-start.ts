/**
 * A first tour for symmetric costs, near to a good one everywhere: savings (Clarke & Wright 1964) without any limit, which leaves exchanges of
 * legs a better start than insertion or nearest neighbour do (Johnson & McGeoch 1997). Guarantees every stop exactly once, and the free end
 * nearest to the last stop next when pieces remain.
 */
import type { Neighbours } from '../search/neighbours.ts';

/** Neighbours looked at per stop. */
const WIDTH = 16;

/** Stops joined so far: each has up to two partners, -1 = none; `piece` finds the piece a stop belongs to. */
class Pieces {
  readonly partners: Int32Array;
  private readonly owner: Int32Array;

  constructor(stops: number) {
    this.partners = new Int32Array(2 * stops).fill(-1);
    this.owner = Int32Array.from({ length: stops }, (_, stop) => stop);
  }

  private piece(stop: number): number {
    let at = stop;
    while (this.owner[at] !== at) {
      this.owner[at] = this.owner[this.owner[at] ?? 0] ?? 0;
      at = this.owner[at] ?? 0;
    }
    return at;
  }

  isEnd(stop: number): boolean {
    return this.partners[2 * stop + 1] === -1;
  }

  join(a: number, b: number): void {
    if (!this.isEnd(a) || !this.isEnd(b) || this.piece(a) === this.piece(b)) return;
    this.partners[2 * a + (this.partners[2 * a] === -1 ? 0 : 1)] = b;
    this.partners[2 * b + (this.partners[2 * b] === -1 ? 0 : 1)] = a;
    this.owner[this.piece(a)] = this.piece(b);
  }
}

/** Pairs of neighbours by falling saving against driving to `depot` between them. */
function joinBySavings(pieces: Pieces, near: Neighbours, cost: (a: number, b: number) => number, depot: number): void {
  const width = Math.min(WIDTH, near.width);
  const stops = near.list.length / near.width;
  const slot = 2 ** Math.ceil(Math.log2(stops * width + 1));
  const keys = new Float64Array(stops * width);
  for (let i = 0; i < keys.length; i++) {
    const a = Math.floor(i / width);
    const b = near.list[a * near.width + (i % width)] ?? 0;
    keys[i] = (cost(a, b) - cost(a, depot) - cost(depot, b) + 2 ** 31) * slot + i;
  }
  keys.sort();
  for (const key of keys) {
    const i = key % slot;
    const a = Math.floor(i / width);
    pieces.join(a, near.list[a * near.width + (i % width)] ?? 0);
  }
}

/** All stops in the order of the pieces; after each piece the one with the nearest free end follows. */
export function firstTour(near: Neighbours, cost: (a: number, b: number) => number, depot: number): Int32Array {
  const stops = near.list.length / near.width;
  const pieces = new Pieces(stops);
  joinBySavings(pieces, near, cost, depot);
  const ends = new Set<number>();
  for (let stop = 0; stop < stops; stop++) if (pieces.isEnd(stop)) ends.add(stop);
  const order = new Int32Array(stops);
  let last = depot;
  for (let length = 0; length < stops; ) {
    let at = -1;
    for (const end of ends) if (at < 0 || cost(last, end) < cost(last, at)) at = end;
    ends.delete(at);
    let before = -1;
    while (at >= 0) {
      order[length++] = at;
      last = at;
      const first = pieces.partners[2 * at] ?? -1;
      const following = first === before ? (pieces.partners[2 * at + 1] ?? -1) : first;
      before = at;
      at = following;
    }
    ends.delete(last);
  }
  return order;
}
