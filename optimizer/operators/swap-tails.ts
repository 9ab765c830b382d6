/**
 * 2-opt* (Potvin & Rousseau 1995): exchanges the ends of two routes, so that `u` and all behind it follow `v`. Guarantees the exact change of
 * cost also for vehicles with different rates or ends.
 */

import { endOf } from '../model.ts';
import type { Plan } from '../plan/plan.ts';
import { isFree, isOpenBehind, type Move, NO_MOVE, routeTicks, ticks } from './move.ts';

function exchanged(plan: Plan, u: number, v: number): { of: number[]; behind: number[] } {
  const { chain, model } = plan;
  const own = [...plan.stopsOf(chain.route[u] ?? 0)];
  const other = [...plan.stopsOf(chain.route[v] ?? 0)];
  const cut = own.indexOf(u);
  const after = v >= model.stops ? 0 : other.indexOf(v) + 1;
  return { of: [...own.slice(0, cut), ...other.slice(after)], behind: [...other.slice(0, after), ...own.slice(cut)] };
}

/** Whether only the two cut legs change: same legs, same end, no route begun or emptied. */
function isPlain(plan: Plan, u: number, v: number): boolean {
  const { chain, model } = plan;
  const [own, other] = [chain.route[u] ?? 0, chain.route[v] ?? 0];
  if (model.legs[own] !== model.legs[other]) return false;
  if (model.place[endOf(model, own)] !== model.place[endOf(model, other)]) return false;
  return (chain.prev[u] ?? 0) < model.stops && v < model.stops;
}

export const swapTails: Move = {
  name: 'swap-tails',
  delta(plan, u, v) {
    const { chain, model } = plan;
    const [own, other] = [chain.route[u] ?? 0, chain.route[v] ?? 0];
    if (own === other || !isFree(model, u) || !isOpenBehind(plan, v)) return NO_MOVE;
    const before = chain.prev[u] ?? 0;
    if (isPlain(plan, u, v)) {
      const behind = chain.next[v] ?? 0;
      const now = ticks(model, own, before, u) + ticks(model, other, v, behind);
      return ticks(model, other, v, u) + ticks(model, own, before, behind) - now;
    }
    if (before >= model.stops && v >= model.stops) return NO_MOVE;
    const { of, behind } = exchanged(plan, u, v);
    const now = routeTicks(model, own, [...plan.stopsOf(own)]) + routeTicks(model, other, [...plan.stopsOf(other)]);
    return routeTicks(model, own, of) + routeTicks(model, other, behind) - now;
  },
  routes(plan, u, v) {
    const { of, behind } = exchanged(plan, u, v);
    return [
      { vehicle: plan.chain.route[u] ?? 0, stops: of },
      { vehicle: plan.chain.route[v] ?? 0, stops: behind },
    ];
  },
};
