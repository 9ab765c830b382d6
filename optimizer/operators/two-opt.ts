/**
 * 2-opt (Croes 1958): turns round the part of a route between `v` and `u`, so that `u` comes to stand behind `v`. Guarantees the exact change
 * of cost also where both directions of a leg differ: the part is summed up both ways.
 */
import type { Plan } from '../plan/plan.ts';
import { isFree, type Move, NO_MOVE, ticksAlong } from './move.ts';

/** The stops behind v up to u, in order; empty when u does not come behind v or fixed stops lie between. */
function between(plan: Plan, v: number, u: number): number[] {
  const { chain, model } = plan;
  const nodes: number[] = [];
  for (let node = chain.next[v] ?? 0; isFree(model, node); node = chain.next[node] ?? 0) {
    nodes.push(node);
    if (node === u) return nodes;
  }
  return [];
}

export const twoOpt: Move = {
  name: 'two-opt',
  delta(plan, u, v) {
    const { chain, model } = plan;
    const vehicle = chain.route[u] ?? 0;
    if (chain.route[v] !== vehicle || u === v || chain.next[v] === u) return NO_MOVE;
    const nodes = between(plan, v, u);
    if (nodes.length === 0) return NO_MOVE;
    const behind = chain.next[u] ?? 0;
    const turned = ticksAlong(model, vehicle, [v, ...nodes.toReversed(), behind]);
    return turned - ticksAlong(model, vehicle, [v, ...nodes, behind]);
  },
  routes(plan, u, v) {
    const vehicle = plan.chain.route[u] ?? 0;
    const nodes = between(plan, v, u);
    const stops = [...plan.stopsOf(vehicle)];
    stops.splice(stops.indexOf(nodes[0] ?? u), nodes.length, ...nodes.toReversed());
    return [{ vehicle, stops }];
  },
};
