/**
 * Shortest spanning trees, the skeleton of short tours. Guarantees trees over all nodes of a connected graph; ties fall the same way on
 * every machine.
 */

/** Pairs of nodes, each in the rows of both: row of a node = entries from[node] up to from[node + 1]. */
export interface Graph {
  readonly size: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly cost: Float64Array;
}

/** Father of every node in a shortest tree over all pairs, the root's its own (Prim 1957). `cost`: one row per node, symmetric. */
export function fullTree(cost: Int32Array, size: number): Int32Array {
  const father = new Int32Array(size);
  const key = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  const outside = Int32Array.from({ length: size - 1 }, (_, i) => i + 1);
  let at = 0;
  for (let count = size - 1; count > 0; count--) {
    let least = Number.POSITIVE_INFINITY;
    let pick = 0;
    for (let i = 0; i < count; i++) {
      const node = outside[i] ?? 0;
      const apart = cost[at * size + node] ?? 0;
      if (apart < (key[node] ?? 0)) {
        key[node] = apart;
        father[node] = at;
      }
      if ((key[node] ?? 0) >= least) continue;
      least = key[node] ?? 0;
      pick = i;
    }
    at = outside[pick] ?? 0;
    outside[pick] = outside[count - 1] ?? 0;
  }
  return father;
}

/** Nodes by their keys, the least first out: a binary heap with the place of each node. */
class Heap {
  length = 0;
  private readonly nodes: Int32Array;
  private readonly place: Int32Array;
  private readonly key: Float64Array;

  constructor(key: Float64Array) {
    this.key = key;
    this.nodes = new Int32Array(key.length);
    this.place = new Int32Array(key.length).fill(-1);
  }

  clear(): void {
    this.length = 0;
    this.place.fill(-1);
  }

  /** After the key of a node fell, or for a new one. */
  rise(node: number): void {
    const { nodes, place, key } = this;
    const own = key[node] ?? 0;
    let at = place[node] ?? -1;
    if (at < 0) at = this.length++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = nodes[above] ?? 0;
      if ((key[other] ?? 0) <= own) break;
      nodes[at] = other;
      place[other] = at;
      at = above;
    }
    nodes[at] = node;
    place[node] = at;
  }

  takeLeast(): number {
    const { nodes, place, key } = this;
    const least = nodes[0] ?? 0;
    const last = nodes[--this.length] ?? 0;
    const own = key[last] ?? 0;
    let at = 0;
    for (let below = 1; below < this.length; below = 2 * at + 1) {
      const isRight = below + 1 < this.length && (key[nodes[below + 1] ?? 0] ?? 0) < (key[nodes[below] ?? 0] ?? 0);
      if (isRight) below++;
      const other = nodes[below] ?? 0;
      if ((key[other] ?? 0) >= own) break;
      nodes[at] = other;
      place[other] = at;
      at = below;
    }
    nodes[at] = last;
    place[last] = at;
    return least;
  }
}

/**
 * The shortest tree of a graph whose nodes carry weights, and one leg more at the leaf that pays most for it: no tour is shorter than
 * `bound` (Held & Karp 1970).
 */
export class OneTree {
  readonly father: Int32Array;
  /** Weighted leg to the father. */
  readonly key: Float64Array;
  readonly degree: Int32Array;
  bound = 0;
  /** The leaf with the leg more, where that leads and its weighted length. */
  leaf = 0;
  leafTo = 0;
  leafCost = 0;
  private readonly graph: Graph;
  private readonly heap: Heap;
  private readonly isDone: Uint8Array;

  constructor(graph: Graph) {
    const { size } = graph;
    this.graph = graph;
    this.father = new Int32Array(size);
    this.key = new Float64Array(size);
    this.degree = new Int32Array(size);
    this.isDone = new Uint8Array(size);
    this.heap = new Heap(this.key);
  }

  build(weight: Float64Array): void {
    const { key, father, degree, heap, isDone } = this;
    key.fill(Number.POSITIVE_INFINITY);
    degree.fill(0);
    isDone.fill(0);
    heap.clear();
    key[0] = 0;
    heap.rise(0);
    let length = 0;
    while (heap.length > 0) {
      const node = heap.takeLeast();
      isDone[node] = 1;
      this.reach(node, weight);
      length -= 2 * (weight[node] ?? 0);
      if (node === 0) continue;
      length += key[node] ?? 0;
      const above = father[node] ?? 0;
      degree[node] = (degree[node] ?? 0) + 1;
      degree[above] = (degree[above] ?? 0) + 1;
    }
    this.closeLeaf(weight);
    this.bound = length + this.leafCost;
  }

  private reach(node: number, weight: Float64Array): void {
    const { from, to, cost } = this.graph;
    const own = weight[node] ?? 0;
    for (let i = from[node] ?? 0; i < (from[node + 1] ?? 0); i++) {
      const other = to[i] ?? 0;
      const leg = (cost[i] ?? 0) + own + (weight[other] ?? 0);
      if (this.isDone[other] === 1 || leg >= (this.key[other] ?? 0)) continue;
      this.key[other] = leg;
      this.father[other] = node;
      this.heap.rise(other);
    }
  }

  private closeLeaf(weight: Float64Array): void {
    const { father, degree } = this;
    const { size, from, to, cost } = this.graph;
    this.leafCost = Number.NEGATIVE_INFINITY;
    for (let node = 1; node < size; node++) {
      if (degree[node] !== 1) continue;
      let least = Number.POSITIVE_INFINITY;
      let nearest = -1;
      for (let i = from[node] ?? 0; i < (from[node + 1] ?? 0); i++) {
        const leg = (cost[i] ?? 0) + (weight[node] ?? 0) + (weight[to[i] ?? 0] ?? 0);
        if (to[i] === father[node] || leg >= least) continue;
        least = leg;
        nearest = to[i] ?? 0;
      }
      if (nearest < 0 || least <= this.leafCost) continue;
      this.leaf = node;
      this.leafTo = nearest;
      this.leafCost = least;
    }
    if (this.leafCost === Number.NEGATIVE_INFINITY) {
      this.leafCost = 0;
      return;
    }
    degree[this.leaf] = (degree[this.leaf] ?? 0) + 1;
    degree[this.leafTo] = (degree[this.leafTo] ?? 0) + 1;
  }
}
