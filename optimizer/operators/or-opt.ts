/**
 * Or-opt (Or 1976): moves a chain of stops, straight or turned round, behind another node of the same or another route. Guarantees the exact
 * change of cost also when both directions of a leg differ and when the routes' vehicles have different rates.
 */
import type { Plan } from '../plan/plan.ts';
import { insertionTicks, isFree, isOpenBehind, type Move, NO_MOVE, rebuilt, removalGain, ticksAlong } from './move.ts';

/** The chain of `count` free stops from u on, or an empty list when there is none or v is part of it. */
function chainFrom(plan: Plan, u: number, count: number, v: number): number[] {
  const nodes: number[] = [];
  for (let node = u; nodes.length < count; node = plan.chain.next[node] ?? 0) {
    if (!isFree(plan.model, node) || node === v) return [];
    nodes.push(node);
  }
  return nodes;
}

/** The move for chains of one length, in one direction. */
export function orOpt(count: number, isTurned: boolean): Move {
  return {
    name: `or-opt ${count}${isTurned ? ' turned' : ''}`,
    delta(plan, u, v) {
      const { chain, model } = plan;
      const nodes = chainFrom(plan, u, count, v);
      const last = nodes.at(-1);
      if (last === undefined || chain.prev[u] === v || !isOpenBehind(plan, v)) return NO_MOVE;
      const placed = isTurned ? nodes.toReversed() : nodes;
      const inside = ticksAlong(model, chain.route[v] ?? 0, placed) - ticksAlong(model, chain.route[u] ?? 0, nodes);
      const added = insertionTicks(plan, placed[0] ?? u, placed.at(-1) ?? u, v);
      return added - removalGain(plan, u, last, count) + inside;
    },
    routes(plan, u, v) {
      const { route } = plan.chain;
      const nodes = chainFrom(plan, u, count, v);
      const placed = isTurned ? nodes.toReversed() : nodes;
      const [from, to] = [route[u] ?? 0, route[v] ?? 0];
      if (from === to) return [rebuilt(plan, from, nodes, { v, stops: placed })];
      return [rebuilt(plan, from, nodes), rebuilt(plan, to, [], { v, stops: placed })];
    },
  };
}
