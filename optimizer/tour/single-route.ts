/**
 * One vehicle, nothing but driving to weigh: a travelling salesman problem, for which exchanging legs beats ruin and recreate by far. Where
 * the directions of a leg differ, their mean is exchanged first and ruin and recreate goes on from there with the real ones. Guarantees: used only when every order of the stops keeps all promises; never ends worse than it began.
 * Method: iterated Lin-Kernighan with local double bridges (Johnson & McGeoch 1997). A missing or different end is tied to the
 * start by a leg so cheap that it is never removed.
 */

import { LocalSearch } from '../local-search.ts';
import { endOf, type Model, startOf } from '../model.ts';
import { legsOf } from '../plan/chain.ts';
import type { Legs } from '../plan/legs.ts';
import type { Plan } from '../plan/plan.ts';
import { canDrive } from '../plan/route-check.ts';
import type { Neighbours } from '../search/neighbours.ts';
import { RuinRecreate } from '../search/ruin-recreate.ts';
import type { Search } from '../search/search.ts';
import { Tour } from './tour.ts';
import { firstTour } from './tour-start.ts';

const FEWEST_STOPS = 8;
/** Temperatures as shares of the mean leg. */
const HOT = 0.3;
const COLD = 0.03;
const TIED = -(2 ** 28);
/** Nodes improved around between two questions to the clock, which may take longer than a node. */
const ASK_EVERY = 32;
/** Where directions differ: share of the budget for their mean, share after which local search polishes, and how cool the rest is. */
const MEAN_SHARE = 0.4;
const RUIN_SHARE = 0.97;
const DIRECTED_COOLING: [number, number] = [0.7, 1];

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

/** Cost between two nodes of a tour, the mean of both directions. Nodes: the stops, then the start, then the end if it is elsewhere. */
class MeanLegs {
  private readonly legs: Legs;
  private readonly stops: number;
  private readonly places: number;
  private readonly place: Int32Array;

  constructor(model: Model) {
    const { stops } = model;
    const ends = [startOf(model, 0), endOf(model, 0)].map((node) => model.place[node] ?? 0);
    this.legs = legsOf(model, 0);
    this.stops = stops;
    this.places = model.places;
    this.place = Int32Array.from([...model.place.subarray(0, stops), ...ends]);
  }

  between(a: number, b: number): number {
    if (a >= this.stops && b >= this.stops && a !== b) return TIED;
    return this.mean((this.place[a] ?? 0) * this.places + (this.place[b] ?? 0));
  }

  private mean(cell: number): number {
    const { cost, costInto } = this.legs;
    return cost === costInto ? (cost[cell] ?? 0) : Math.round(((cost[cell] ?? 0) + (costInto[cell] ?? 0)) / 2);
  }

  lengthOf(order: Int32Array): number {
    return order.reduce((sum, node, at) => sum + this.between(node, order[(at + 1) % order.length] ?? 0), 0);
  }

  /** One row per node in the given order: nodes that follow each other share the processor's cache. */
  table(order: Int32Array): Int32Array {
    const size = order.length;
    const table = new Int32Array(size * size);
    const place = order.map((node) => this.place[node] ?? 0);
    for (let from = 0; from < size; from++) {
      const row = (place[from] ?? 0) * this.places;
      const into = from * size;
      for (let to = 0; to < size; to++) table[into + to] = this.mean(row + (place[to] ?? 0));
    }
    const [start, end] = [order.indexOf(this.stops), order.indexOf(this.stops + 1)];
    if (end >= 0) {
      table[start * size + end] = TIED;
      table[end * size + start] = TIED;
    }
    return table;
  }
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
  const legs = new MeanLegs(model);
  const saved = closed(firstTour(near, (a, b) => legs.between(a, b), model.stops));
  const length = legs.lengthOf(given);
  const begun = legs.lengthOf(saved) < length ? saved : given;
  const tour = new Tour(legs.table(begun), Int32Array.from(begun.keys()));
  const stopsNow = () =>
    stopsAlong(
      model,
      tour.order.map((node) => begun[node] ?? 0),
    );
  if (isSymmetric(model)) {
    improve(tour, search, 1, (found) => search.better(found + plan.cost - length));
    const stops = stopsNow();
    if (canDrive(model, 0, stops)) plan.setRoutes([{ vehicle: 0, stops }]);
    return true;
  }
  improve(tour, search, MEAN_SHARE, () => {});
  goOnDirected(plan, stopsNow(), near, search);
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
  for (let tries = 1; search.used < until && tour.improveNext(); tries++) if (tries % ASK_EVERY === 0) search.ask();
  search.ask();
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
