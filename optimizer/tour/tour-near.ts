/**
 * The nodes worth joining to each node of a tour. Guarantees lists of equal length, nearest first; a leg below zero, which must stay, is in none.
 * Method: from the nearest nodes and some in every direction, so that lines and clusters do not only see themselves, those are kept whose
 * leg comes nearest to standing in a shortest spanning tree (Helsgaun 2000), after weights on the nodes made that tree like a tour (Held & Karp 1971).
 */
import { fullTree, type Graph, OneTree } from './spanning-tree.ts';

/** Candidates per node: the nearest, and those that lie in another direction than any nearer one. */
const NEAREST = 10;
const SPREAD = 6;
/** Nearest nodes looked through before all are. */
const KNOWN = 32;
/** More than any leg. */
const FARTHEST = 2 ** 31 - 1;
/** A node is behind a nearer one when the way from there is shorter than this share of the own way. */
const BEHIND_SHARE = 0.7;
/** Changes of the weights, the first as a share of the mean leg, and how much smaller each is than the one before. */
const ASCENT_ROUNDS = 60;
const FIRST_STEP = 0.1;
const STEP_FADE = 0.95;
/** Share of a change that the degrees decide now; the rest is how they were before. */
const NOW_SHARE = 0.7;

/** The KNOWN nearest nodes of every node, nearest first; -1 where there are no more. */
function nearestNodes(cost: Int32Array, size: number): Int32Array {
  const list = new Int32Array(size * KNOWN).fill(-1);
  const away = new Int32Array(KNOWN);
  for (let node = 0; node < size; node++) {
    const row = node * size;
    const first = node * KNOWN;
    let count = 0;
    let farthest = FARTHEST;
    for (let other = 0; other < size; other++) {
      const apart = cost[row + other] ?? 0;
      if (apart >= farthest || apart < 0 || other === node) continue;
      let at = count < KNOWN ? count++ : count - 1;
      for (; at > 0 && (away[at - 1] ?? 0) > apart; at--) {
        away[at] = away[at - 1] ?? 0;
        list[first + at] = list[first + at - 1] ?? 0;
      }
      away[at] = apart;
      list[first + at] = other;
      if (count === KNOWN) farthest = away[KNOWN - 1] ?? 0;
    }
  }
  return list;
}

/** Picks the nearest node, then the nearest of those that do not lie behind it, and so on. */
class Spread {
  readonly picks = new Int32Array(SPREAD);
  count = 0;
  private readonly cost: Int32Array;
  private readonly size: number;
  private readonly known: Int32Array;

  /** `known`: from `nearestNodes`. */
  constructor(cost: Int32Array, size: number, known: Int32Array) {
    this.cost = cost;
    this.size = size;
    this.known = known;
  }

  pickAround(node: number): void {
    const { known } = this;
    this.count = 0;
    let away = 0;
    for (let i = node * KNOWN; i < (node + 1) * KNOWN; i++) {
      const other = known[i] ?? -1;
      if (other < 0 || this.count === SPREAD) return;
      away = this.cost[node * this.size + other] ?? 0;
      if (!this.isBehind(other, away)) this.picks[this.count++] = other;
    }
    while (this.count < SPREAD) {
      const pick = this.nearestFrom(node, away);
      if (pick < 0) return;
      this.picks[this.count++] = pick;
    }
  }

  /** The nearest node that is behind no pick, of those not nearer than `away`. */
  private nearestFrom(node: number, away: number): number {
    const { cost, size } = this;
    const row = node * size;
    let pick = -1;
    let least = FARTHEST;
    for (let other = 0; other < size; other++) {
      const apart = cost[row + other] ?? 0;
      if (apart >= least || apart < away || other === node || this.isBehind(other, apart)) continue;
      least = apart;
      pick = other;
    }
    return pick;
  }

  private isBehind(other: number, apart: number): boolean {
    const { cost, size, picks } = this;
    if (apart === 0 && this.count > 0) return true;
    for (let rank = 0; rank < this.count; rank++) {
      const pick = picks[rank] ?? 0;
      if (pick === other || (cost[pick * size + other] ?? 0) < BEHIND_SHARE * apart) return true;
    }
    return false;
  }
}

