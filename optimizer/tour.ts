/**
 * A closed tour over nodes with symmetric costs, as an array with positions, changed only by turning round a stretch, each turn noted so that
 * a try can be taken back. Guarantees: `length` is exact after every change. Local search: Or-3opt, that is every sequential exchange of two
 * or three legs with a positive gain at each step (Lin & Kernighan 1973; case analysis as in Helsgaun 2000), over neighbour lists and a
 * queue of nodes whose legs changed (Bentley 1992).
 */
import type { Random } from './random.ts';

/** Nodes tried as the first and as the second new neighbour. */
const FIRST_WIDTH = 12;
const SECOND_WIDTH = 3;

/** Longest stretch moved by a kick. */
const LONGEST_STRETCH = 50;

/**
 * Legs t1-t2, t3-t4 and, if there are three, t5-t6 go; t2-t3, t4-t5 and t6-t1 come. The kind tells what happens to the stretches
 * between: one turned round, both exchanged with one turned, both exchanged as they are, or both turned where they are.
 */
type Kind = 'turn' | 'turn twice' | 'swap' | 'turn both';

interface Nodes {
  t1: number;
  t2: number;
  t3: number;
  t4: number;
  /** -1 when only two legs go. */
  t5: number;
  t6: number;
}

export class Tour {
  readonly size: number;
  length = 0;
  /** Node at each position. */
  readonly order: Int32Array;
  private readonly position: Int32Array;
  private readonly cost: Int32Array;
  private readonly near: Int32Array;
  private readonly width: number;
  private readonly queue: Int32Array;
  private readonly isQueued: Uint8Array;
  private head = 0;
  private waiting = 0;
  /** Positions of the first and last node of each turn since the last `forget`. */
  private turns = new Int32Array(256);
  private turned = 0;
  /** Best exchange found around one node. */
  private readonly best: Nodes = { t1: 0, t2: 0, t3: 0, t4: 0, t5: 0, t6: 0 };
  private bestGain = 0;
  private bestKind: Kind = 'turn';
  /** Exchange being tried, as seen along the tour from t2 to t1, forwards or backwards. */
  private t1 = 0;
  private t2 = 0;
  private t3 = 0;
  private t4 = 0;
  private isForward = true;

  /** `cost`: one row per node, symmetric; `order`: the tour to begin with. */
  constructor(cost: Int32Array, order: Int32Array) {
    const size = order.length;
    this.size = size;
    this.cost = cost;
    this.order = order;
    this.position = new Int32Array(size);
    this.queue = new Int32Array(size);
    this.isQueued = new Uint8Array(size);
    this.width = Math.min(FIRST_WIDTH, size - 1);
    this.near = nearest(cost, size, this.width);
    for (let at = 0; at < size; at++) this.position[order[at] ?? 0] = at;
    for (let at = 0; at < size; at++) this.length += this.between(order[at] ?? 0, this.next(order[at] ?? 0));
    for (let at = 0; at < size; at++) this.enqueue(order[at] ?? 0);
  }

  private between(a: number, b: number): number {
    return this.cost[a * this.size + b] ?? 0;
  }

  private next(node: number): number {
    const at = (this.position[node] ?? 0) + 1;
    return this.order[at === this.size ? 0 : at] ?? 0;
  }

  private prev(node: number): number {
    const at = this.position[node] ?? 0;
    return this.order[at === 0 ? this.size - 1 : at - 1] ?? 0;
  }

  private enqueue(node: number): void {
    if (this.isQueued[node] === 1) return;
    this.isQueued[node] = 1;
    let at = this.head + this.waiting++;
    if (at >= this.size) at -= this.size;
    this.queue[at] = node;
  }

  /** One step of local search: improves around the next waiting node. False when none waits. */
  improveNext(): boolean {
    if (this.waiting === 0) return false;
    const node = this.queue[this.head] ?? 0;
    this.head = this.head + 1 === this.size ? 0 : this.head + 1;
    this.waiting--;
    this.isQueued[node] = 0;
    while (this.improve(node)) {
      // Each exchange may open the way for the next at the same node.
    }
    return true;
  }

