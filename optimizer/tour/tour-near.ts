/**
 * The nodes worth joining to each node of a tour. Guarantees lists of equal length, nearest first; a leg below zero, which must stay, is in none.
 * Method: from the nearest nodes and some in every direction, so that lines and clusters do not only see themselves, those are kept whose
 * leg comes nearest to standing in a shortest spanning tree (Helsgaun 2000), after weights on the nodes made that tree like a tour (Held & Karp 1971).
 */
import { fullTree, type Graph, OneTree } from './spanning-tree.ts';

/** Candidates per node: the nearest, and those that lie in another direction than any nearer one. */
const NEAREST = 10;
const SPREAD = 6;
/** A node is behind a nearer one when the way from there is shorter than this share of the own way. */
const BEHIND_SHARE = 0.7;
/** Changes of the weights, the first as a share of the mean leg, and how much smaller each is than the one before. */
const ASCENT_ROUNDS = 60;
const FIRST_STEP = 0.1;
const STEP_FADE = 0.95;
/** Share of a change that the degrees decide now; the rest is how they were before. */
const NOW_SHARE = 0.7;

type Put = (a: number, b: number) => void;

/** The nearest nodes of every node. */
function putNearest(cost: Int32Array, size: number, put: Put): void {
  const keys = new Float64Array(NEAREST + 1);
  const slot = 2 ** Math.ceil(Math.log2(size + 1));
  for (let node = 0; node < size; node++) {
    let count = 0;
    for (let other = 0; other < size; other++) {
      const apart = cost[node * size + other] ?? 0;
      if (other === node || apart < 0) continue;
      const key = apart * slot + other;
      if (count === NEAREST && key >= (keys[count - 1] ?? 0)) continue;
      let at = count < NEAREST ? count++ : count - 1;
      for (; at > 0 && (keys[at - 1] ?? 0) > key; at--) keys[at] = keys[at - 1] ?? 0;
      keys[at] = key;
    }
    for (let rank = 0; rank < count; rank++) put(node, (keys[rank] ?? 0) % slot);
  }
}

/** The nearest node, then the nearest of those that do not lie behind it, and so on. */
function putSpread(cost: Int32Array, size: number, put: Put): void {
  const open = new Int32Array(size);
  for (let node = 0; node < size; node++) {
    const row = node * size;
    let count = 0;
    for (let other = 0; other < size; other++)
      if (other !== node && (cost[row + other] ?? 0) >= 0) open[count++] = other;
    for (let rank = 0; rank < SPREAD && count > 0; rank++) {
      let pick = open[0] ?? 0;
      for (let i = 1; i < count; i++)
        if ((cost[row + (open[i] ?? 0)] ?? 0) < (cost[row + pick] ?? 0)) pick = open[i] ?? 0;
      put(node, pick);
      let left = 0;
      for (let i = 0; i < count; i++) {
        const other = open[i] ?? 0;
        const apart = cost[row + other] ?? 0;
        const isBehind = apart === 0 || (cost[pick * size + other] ?? 0) < BEHIND_SHARE * apart;
        if (!isBehind && other !== pick) open[left++] = other;
      }
      count = left;
    }
  }
}

/** The candidate pairs, joined by a tree so that they hang together. */
function candidates(cost: Int32Array, size: number): Graph {
  const rows: Set<number>[] = Array.from({ length: size }, () => new Set());
  const put = (a: number, b: number) => {
    if (a === b) return;
    rows[a]?.add(b);
    rows[b]?.add(a);
  };
  for (const [node, father] of fullTree(cost, size).entries()) put(node, father);
  putNearest(cost, size, put);
  putSpread(cost, size, put);
  const from = new Int32Array(size + 1);
  for (const [node, row] of rows.entries()) from[node + 1] = (from[node] ?? 0) + row.size;
  const to = Int32Array.from(rows.flatMap((row) => [...row]));
  const legs = Float64Array.from(
    rows.flatMap((row, node) => Array.from(row, (other) => cost[node * size + other] ?? 0)),
  );
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