/** The candidate pairs, joined by a tree so that they hang together. */
function candidates(cost: Int32Array, size: number): Graph {
  const rows: number[][] = Array.from({ length: size }, () => []);
  const put = (a: number, b: number) => {
    if (b < 0 || a === b || rows[a]?.includes(b)) return;
    rows[a]?.push(b);
    rows[b]?.push(a);
  };
  for (const [node, father] of fullTree(cost, size).entries()) put(node, father);
  const known = nearestNodes(cost, size);
  for (let node = 0; node < size; node++) {
    for (let rank = 0; rank < NEAREST; rank++) put(node, known[node * KNOWN + rank] ?? node);
  }
  const spread = new Spread(cost, size, known);
  for (let node = 0; node < size; node++) {
    spread.pickAround(node);
    for (const pick of spread.picks.subarray(0, spread.count)) put(node, pick);
  }
  const from = new Int32Array(size + 1);
  for (const [node, row] of rows.entries()) from[node + 1] = (from[node] ?? 0) + row.length;
  const to = new Int32Array(from[size] ?? 0);
  const legs = new Float64Array(to.length);
  for (const [node, row] of rows.entries()) {
    const first = from[node] ?? 0;
    for (const [i, other] of row.entries()) {
      to[first + i] = other;
      legs[first + i] = cost[node * size + other] ?? 0;
    }
  }
  return { size, from, to, cost: legs };
}

/** Raises the weight of nodes with many legs in the tree and lowers that of leaves, and leaves the tree with the best weights. */
function ascend(tree: OneTree, size: number, leg: number): Float64Array {
  const weight = new Float64Array(size);
  const best = new Float64Array(size);
  const before = new Float64Array(size);
  tree.build(weight);
  for (let node = 0; node < size; node++) before[node] = (tree.degree[node] ?? 0) - 2;
  let bound = tree.bound;
  let step = FIRST_STEP * leg;
  for (let round = 0; round < ASCENT_ROUNDS; round++) {
    for (let node = 0; node < size; node++) {
      const excess = (tree.degree[node] ?? 0) - 2;
      weight[node] = (weight[node] ?? 0) + step * (NOW_SHARE * excess + (1 - NOW_SHARE) * (before[node] ?? 0));
      before[node] = excess;
    }
    tree.build(weight);
    if (tree.bound > bound) {
      bound = tree.bound;
      best.set(weight);
    }
    step *= STEP_FADE;
  }
  tree.build(best);
  return best;
}

/** How much longer the tree becomes when it has to hold a leg. */
class Excess {
  private readonly tree: OneTree;
  private readonly mark: Int32Array;
  private readonly longest: Float64Array;
  private node = 0;

  constructor(tree: OneTree, size: number) {
    this.tree = tree;
    this.mark = new Int32Array(size).fill(-1);
    this.longest = new Float64Array(size);
  }

  /** Looks from a node: notes the longest leg on its way to each node above it. */
  from(node: number): void {
    const { father, key } = this.tree;
    this.node = node;
    this.mark[node] = node;
    this.longest[node] = Number.NEGATIVE_INFINITY;
    let longest = Number.NEGATIVE_INFINITY;
    for (let at = node; at !== 0; ) {
      longest = Math.max(longest, key[at] ?? 0);
      at = father[at] ?? 0;
      this.mark[at] = node;
      this.longest[at] = longest;
    }
  }

  /** `leg`: weighted. */
  of(other: number, leg: number): number {
    const { father, key, leaf, leafTo, leafCost } = this.tree;
    if (leaf === this.node || leaf === other) {
      const far = leaf === other ? this.node : other;
      return far === leafTo || far === father[leaf] ? 0 : Math.max(0, leg - leafCost);
    }
    let longest = Number.NEGATIVE_INFINITY;
    let at = other;
    for (; this.mark[at] !== this.node; at = father[at] ?? 0) longest = Math.max(longest, key[at] ?? 0);
    return Math.max(0, leg - Math.max(longest, this.longest[at] ?? 0));
  }
}

/** One row of `width` per node. `cost`: one row per node, symmetric; `leg`: its mean on a tour. */
export function tourNear(cost: Int32Array, size: number, leg: number, width: number): Int32Array {
  const graph = candidates(cost, size);
  const tree = new OneTree(graph);
  const weight = ascend(tree, size, leg);
  const excess = new Excess(tree, size);
  const near = new Int32Array(size * width);
  for (let node = 0; node < size; node++) {
    excess.from(node);
    const found: { other: number; apart: number; excess: number }[] = [];
    for (let i = graph.from[node] ?? 0; i < (graph.from[node + 1] ?? 0); i++) {
      const other = graph.to[i] ?? 0;
      const apart = graph.cost[i] ?? 0;
      if (apart < 0) continue;
      found.push({ other, apart, excess: excess.of(other, apart + (weight[node] ?? 0) + (weight[other] ?? 0)) });
    }
    found.sort((a, b) => a.excess - b.excess || a.apart - b.apart || a.other - b.other);
    const kept = found.slice(0, width).sort((a, b) => a.apart - b.apart || a.other - b.other);
    // A short row repeats its last node, which is then tried twice.
    for (let rank = 0; rank < width; rank++)
      near[node * width + rank] = kept[Math.min(rank, kept.length - 1)]?.other ?? 0;
  }
  return near;
}