  private improve(t1: number): boolean {
    this.bestGain = 0;
    this.searchFrom(t1, true);
    this.searchFrom(t1, false);
    if (this.bestGain <= 0) return false;
    this.length -= this.bestGain;
    this.exchange(this.bestKind, this.best);
    return true;
  }

  /** Tries all exchanges that begin by removing the leg from t1 to the node ahead of it. */
  private searchFrom(t1: number, isForward: boolean): void {
    const t2 = isForward ? this.next(t1) : this.prev(t1);
    const removed = this.between(t1, t2);
    this.t1 = t1;
    this.t2 = t2;
    this.isForward = isForward;
    for (let i = t2 * this.width; i < (t2 + 1) * this.width; i++) {
      const t3 = this.near[i] ?? 0;
      const gain = removed - this.between(t2, t3);
      if (gain <= 0) return;
      this.t3 = t3;
      const before = isForward ? this.prev(t3) : this.next(t3);
      const behind = isForward ? this.next(t3) : this.prev(t3);
      if (before !== t2) this.extendPath(before, gain + this.between(t3, before));
      if (behind !== t2 && behind !== t1) this.extendCycle(behind, gain + this.between(t3, behind));
    }
  }

  /** How many nodes come before this one on the way from t2 to t1. */
  private rank(node: number): number {
    const apart = (this.position[node] ?? 0) - (this.position[this.t2] ?? 0);
    const ahead = this.isForward ? apart : -apart;
    return ahead < 0 ? ahead + this.size : ahead;
  }

  /** t4 stands before t3: joining t1 and t4 closes a tour; else a third leg goes, from the turned or from the other part. */
  private extendPath(t4: number, gain: number): void {
    const { t1, t3, isForward } = this;
    this.t4 = t4;
    this.keep('turn', gain - this.between(t4, t1), -1, -1);
    const border = this.rank(t3);
    const first = t4 * this.width;
    for (let i = first; i < first + Math.min(SECOND_WIDTH, this.width); i++) {
      const t5 = this.near[i] ?? 0;
      const open = gain - this.between(t4, t5);
      if (open <= 0) return;
      if (t5 === t3 || t5 === t1) continue;
      const isTurned = this.rank(t5) < border;
      const t6 = isTurned === isForward ? this.next(t5) : this.prev(t5);
      if (t6 === t4) continue;
      this.keep('turn twice', open + this.between(t5, t6) - this.between(t6, t1), t5, t6);
    }
  }

  /** t4 stands behind t3: t2..t3 would become a cycle of its own, so the third leg must be one of it. */
  private extendCycle(t4: number, gain: number): void {
    const { t1, t2, t3, isForward } = this;
    this.t4 = t4;
    const last = this.rank(t3);
    const first = t4 * this.width;
    for (let i = first; i < first + Math.min(SECOND_WIDTH, this.width); i++) {
      const t5 = this.near[i] ?? 0;
      const open = gain - this.between(t4, t5);
      if (open <= 0) return;
      if (t5 === t3 || this.rank(t5) > last) continue;
      const behind = isForward ? this.next(t5) : this.prev(t5);
      this.keep('swap', open + this.between(t5, behind) - this.between(behind, t1), t5, behind);
      if (t5 === t2) continue;
      const before = isForward ? this.prev(t5) : this.next(t5);
      this.keep('turn both', open + this.between(t5, before) - this.between(before, t1), t5, before);
    }
  }

  private keep(kind: Kind, gain: number, t5: number, t6: number): void {
    if (gain <= this.bestGain) return;
    this.bestGain = gain;
    this.bestKind = kind;
    this.best.t1 = this.t1;
    this.best.t2 = this.t2;
    this.best.t3 = this.t3;
    this.best.t4 = this.t4;
    this.best.t5 = t5;
    this.best.t6 = t6;
  }

  /** Makes an exchange as a row of turns. Each line removes the legs (1st, 2nd), (3rd, 4th) and joins 1st with 3rd, 2nd with 4th. */
  private exchange(kind: Kind, nodes: Nodes): void {
    const { t1, t2, t3, t4, t5, t6 } = nodes;
    if (kind === 'turn' || kind === 'turn twice') this.turn(t1, t2, t4, t3);
    if (kind === 'turn twice') this.turn(t1, t4, t6, t5);
    if (kind === 'swap') {
      this.turn(t1, t2, t3, t4);
      this.turn(t1, t3, t6, t5);
      this.turn(t3, t5, t2, t4);
    }
    if (kind === 'turn both') {
      this.turn(t1, t2, t6, t5);
      this.turn(t2, t5, t3, t4);
    }
    this.enqueue(t1);
    this.enqueue(t2);
    this.enqueue(t3);
    this.enqueue(t4);
    if (t5 < 0) return;
    this.enqueue(t5);
    this.enqueue(t6);
  }

