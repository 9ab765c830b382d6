/**
 * Improves a plan by several short searches that ruin and recreate, and then by breeding from what they found. A single long search of up to
 * a few hundred stops ends in one of many plans that are nearly as good and far from each other; children of such plans lead on
 * (Vidal 2022). Guarantees: `best` never gets worse; the same seed and iterations give the same plan.
 */

import type { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import { RoutePool } from '../routes/route-pool.ts';
import type { Neighbours } from '../search/neighbours.ts';
import { RuinRecreate } from '../search/ruin-recreate.ts';
import type { Search } from '../search/search.ts';
import { Evolution } from './evolution.ts';
import { withRouteLess } from './fewer-routes.ts';
import { Mixing, routesOf } from './mixing.ts';

/** Fewer stops need no help; with more, too few children are bred in seconds. */
const FEWEST_STOPS = 60;
const MOST_STOPS = 450;
const MOST_STOPS_UNTIMED = 600;
/**
 * Rounds of ruin and recreate, in the whole budget, from which on breeding finds more than going on. With windows per pair of stops: a
 * child is as much work as a round per stop, and large plans need more children. Without windows per stop: few children suffice there at the
 * end, fewer still where routes are short: what fits with what decides there, which plans that may be overloaded find out.
 */
const LEAST_PER_PAIR = 2.4;
const LEAST_PER_STOP_UNTIMED = 800;
const LEAST_PER_STOP_SHORT = 450;
/** Stops on a short route, in the mean. */
const SHORT = 8;

/** With windows: share of the budget for the first search, and for further ones, of which there are as many as get this many rounds per stop. */
const SHARES = { first: 0.25, further: 0.2 };
const PER_SEARCH = 200;
/** From so many rounds per pair of stops on, children make good what the searches before them leave. */
const AMPLE_PER_PAIR = 8;
const AMPLE_SHARES = { first: 0.1, further: 0.1 };
/** All that searches get where routes are short: children find more in the same time. */
const SHORT_SHARE = 0.1;
/** And without windows on long routes, where plans go on improving longer and children only bring together what the searches found. */
const UNTIMED_SHARE = 0.8;
const PER_SEARCH_UNTIMED = 600;
const MOST_SEARCHES = 3;
/** Plans drawn at random that join those found, but where few children are made. */
const STRANGERS = 10;
/**
 * Where the last search made the best plan less than this share cheaper, the searches agree, and another of the kind would find the same: one with a
 * route less gets this share of the budget instead.
 */
const AGREED = 0.0005;
const ROUTE_LESS_SHARE = 0.1;

interface Task {
  readonly plan: Plan;
  readonly near: Neighbours;
  readonly search: Search;
  /** Share of the budget after which to end. */
  readonly until: number;
}

/** Whether a budget of so many rounds is long enough for breeding from such plans. */
export function isLongEnough(plan: Plan, rounds: number): boolean {
  const { stops, timed } = plan.model;
  const untimed = isShort(plan) ? LEAST_PER_STOP_SHORT : LEAST_PER_STOP_UNTIMED;
  return rounds >= (timed ? LEAST_PER_PAIR * stops : untimed) * stops;
}

const isShort = ({ model: { stops, timed }, usedCount }: Plan): boolean => !timed && stops <= SHORT * usedCount;
const isLongUntimed = (plan: Plan): boolean => !plan.model.timed && !isShort(plan);

/** Share of the budget for each search before breeding. */
function sharesOf(plan: Plan, perStop: number): number[] {
  const spread = (share: number, each: number) => {
    const count = Math.min(MOST_SEARCHES, Math.round((share * perStop) / each));
    return Array.from({ length: count }, () => share / count);
  };
  if (isShort(plan)) return [SHORT_SHARE];
  if (isLongUntimed(plan)) return spread(UNTIMED_SHARE, PER_SEARCH_UNTIMED);
  const { first, further } = perStop >= AMPLE_PER_PAIR * plan.model.stops ? AMPLE_SHARES : SHARES;
  return [first, ...spread(further, PER_SEARCH)];
}

/** For a budget of so many rounds. Undefined where vehicles differ, and where the plan is too small, too large or not whole. */
export function evolutionOf({ plan, near, search }: Omit<Task, 'until'>, rounds: number): Evolution | undefined {
  const { stops, timed } = plan.model;
  const most = timed ? MOST_STOPS : MOST_STOPS_UNTIMED;
  if (stops < FEWEST_STOPS || stops > most || plan.absentCount > 0 || plan.usedCount < 2) return undefined;
  return Evolution.of(plan.model, near, search, { routes: plan.usedCount, children: rounds / stops });
}

/** False, and nothing done, where there is no evolution. `rounds`: those of ruin and recreate that the budget is likely to hold. */
export function breed(task: Task, rounds: number, best: Snapshot): boolean {
  const { plan, search, until } = task;
  const evolution = isLongEnough(plan, rounds) ? evolutionOf(task, rounds) : undefined;
  if (evolution === undefined) return false;
  const pool = new RoutePool(plan.model);
  const found = searchApart(task, rounds / plan.model.stops, { best, pool });
  evolution.follow(search, Mixing.of(plan, task.near, search, pool));
  populate({ evolution, plan, search }, found, best);
  evolution.run(until, best);
  return true;
}

/** Takes plans and some drawn at random into the population, as far as there is time. */
export function populate(
  { evolution, plan, search }: { evolution: Evolution; plan: Plan; search: Search },
  found: readonly (readonly Int32Array[])[],
  best: Snapshot,
): void {
  for (let i = 0; i < found.length && search.goOn(evolution.effort); i++) evolution.add(found[i] ?? [], best);
  const strangers = isLongUntimed(plan) ? 0 : STRANGERS;
  for (let i = 0; i < strangers && search.goOn(evolution.effort); i++) evolution.addRandom(best);
}

/** The plans found by searches that all begin from the plan as it is. */
function searchApart(
  { plan, near, search, until }: Task,
  perStop: number,
  { best, pool }: { best: Snapshot; pool: RoutePool },
): Int32Array[][] {
  const found: Int32Array[][] = [];
  const first = plan.snapshot();
  const ruin = new RuinRecreate(plan, near, search);
  const onSample = () => found.push(routesOf(plan));
  let before = best.cost;
  const run = (share: number) => {
    before = best.cost;
    plan.restore(first);
    ruin.run(search.used + share * until, best, { onSample, pool });
    onSample();
  };
  for (const share of sharesOf(plan, perStop)) run(share);
  const fewer = before - best.cost < AGREED * best.cost ? withRouteLess(plan, best) : undefined;
  if (fewer === undefined) return found;
  const keepWhole = () => {
    if (fewer.absentCount === 0) found.push(routesOf(fewer));
  };
  const end = search.used + ROUTE_LESS_SHARE * until;
  new RuinRecreate(fewer, near, search).run(end, best, { onSample: keepWhole, pool });
  keepWhole();
  return found;
}
