/** Swap: exchanges a stop with the one behind `v`, in the same or another route, so that it comes to stand behind `v`. */
import type { Plan } from '../plan/plan.ts';
import { isFree, type Move, NO_MOVE, ticks } from './move.ts';

/** Ticks of replacing a stop where it stands by another. */
function replacement(plan: Plan, stop: number, by: number): number {
  const { model, chain } = plan;
  const vehicle = chain.route[stop] ?? 0;
  const before = chain.prev[stop] ?? 0;
  const behind = chain.next[stop] ?? 0;
  const now = ticks(model, vehicle, before, stop) + ticks(model, vehicle, stop, behind);
  return ticks(model, vehicle, before, by) + ticks(model, vehicle, by, behind) - now;
}

export const swap: Move = {
  name: 'swap',
  delta(plan, u, v) {
    const { chain, model } = plan;
    const other = chain.next[v] ?? 0;
    if (other === u || u === v || !isFree(model, u) || !isFree(model, other)) return NO_MOVE;
    // Side by side they share a leg; moving one of them past the other is a relocation.
    if (chain.next[u] === other || chain.next[other] === u) return NO_MOVE;
    return replacement(plan, u, other) + replacement(plan, other, u);
  },
  routes(plan, u, v) {
    const { chain } = plan;
    const other = chain.next[v] ?? 0;
    const vehicles = new Set([chain.route[u] ?? 0, chain.route[other] ?? 0]);
    const exchanged = (stop: number) => {
      if (stop === u) return other;
      return stop === other ? u : stop;
    };
    return [...vehicles].map((vehicle) => ({ vehicle, stops: plan.stopsOf(vehicle).map(exchanged) }));
  },
};
