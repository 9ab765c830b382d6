import { describe, expect, test } from 'vitest';
import { construct } from '../construct.ts';
import { check, Member } from '../index.ts';
import { type Model, prepare } from '../model.ts';
import { Plan } from '../plan/plan.ts';
import { canDrive } from '../plan/route-check.ts';
import { Random } from '../random.ts';
import { parseProblem } from '../reading/parse-problem.ts';
import type { Standings } from '../search/member.ts';
import { neighboursOf } from '../search/neighbours.ts';
import { Search } from '../search/search.ts';
import { maxIterations } from '../stop/max-iterations.ts';
import { alikeProblem } from '../testing/build-problem.ts';
import { alikeOf } from './alike.ts';
import { breed, isLongEnough } from './breed.ts';
import { Crossover } from './crossover.ts';
import { Draft } from './draft.ts';
import { Evolution } from './evolution.ts';
import { type Individual, individualOf } from './individual.ts';
import { Population, sizeFor } from './population.ts';
import { adapted, PERIOD } from './pricing.ts';

const STOPS = 70;
const LONG = 1e6;

const modelOf = (seed: number, windows: boolean) => prepare(parseProblem(alikeProblem(STOPS, seed, windows)));

function bred(seed: number, windows: boolean) {
  const model = modelOf(seed, windows);
  const near = neighboursOf(model, 100);
  const random = new Random(seed);
  const plan = construct(model, near, random, model.missed);
  const best = plan.snapshot();
  const before = best.cost;
  const search = new Search({ random, rules: [maxIterations(12_000)] });
  const isDone = breed({ plan, near, search, until: 1 }, LONG, best);
  return { model, plan, best, before, isDone };
}

const stopsIn = ({ best }: Standings) => best.routes.reduce((sum, route) => sum + route.jobs.length, 0);

/** A worker, its first plan, and what every share of the whole problem has. */
function worker() {
  const problem = alikeProblem(STOPS, 1, true);
  const member = new Member(problem);
  const first = member.first({ seed: 1 });
  expect(stopsIn(first)).toBe(STOPS);
  const jobs = problem.jobs.map((job) => job.id);
  const vehicles = problem.vehicles.map((vehicle) => vehicle.id);
  return { problem, member, first, share: { jobs, vehicles, seed: 5, leg: first.leg } };
}

describe('breeding', () => {
  test.each([
    ['without windows', false],
    ['with windows', true],
  ])('%s makes plans cheaper, keeps every promise and every stop, and is the same again', (_, windows) => {
    for (const seed of [1, 2]) {
      const { model, plan, best, before, isDone } = bred(seed, windows);
      expect(isDone).toBe(true);
      expect(best.cost).toBeLessThan(before);
      plan.restore(best);
      expect(plan.cost).toBe(best.cost);
      expect(plan.absentCount).toBe(0);
      for (let vehicle = 0; vehicle < model.vehicles; vehicle++) {
        expect(canDrive(model, vehicle, plan.stopsOf(vehicle))).toBe(true);
      }
      expect(bred(seed, windows).best).toEqual(best);
    }
  });

  test('needs a budget that suits the number of stops, and less of it where routes are short', () => {
    const model = modelOf(1, false);
    const [short, long] = [STOPS / 4, STOPS / 10].map((usedCount) => Object.assign(new Plan(model), { usedCount }));
    expect(isLongEnough(new Plan(modelOf(1, true)), 100 * STOPS)).toBe(false);
    expect(isLongEnough(new Plan(modelOf(1, true)), 300 * STOPS)).toBe(true);
    expect(isLongEnough(new Plan(prepare(parseProblem(alikeProblem(4 * STOPS, 1, true)))), 1200 * STOPS)).toBe(false);
    expect(isLongEnough(long ?? new Plan(model), 700 * STOPS)).toBe(false);
    expect(isLongEnough(long ?? new Plan(model), 900 * STOPS)).toBe(true);
    expect(isLongEnough(short ?? new Plan(model), 700 * STOPS)).toBe(true);
  });

  test('goes on from what a worker met, and keeps every promise', () => {
    const { problem, member, first, share } = worker();
    const searched = member.improve(
      { ...share, routes: first.current.routes, cooling: [0, 0.6] },
      { iterations: STOPS * 800 },
    );
    const rounds = [0.6, 0.7].map((from) =>
      member.improve({ ...share, routes: searched.best.routes, cooling: [from, from + 0.1] }, { iterations: 5000 }),
    );
    for (const round of rounds) {
      expect(round.best.cost).toBeLessThanOrEqual(searched.best.cost);
      expect(check(problem, member.finish(round.best.routes, { iterations: 0 }))).toEqual([]);
    }
  });

  test('goes on where a worker met plans that left stops out', () => {
    const { problem, member, first, share } = worker();
    const whole = first.current.routes;
    const lacking = whole.slice(1);
    member.improve({ ...share, routes: [], cooling: [0, 0.1] }, { iterations: 0 });
    member.improve({ ...share, routes: lacking, cooling: [0.1, 0.2] }, { iterations: 0 });
    member.improve({ ...share, routes: whole, cooling: [0.2, 0.6] }, { iterations: STOPS * 800 });
    const rounds = [
      member.improve({ ...share, routes: whole, cooling: [0.6, 0.7] }, { iterations: 5000 }),
      member.improve({ ...share, routes: lacking, cooling: [0.7, 0.8] }, { iterations: 5000 }),
    ];
    for (const round of rounds) {
      expect(round.best.cost).toBeLessThanOrEqual(first.best.cost);
      expect(stopsIn(round)).toBe(STOPS);
      expect(check(problem, member.finish(round.best.routes, { iterations: 0 }))).toEqual([]);
    }
  });
});

