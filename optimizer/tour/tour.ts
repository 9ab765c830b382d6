/**
 * Local search on a closed tour with symmetric costs. Guarantees: `length` is exact after every change; a change can be taken back. Method: Lin & Kernighan
 * 1973 with steps of two or three legs (case analysis as in Helsgaun 2000) over lists of promising neighbours and a queue of nodes
 * whose legs changed (Bentley 1992). When no step shortens the tour, the one that leaves most to gain is made all the same
 * and followed by exchanges of two legs, which are taken back unless the tour gets shorter on the way.
 */
import type { Random } from '../random.ts';
import { tourNear } from './tour-near.ts';
import { TourOrder } from './tour-order.ts';

/** Nodes tried as the first, as the second and as each further new neighbour. */
const FIRST_WIDTH = 8;
const SECOND_WIDTH = 3;
const FURTHER_WIDTH = 5;
/** Exchanges that may follow the first step. */
const DEPTH = 25;

/** Kicks: longest stretch exchanged, or steps over neighbours from one removed leg to the next, and attempts to find other legs. */
const LONGEST_STRETCH = 30;
const WALK = 10;
const WALKS = 20;
const FEWEST_TO_KICK = 8;
const BRIDGE_LEGS = 4;

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
  private readonly path: TourOrder;
  private readonly position: Int32Array;
  private readonly cost: Int32Array;
  private readonly near: Int32Array;
  /** Legs to them. */
  private readonly nearLegs: Int32Array;
  private readonly width: number;
  private readonly secondWidth: number;
  private readonly queue: Int32Array;
  private readonly isQueued: Uint8Array;
  private head = 0;
  private waiting = 0;
  /** Best step around one node, and the one that leaves most to gain before it is closed. */
  private readonly best: Nodes = { t1: 0, t2: 0, t3: 0, t4: 0, t5: 0, t6: 0 };
  private bestGain = 0;
  private bestKind: Kind = 'turn';
  private readonly open: Nodes = { t1: 0, t2: 0, t3: 0, t4: 0, t5: 0, t6: 0 };
  private openGain = 0;
  private openKind: Kind = 'turn';
  /** Legs joined by the exchanges that follow a step, both ends of each. */
  private readonly joined = new Int32Array(2 * DEPTH);
  /** Step being tried, as seen along the tour from t2 to t1, forwards or backwards. */
  private t1 = 0;
  private t2 = 0;
  private t3 = 0;
  private t4 = 0;
  /** Steps from t2 to t3, away from t1. */
  private border = 0;
  private isForward = true;

  /** `cost`: one row per node, symmetric; `order`: the tour to begin with. */
  constructor(cost: Int32Array, order: Int32Array) {
    const size = order.length;
    this.size = size;
    this.cost = cost;
    this.order = order;
    this.path = new TourOrder(order);
    this.position = this.path.position;
    this.queue = new Int32Array(size);
    this.isQueued = new Uint8Array(size);
    let kept = 0;
    for (const node of order) {
      const leg = this.between(node, this.next(node));
      this.length += leg;
      kept += Math.max(0, leg);
      this.enqueue(node);
    }
    this.width = Math.min(FIRST_WIDTH, size - 1);
    this.secondWidth = Math.min(SECOND_WIDTH, this.width);
    this.near = tourNear(cost, size, kept / size, this.width);
    this.nearLegs = this.near.map((other, i) => this.between(Math.floor(i / this.width), other));
  }

  private between(a: number, b: number): number {
    return this.cost[a * this.size + b] ?? 0;
  }

  private next(node: number): number {
    return this.path.next(node);
  }

  private prev(node: number): number {
    return this.path.prev(node);
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
    this.openGain = 0;
    this.searchFrom(t1, true);
    this.searchFrom(t1, false);
    if (this.bestGain <= 0) return this.openGain > 0 && this.deepen();
    this.length -= this.bestGain;
    this.exchange(this.bestKind, this.best);
    this.enqueueAll(this.best);
    return true;
  }

  /** Makes the open step and goes on from its end by exchanges of two legs. False, and nothing changed, when that gains nothing. */
  private deepen(): boolean {
    const { path, joined } = this;
    const { t1, t4, t5, t6 } = this.open;
    const mark = path.mark;
    this.exchange(this.openKind, this.open);
    let end = t5 < 0 ? t4 : t6;
    let gain = this.openGain;
    for (let depth = 0; depth < 2 * DEPTH; depth += 2) {
      const isForward = this.next(t1) === end;
      const to = this.furthest(t1, end, gain, depth);
      if (to < 0) break;
      const before = isForward ? this.prev(to) : this.next(to);
      path.turn(t1, end, before, to);
      joined[depth] = end;
      joined[depth + 1] = to;
      gain += this.between(before, to) - this.between(end, to);
      end = before;
      const closed = gain - this.between(end, t1);
      if (closed <= 0) continue;
      this.length -= closed;
      this.enqueueAll(this.open);
      for (let i = 0; i < depth + 2; i++) this.enqueue(joined[i] ?? 0);
      this.enqueue(end);
      return true;
    }
    path.takeBack(mark);
    return false;
  }

  /** The node to join with the end of the way from t1 round to it that leaves most to gain, or the first that closes with a gain; -1 if none does. */
  private furthest(t1: number, end: number, gain: number, depth: number): number {
    const isForward = this.next(t1) === end;
    let best = -1;
    let most = 0;
    const first = end * this.width;
    for (let i = first; i < first + Math.min(FURTHER_WIDTH, this.width); i++) {
      const open = gain - (this.nearLegs[i] ?? 0);
      if (open <= 0) break;
      const to = this.near[i] ?? 0;
      const before = isForward ? this.prev(to) : this.next(to);
      if (before === end || to === t1 || this.isJoined(before, to, depth)) continue;
      const left = open + this.between(before, to);
      if (left > this.between(before, t1)) return to;
      if (left <= most) continue;
      most = left;
      best = to;
    }
    return best;
  }

  private isJoined(a: number, b: number, depth: number): boolean {
    const { joined } = this;
    for (let i = 0; i < depth; i += 2) {
      if ((joined[i] === a && joined[i + 1] === b) || (joined[i] === b && joined[i + 1] === a)) return true;
    }
    return false;
  }

  /** Tries all exchanges that begin by removing the leg from t1 to the node ahead of it. */
  private searchFrom(t1: number, isForward: boolean): void {
    const { near, nearLegs, width, size, cost } = this;
    const t2 = isForward ? this.next(t1) : this.prev(t1);
    const removed = cost[t1 * size + t2] ?? 0;
    this.t1 = t1;
    this.t2 = t2;
    this.isForward = isForward;
    const last = (t2 + 1) * width;
    for (let i = t2 * width; i < last; i++) {
      const gain = removed - (nearLegs[i] ?? 0);
      if (gain <= 0) return;
      const t3 = near[i] ?? 0;
      this.t3 = t3;
      this.border = this.stepsTo(t3);
      const next = this.next(t3);
      const prev = this.prev(t3);
      const before = isForward ? prev : next;
      const behind = isForward ? next : prev;
      if (before !== t2) this.extendPath(before, gain + (cost[t3 * size + before] ?? 0));
      if (behind !== t2 && behind !== t1) this.extendCycle(behind, gain + (cost[t3 * size + behind] ?? 0));
    }
  }

  /** Steps from t2 to a node, away from t1. */
  private stepsTo(node: number): number {
    const { position, isForward, size } = this;
    const ahead = (position[node] ?? 0) - (position[this.t2] ?? 0);
    const steps = isForward ? ahead : -ahead;
    return steps < 0 ? steps + size : steps;
  }

  /** t4 stands before t3: joining t1 and t4 closes a tour; else a third leg goes, from the turned or from the other part. */
  private extendPath(t4: number, gain: number): void {
    const { t1, t2, t3, border, isForward, near, nearLegs, cost, size, width } = this;
    const { order, position } = this;
    this.t4 = t4;
    if (gain > this.bestGain) this.keep('turn', gain, -1, -1);
    const from = position[t2] ?? 0;
    const first = t4 * width;
    for (let i = first; i < first + this.secondWidth; i++) {
      const open = gain - (nearLegs[i] ?? 0);
      if (open <= 0) return;
      const t5 = near[i] ?? 0;
      if (t5 === t3 || t5 === t1) continue;
      const at = position[t5] ?? 0;
      let rank = isForward ? at - from : from - at;
      if (rank < 0) rank += size;
      const isTurned = rank < border;
      const t6 =
        isTurned === isForward
          ? (order[at + 1 === size ? 0 : at + 1] ?? 0)
          : (order[at === 0 ? size - 1 : at - 1] ?? 0);
      if (t6 === t4) continue;
      const opened = open + (cost[t5 * size + t6] ?? 0);
      if (opened > this.bestGain) this.keep('turn twice', opened, t5, t6);
    }
  }

  /** t4 stands behind t3: t2..t3 would become a cycle of its own, so the third leg must be one of it. */
  private extendCycle(t4: number, gain: number): void {
    const { t2, t3, border, isForward, near, nearLegs, cost, size, width } = this;
    const { order, position } = this;
    this.t4 = t4;
    const from = position[t2] ?? 0;
    const first = t4 * width;
    for (let i = first; i < first + this.secondWidth; i++) {
      const open = gain - (nearLegs[i] ?? 0);
      if (open <= 0) return;
      const t5 = near[i] ?? 0;
      const at = position[t5] ?? 0;
      let rank = isForward ? at - from : from - at;
      if (rank < 0) rank += size;
      if (t5 === t3 || rank > border) continue;
      const next = order[at + 1 === size ? 0 : at + 1] ?? 0;
      const prev = order[at === 0 ? size - 1 : at - 1] ?? 0;
      const behind = isForward ? next : prev;
      const swapped = open + (cost[t5 * size + behind] ?? 0);
      if (swapped > this.bestGain) this.keep('swap', swapped, t5, behind);
      if (t5 === t2) continue;
      const before = isForward ? prev : next;
      const turned = open + (cost[t5 * size + before] ?? 0);
      if (turned > this.bestGain) this.keep('turn both', turned, t5, before);
    }
  }

  /** `open`: what is left to gain before the last leg closes the tour. */
  private keep(kind: Kind, open: number, t5: number, t6: number): void {
    if (open > this.openGain) {
      this.openGain = open;
      this.openKind = kind;
      this.note(this.open, t5, t6);
    }
    const gain = open - this.between(t5 < 0 ? this.t4 : t6, this.t1);
    if (gain <= this.bestGain) return;
    this.bestGain = gain;
    this.bestKind = kind;
    this.note(this.best, t5, t6);
  }

  private note(nodes: Nodes, t5: number, t6: number): void {
    nodes.t1 = this.t1;
    nodes.t2 = this.t2;
    nodes.t3 = this.t3;
    nodes.t4 = this.t4;
    nodes.t5 = t5;
    nodes.t6 = t6;
  }

  /** Makes an exchange as a row of turns. Each line removes the legs (1st, 2nd), (3rd, 4th) and joins 1st with 3rd, 2nd with 4th. */
  private exchange(kind: Kind, nodes: Nodes): void {
    const { t1, t2, t3, t4, t5, t6 } = nodes;
    const { path } = this;
    if (kind === 'turn' || kind === 'turn twice') path.turn(t1, t2, t4, t3);
    if (kind === 'turn twice') path.turn(t1, t4, t6, t5);
    if (kind === 'swap') {
      path.turn(t1, t2, t3, t4);
      path.turn(t1, t3, t6, t5);
      path.turn(t3, t5, t2, t4);
    }
    if (kind === 'turn both') {
      path.turn(t1, t2, t6, t5);
      path.turn(t2, t5, t3, t4);
    }
  }

  private enqueueAll({ t1, t2, t3, t4, t5, t6 }: Nodes): void {
    this.enqueue(t1);
    this.enqueue(t2);
    this.enqueue(t3);
    this.enqueue(t4);
    if (t5 < 0) return;
    this.enqueue(t5);
    this.enqueue(t6);
  }

  /**
   * A double bridge, which local search cannot undo in one go: removes four legs and puts the stretches between the first and the last in
   * opposite order. Half the kicks take short neighbouring stretches, half take legs that lie near each other.
   */
  kick(random: Random): void {
    const { size, order } = this;
    if (size < FEWEST_TO_KICK) return;
    if (random.below(2) === 0) {
      const legs = this.legsAround(random);
      if (legs) this.bridge(legs);
      return;
    }
    const longest = Math.min(LONGEST_STRETCH, Math.floor((size - 2) / 3));
    let at = random.below(size);
    const legs = [order[at] ?? 0];
    while (legs.length < BRIDGE_LEGS) {
      at = (at + 1 + random.below(longest)) % size;
      legs.push(order[at] ?? 0);
    }
    this.bridge(legs);
  }

  /** Nodes before four legs, in the order of the tour, found by walks from one node. */
  private legsAround(random: Random): number[] | null {
    const { position, near, width } = this;
    const from = random.below(this.size);
    const legs = [from];
    for (let walk = 0; walk < WALKS && legs.length < BRIDGE_LEGS; walk++) {
      let at = from;
      for (let step = 0; step < WALK; step++) at = near[at * width + random.below(width)] ?? 0;
      if (!legs.includes(at)) legs.push(at);
    }
    if (legs.length < BRIDGE_LEGS) return null;
    return legs.sort((a, b) => (position[a] ?? 0) - (position[b] ?? 0));
  }

  /** a [b..c] [d..e] [f..g] h becomes a [f..g] [d..e] [b..c] h; given a, c, e and g. */
  private bridge([a = 0, c = 0, e = 0, g = 0]: readonly number[]): void {
    const { path } = this;
    const [b, d, f, h] = [this.next(a), this.next(c), this.next(e), this.next(g)];
    const removed = this.between(a, b) + this.between(c, d) + this.between(e, f) + this.between(g, h);
    this.length += this.between(a, f) + this.between(g, d) + this.between(e, b) + this.between(c, h) - removed;
    path.turn(a, b, g, h);
    path.turn(a, g, f, e);
    path.turn(g, e, d, c);
    path.turn(e, c, b, h);
    for (const node of [a, b, c, d, e, f, g, h]) this.enqueue(node);
  }

  /** Takes back every change since the last `forget`; `length` is what it was then. */
  rollback(length: number): void {
    this.path.takeBack(0);
    this.length = length;
  }

  /** Makes everything so far final. */
  forget(): void {
    this.path.forget();
  }
}
