/** Relocate: moves one stop behind another node of the same or another route. The shortest Or-opt, with a cheaper sum. */
import { insertionTicks, isFree, isOpenBehind, type Move, NO_MOVE, rebuilt, removalGain } from './move.ts';

export const relocate: Move = {
  name: 'relocate',
  delta(plan, u, v) {
    if (u === v || plan.chain.prev[u] === v || !isFree(plan.model, u) || !isOpenBehind(plan, v)) return NO_MOVE;
    return insertionTicks(plan, u, u, v) - removalGain(plan, u, u, 1);
  },
  routes(plan, u, v) {
    const { route } = plan.chain;
    const [from, to] = [route[u] ?? 0, route[v] ?? 0];
    if (from === to) return [rebuilt(plan, from, [u], { v, stops: [u] })];
    return [rebuilt(plan, from, [u]), rebuilt(plan, to, [], { v, stops: [u] })];
  },
};
