import { expect, test } from 'vitest';
import { construct } from '../construct.ts';
import { prepare } from '../model.ts';
import { Plan } from '../plan/plan.ts';
import { canDrive } from '../plan/route-check.ts';
import { Random } from '../random.ts';
import { parseProblem } from '../reading/parse-problem.ts';
import { RoutePool } from '../routes/route-pool.ts';
import { neighboursOf } from '../search/neighbours.ts';
import { RuinRecreate } from '../search/ruin-recreate.ts';
import { Search } from '../search/search.ts';
import { maxIterations } from '../stop/max-iterations.ts';
import { alikeProblem } from '../testing/build-problem.ts';
import { alikeOf } from './alike.ts';
import { Draft } from './draft.ts';
import { Evolution } from './evolution.ts';
import { type Individual, individualOf } from './individual.ts';
import { Mixing, routesOf } from './mixing.ts';

const STOPS = 60;

/** A good plan, and one whose routes of even or odd number are as in the good one, the others in a dearer order. */
function world(seed: number) {
  const model = prepare(parseProblem(alikeProblem(STOPS, seed, false)));
  const near = neighboursOf(model, 40);
  const random = new Random(seed);
  const plan = construct(model, near, random, model.missed);
  const good = routesOf(plan);
  const alike = alikeOf(model);
  if (alike === undefined) throw new RangeError('the vehicles should be alike');
  const draft = new Draft(alike, good.length, { load: 5, late: 1 });
  const taught = (routes: readonly ArrayLike<number>[]): Individual => {
    draft.take(routes);
    return individualOf(draft);
  };
  const halfGood = (parity: number) =>
    good.map((route, i) => (i % 2 === parity ? route : route.toSorted((a, b) => a - b)));
  const snapshotOf = (routes: readonly ArrayLike<number>[]) => {
    const other = new Plan(model);
    other.setRoutes(routes.map((stops, vehicle) => ({ vehicle, stops })));
    return other.snapshot();
  };
  const search = new Search({ random, rules: [maxIterations(1000)] });
  const mixing = Mixing.of(plan, near, search, new RoutePool(model));
  if (mixing === undefined) throw new RangeError('the routes should be short');
  return { model, near, plan, draft, mixing, taught, halfGood, snapshotOf, good };
}

test('one plan comes of the better halves of two, with every promise kept', () => {
  for (const seed of [1, 2, 3]) {
    const { model, plan, draft, mixing, taught, halfGood, snapshotOf, good } = world(seed);
    const best = snapshotOf(halfGood(0));
    const before = best.cost;
    mixing.note(draft, taught(halfGood(1)));
    const routes = mixing.run(best);
    expect(best.cost).toBeLessThanOrEqual(snapshotOf(good).cost);
    expect(best.cost).toBeLessThan(before);
    expect(routes?.flatMap((route) => [...route]).toSorted((a, b) => a - b)).toEqual([...Array(STOPS).keys()]);
    plan.restore(best);
    expect(plan.cost).toBe(best.cost);
    for (let vehicle = 0; vehicle < model.vehicles; vehicle++) {
      expect(canDrive(model, vehicle, plan.stopsOf(vehicle))).toBe(true);
    }
  }
});

test('an overloaded route is never taken, however cheap', () => {
  const { draft, mixing, taught, snapshotOf, good } = world(1);
  const best = snapshotOf(good);
  const before = structuredClone(best);
  const joined = [good.flatMap((route) => [...route])];
  mixing.note(draft, taught(joined));
  expect(taught(joined).excess).toBeGreaterThan(0);
  expect(mixing.run(best)).toBeUndefined();
  expect(best).toEqual(before);
});

test('the next part waits until the work of the last is a small share of all', () => {
  const { draft, mixing, taught, halfGood, snapshotOf } = world(1);
  mixing.run(snapshotOf(halfGood(0)));
  mixing.note(draft, taught(halfGood(1)));
  const best = snapshotOf(halfGood(0));
  const before = best.cost;
  expect(mixing.run(best)).toBeUndefined();
  expect(best.cost).toBe(before);
});

test('breeding notes the routes of children, and takes those of others that go together', () => {
  const { model, near, good, snapshotOf } = world(1);
  const found = new Plan(model);
  found.restore(snapshotOf(good));
  const better = found.snapshot();
  const searching = new Search({ random: new Random(1), rules: [maxIterations(6000)] });
  new RuinRecreate(found, near, searching).run(1, better);
  found.restore(better);
  const pool = new RoutePool(model);
  for (const route of found.used.subarray(0, found.usedCount)) pool.add(found, route);
  const known = pool.count;

  const search = new Search({ random: new Random(1), rules: [maxIterations(3 * STOPS)] });
  const evolution = Evolution.of(model, near, search, { routes: good.length, children: 100 });
  evolution?.follow(search, Mixing.of(found, near, search, pool));
  const best = snapshotOf(good);
  expect(best.cost).toBeGreaterThan(better.cost);
  evolution?.add(good, best);
  expect(pool.count).toBeGreaterThan(known);
  evolution?.run(1, best);
  expect(best.cost).toBeLessThanOrEqual(better.cost);
});