  private turn(a: number, b: number, c: number, d: number): void {
    const { position } = this;
    const isForward = this.next(a) === b;
    const from = position[isForward ? b : a] ?? 0;
    const to = position[isForward ? c : d] ?? 0;
    const inside = to - from + 1;
    const stretch = inside <= 0 ? inside + this.size : inside;
    if (2 * stretch <= this.size) this.reverse(from, to, stretch);
    else this.reverse(to + 1 === this.size ? 0 : to + 1, from === 0 ? this.size - 1 : from - 1, this.size - stretch);
  }

  /** Turns round the `stretch` nodes from one position to another and notes it. */
  private reverse(from: number, to: number, stretch: number): void {
    this.reverseQuietly(from, to, stretch);
    if (this.turned + 3 > this.turns.length) {
      const longer = new Int32Array(this.turns.length * 2);
      longer.set(this.turns);
      this.turns = longer;
    }
    this.turns[this.turned++] = from;
    this.turns[this.turned++] = to;
    this.turns[this.turned++] = stretch;
  }

  private reverseQuietly(from: number, to: number, stretch: number): void {
    const { order, position, size } = this;
    let left = from;
    let right = to;
    for (let pairs = stretch >> 1; pairs > 0; pairs--) {
      const a = order[left] ?? 0;
      const b = order[right] ?? 0;
      order[left] = b;
      position[b] = left;
      order[right] = a;
      position[a] = right;
      left = left + 1 === size ? 0 : left + 1;
      right = right === 0 ? size - 1 : right - 1;
    }
  }

  /** Swaps two short neighbouring stretches at a random place (a local double bridge), which local search cannot undo in one step. */
  kick(random: Random): void {
    const { size, order } = this;
    const longest = Math.min(LONGEST_STRETCH, Math.floor((size - 2) / 2));
    const start = random.below(size);
    const first = 1 + random.below(longest);
    const second = 1 + random.below(longest);
    const at = (steps: number) => order[(start + steps) % size] ?? 0;
    const [t1, t2, t5, t6] = [at(0), at(1), at(first), at(first + 1)];
    const [t3, t4] = [at(first + second), at(first + second + 1)];
    const removed = this.between(t1, t2) + this.between(t5, t6) + this.between(t3, t4);
    this.length += this.between(t1, t6) + this.between(t3, t2) + this.between(t5, t4) - removed;
    this.exchange('swap', { t1, t2, t3, t4, t5, t6 });
  }

  /** Takes back every turn since the last `forget`; `length` is what it was then. */
  rollback(length: number): void {
    for (let i = this.turned - 3; i >= 0; i -= 3) {
      this.reverseQuietly(this.turns[i] ?? 0, this.turns[i + 1] ?? 0, this.turns[i + 2] ?? 0);
    }
    this.length = length;
    this.turned = 0;
  }

  /** Makes everything so far final. */
  forget(): void {
    this.turned = 0;
  }
}

/** The nearest nodes of every node, one row of `width` per node. */
function nearest(cost: Int32Array, size: number, width: number): Int32Array {
  const near = new Int32Array(size * width);
  const keys = new Float64Array(size - 1);
  const slot = 2 ** Math.ceil(Math.log2(size + 1));
  for (let node = 0; node < size; node++) {
    let count = 0;
    for (let other = 0; other < size; other++) {
      // A leg below zero is one that must stay: nothing is to be joined there.
      const apart = cost[node * size + other] ?? 0;
      if (other !== node) keys[count++] = (apart < 0 ? 2 ** 30 : apart) * slot + other;
    }
    keys.sort();
    for (let rank = 0; rank < width; rank++) near[node * width + rank] = (keys[rank] ?? 0) % slot;
  }
  return near;
}