describe('a child', () => {
  test('has every stop of its parents once', () => {
    const model = modelOf(4, true);
    const alike = alikeOf(model);
    if (alike === undefined) throw new RangeError('the vehicles should be alike');
    const draft = new Draft(alike, 20, { load: 5, late: 1 });
    const random = new Random(4);
    const crossover = new Crossover(draft, neighboursOf(model, 30), random);
    const anyone = (): Individual => {
      const routes: number[][] = Array.from({ length: 12 }, () => []);
      for (let stop = 0; stop < STOPS; stop++) routes[random.below(12)]?.push(stop);
      draft.take(routes);
      return individualOf(draft);
    };
    for (let i = 0; i < 50; i++) {
      crossover.run(anyone(), anyone());
      const stops = individualOf(draft).routes.flatMap((route) => [...route]);
      expect(stops.toSorted((a, b) => a - b)).toEqual([...Array(STOPS).keys()]);
    }
  });
});

describe('a population', () => {
  test('stays small, and never loses its cheapest plan', () => {
    const random = new Random(1);
    const population = new Population(
      { load: 1, late: 1 },
      { isSymmetric: true, size: sizeFor(10_000, false) },
      random,
    );
    const ring = (driven: number): Individual => ({
      ...{ routes: [], driven, excess: 0, warp: 0 },
      prev: Int32Array.from({ length: 10 }, () => random.below(10)),
      next: Int32Array.from({ length: 10 }, () => random.below(10)),
    });
    population.add(ring(10));
    for (let i = 0; i < 300; i++) population.add(ring(20 + random.below(100)));
    expect(population.size).toBeLessThan(65);
    const drawn = Array.from({ length: 600 }, () => population.parent().driven);
    expect(Math.min(...drawn)).toBe(10);
  });
});

test.each([
  [100, false, { fewest: 8, more: 13 }],
  [100, true, { fewest: 12, more: 19 }],
  [4000, false, { fewest: 13, more: 21 }],
  [1_000_000, true, { fewest: 25, more: 40 }],
])('with time for %i children a population is as large as they can improve', (children, timed, size) => {
  expect(sizeFor(children, timed)).toEqual(size);
});

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

function evolutionFor(model: Model, iterations: number): Evolution {
  const search = new Search({ random: new Random(1), rules: [maxIterations(iterations)] });
  const evolution = Evolution.of(model, neighboursOf(model, 100), search, { routes: 30, children: 100 });
  if (evolution === undefined) throw new RangeError('the vehicles should be alike');
  return evolution;
}

test('a plan that lacks a stop is not taken, so that none is lost', () => {
  const model = modelOf(1, false);
  const best = construct(model, neighboursOf(model, 20), new Random(1), model.missed).snapshot();
  best.cost = Number.MAX_VALUE;
  const before = structuredClone(best);
  evolutionFor(model, 0).add([range(0, 1)], best);
  expect(best).toEqual(before);
});

test.each([
  ['one stop per route', range(0, 25).map((route) => range(0, STOPS).filter((stop) => stop % 25 === route))],
  ['one drawn at random', undefined],
])('what is learnt from a plan that joins is kept: %s', (_, routes) => {
  const model = modelOf(1, false);
  const plan = new Plan(model);
  const best = plan.snapshot();
  const evolution = evolutionFor(model, 2000);
  if (routes === undefined) for (let i = 0; i < 10; i++) evolution.addRandom(best);
  else evolution.add(routes, best);
  plan.restore(best);
  expect(plan.absentCount).toBe(0);
  expect(plan.cost).toBe(best.cost);
});

test('a price stays within bounds, whether a promise is always kept or never', () => {
  const after = (kept: number) => range(0, 500).reduce((price) => adapted(price, 7, kept), 7);
  expect(after(PERIOD)).toBeCloseTo(7e-3);
  expect(after(0)).toBeCloseTo(7e5);
  expect(after(0.3 * PERIOD)).toBe(7);
});

test('a plan of more routes than a good one needs is not taken, so that no stop is lost', () => {
  const model = modelOf(1, false);
  const near = neighboursOf(model, 20);
  const search = new Search({ random: new Random(1), rules: [maxIterations(2000)] });
  const evolution = Evolution.of(model, near, search, { routes: 5, children: 100 });
  const best = construct(model, near, new Random(1), model.missed).snapshot();
  const before = best.cost;
  evolution?.add([...Array.from({ length: 30 }, (_, route) => [route]), range(30, STOPS)], best);
  evolution?.run(1, best);
  expect(best.cost).toBe(before);
});

test('plans that have become alike give way to new ones, which lead on', () => {
  const model = modelOf(4, false);
  const near = neighboursOf(model, 100);
  const after = (iterations: number) => {
    const random = new Random(1);
    const search = new Search({ random, rules: [maxIterations(iterations)] });
    const best = construct(model, near, random, model.missed).snapshot();
    const evolution = Evolution.of(model, near, search, { routes: 30, children: 100 });
    for (let i = 0; i < 10; i++) evolution?.addRandom(best);
    evolution?.run(1, best);
    return best.cost;
  };
  // Without new ones, the best after 40,000 rounds is that after 150,000, too.
  expect(after(100_000)).toBeLessThan(after(40_000));
});

test('vehicles that differ have no evolution', () => {
  const { vehicles, ...rest } = alikeProblem(STOPS, 1, true);
  const differing = { ...rest, vehicles: vehicles.map((one, i) => ({ ...one, capacity: [40 + i, 30] })) };
  const model = prepare(parseProblem(differing));
  const search = new Search({ random: new Random(1), rules: [maxIterations(10)] });
  expect(Evolution.of(model, neighboursOf(model, 20), search, { routes: 5, children: 100 })).toBeUndefined();
});
