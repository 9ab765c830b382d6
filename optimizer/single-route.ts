/**
 * One vehicle, nothing but driving to weigh: a travelling salesman problem, for which exchanging legs beats ruin and recreate by far. Where
 * the directions of a leg differ, their mean is exchanged first and ruin and recreate goes on from there with the real ones. Guarantees: used only when every order of the stops keeps all promises; never ends worse than it began.
 * Method: iterated local search with local double bridges over Or-3opt (Johnson & McGeoch 1997). A missing or different end is tied to the
 * start by a leg so cheap that it is never removed.
 */
import { legsOf } from './chain.ts';
import { LocalSearch } from './local-search.ts';
import { endOf, type Model, startOf } from './model.ts';
import type { Neighbours } from './neighbours.ts';
import type { Plan } from './plan.ts';
import { canDrive } from './route-check.ts';
import { RuinRecreate } from './ruin-recreate.ts';
import type { Search } from './search.ts';
import { Tour } from './tour.ts';
import { firstTour } from './tour-start.ts';

const FEWEST_STOPS = 8;
/** Temperatures as shares of the mean leg. */
const HOT = 0.3;
const COLD = 0.03;
const TIED = -(2 ** 28);
/** Where directions differ: share of the budget for their mean, share after which local search polishes, and how cool the rest is. */
const MEAN_SHARE = 0.4;
const RUIN_SHARE = 0.97;
const DIRECTED_COOLING: [number, number] = [0.5, 1];

function isSuited(plan: Plan): boolean {
  const { model } = plan;
  if (model.vehicles !== 1 || model.stops < FEWEST_STOPS || plan.absentCount > 0) return false;
  if (model.timed || model.mixedLoad || model.optional.includes(1) || model.lockedTo.some((vehicle) => vehicle >= 0))
    return false;
  const isLimited =
    (model.maxSeconds[0] ?? 0) < Number.POSITIVE_INFINITY || (model.maxMetres[0] ?? 0) < Number.POSITIVE_INFINITY;
  return !isLimited;
}

function isSymmetric(model: Model): boolean {
  const { cost, costInto } = legsOf(model, 0);
  return cost === costInto;
}

/** Cost between all nodes of the tour, the mean of both directions: the stops, the start and, if it is elsewhere, the end. */
function tourCost(model: Model, nodes: readonly number[]): Int32Array {
  const { cost, costInto } = legsOf(model, 0);
  const size = nodes.length;
  const table = new Int32Array(size * size);
  for (let from = 0; from < size; from++) {
    const row = (model.place[nodes[from] ?? 0] ?? 0) * model.places;
    for (let to = 0; to < size; to++) {
      const leg = row + (model.place[nodes[to] ?? 0] ?? 0);
      table[from * size + to] = Math.round(((cost[leg] ?? 0) + (costInto[leg] ?? 0)) / 2);
    }
  }
  if (size > model.stops + 1) {
    table[(size - 2) * size + size - 1] = TIED;
    table[(size - 1) * size + size - 2] = TIED;
  }
  return table;
}

/** Stops in the order of the tour, from the start on, away from the end. */
function stopsAlong(model: Model, order: Int32Array): number[] {
  const { stops } = model;
  const size = order.length;
  const start = order.indexOf(stops);
  const along = Array.from(order, (_, i) => order[(start + i) % size] ?? 0);
  // With a separate end, the tour may run from the start straight to the end: then it is read backwards.
  const isBackwards = size > stops + 1 && along[1] === stops + 1;
  const route = along.filter((node) => node < stops);
  return isBackwards ? route.reverse() : route;
}

function tourLength(cost: Int32Array, order: Int32Array): number {
  let length = 0;
  for (const [at, node] of order.entries())
    length += cost[node * order.length + (order[(at + 1) % order.length] ?? 0)] ?? 0;
  return length;
}

/** Improves the only route of a plan until the budget is used; false when the problem is of another kind. */
export function improveSingleRoute(plan: Plan, near: Neighbours, search: Search): boolean {
  if (!isSuited(plan)) return false;
  const { model } = plan;
  const [start, end] = [startOf(model, 0), endOf(model, 0)];
  const isClosed = model.place[start] === model.place[end];
  // The start is node `stops` of the tour, the end, if separate, the one behind it.
  const closed = (stops: Int32Array) =>
    Int32Array.from(isClosed ? [...stops, model.stops] : [...stops, model.stops + 1, model.stops]);
  const given = closed(plan.stopsOf(0));
  const nodes = Array.from(given, (_, node) => {
    if (node < model.stops) return node;
    return node === model.stops ? start : end;
  });
  const cost = tourCost(model, nodes);
  const between = (a: number, b: number) => cost[a * nodes.length + b] ?? 0;
  const saved = closed(firstTour(near, between, model.stops));
  const length = tourLength(cost, given);
  const tour = new Tour(cost, tourLength(cost, saved) < length ? saved : given);
  if (isSymmetric(model)) {
    improve(tour, search, 1, (found) => search.better(found + plan.cost - length));
    const stops = stopsAlong(model, tour.order);
    if (canDrive(model, 0, stops)) plan.setRoutes([{ vehicle: 0, stops }]);
    return true;
  }
  improve(tour, search, MEAN_SHARE, () => {});
  goOnDirected(plan, stopsAlong(model, tour.order), near, search);
  return true;
}

/** From the best of the plan and the tour in both directions, with the real cost of each direction. */
function goOnDirected(plan: Plan, along: readonly number[], near: Neighbours, search: Search): void {
  const best = plan.snapshot();
  for (const stops of [[...along], [...along].reverse()]) {
    if (!canDrive(plan.model, 0, stops)) continue;
    plan.setRoutes([{ vehicle: 0, stops }]);
    if (plan.cost < best.cost) {
      plan.save(best);
      search.better(best.cost);
    }
  }
  plan.restore(best);
  new RuinRecreate(plan, near, search).run(RUIN_SHARE, best, { cooling: DIRECTED_COOLING });
  plan.restore(best);
  new LocalSearch(plan, near).run(search);
}

/** Kicks and repairs the tour under annealing until a share of the budget is used; it ends as the best one seen, of which `onBetter` hears. */
function improve(tour: Tour, search: Search, until: number, onBetter: (length: number) => void): void {
  while (search.used < until && tour.improveNext()) search.ask();
  const best = Int32Array.from(tour.order);
  let shortest = tour.length;
  tour.forget();
  onBetter(shortest);
  const leg = tour.length / tour.size;
  while (search.used < until && search.goOn()) {
    const before = tour.length;
    tour.kick(search.random);
    while (tour.improveNext()) {
      // Until no node waits.
    }
    const temperature = leg * HOT * (COLD / HOT) ** (search.used / until);
    if (tour.length > before - temperature * Math.log(1 - search.random.fraction())) {
      tour.rollback(before);
      continue;
    }
    tour.forget();
    if (tour.length >= shortest) continue;
    shortest = tour.length;
    best.set(tour.order);
    onBetter(shortest);
  }
  tour.order.set(best);
}
