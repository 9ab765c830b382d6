import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepare } from '../../model.ts';
import { Random } from '../../random.ts';
import { parseProblem } from '../../reading/parse-problem.ts';
import { buildProblem, PLAIN } from '../../testing/build-problem.ts';
import { alikeOf } from '../alike.ts';
import { Draft } from '../draft.ts';
import { DRAFT_MOVES } from '../education.ts';
import { Exchange } from '../exchange.ts';
import { individualOf } from '../individual.ts';
import { Screen } from '../screen.ts';
import { SwapStar } from './swap-star.ts';

/** Both directions as the one from the lower place to the higher. */
function makeSymmetric(table: (number | null)[][]): void {
  for (const [from, row] of table.entries()) for (let to = 0; to < from; to++) row[to] = table[to]?.[from] ?? 0;
}

/** A draft with stops on routes drawn at random, often overloaded and late. */
function anyDraft(seed: number): Draft {
  const random = new Random(seed);
  const traits = { ...PLAIN, stops: 2 + random.below(16), vehicles: 5, windows: seed % 2 === 0, loads: true };
  const problem = buildProblem(traits, seed);
  const [vehicle] = problem.vehicles;
  const jobs = problem.jobs.map((job) => ({
    ...job,
    setup: 0,
    pickup: [0, 0],
    time_windows: job.time_windows?.slice(0, 1),
  }));
  if (seed % 4 === 1) for (const table of Object.values(problem.matrices?.car ?? {})) makeSymmetric(table);
  const vehicles = [1, 2, 3, 4, 5].map((id) => ({ ...vehicle, id, costs: { fixed: random.below(2) * 300 } }));
  const fixed = random.below(2) * 300;
  const alike = alikeOf(
    prepare(parseProblem({ ...problem, jobs, vehicles: vehicles.map((one) => ({ ...one, costs: { fixed } })) })),
  );
  if (alike === undefined) throw new RangeError('the vehicles should be alike');
  const draft = new Draft(alike, 4, { load: random.below(50), late: random.below(30) / 10 });
  const routes: number[][] = [[], [], [], []];
  for (let stop = 0; stop < alike.stops; stop++) {
    const route = routes[random.below(4)] ?? [];
    route.splice(random.below(route.length + 1), 0, stop);
  }
  draft.take(routes);
  return draft;
}

/** Cost recomputed from nothing but the routes. */
function recomputed(draft: Draft): number {
  const { alike, prices } = draft;
  const { size, stops, cost, seconds, opens, closes, amount, capacity, dimensions } = alike;
  let sum = 0;
  for (const route of individualOf(draft).routes) {
    let at = stops;
    let time = opens[stops] ?? 0;
    for (const to of [...route, stops + 1]) {
      sum += cost[at * size + to] ?? 0;
      time = Math.max(opens[to] ?? 0, time + (seconds[at * size + to] ?? 0));
      if (time > (closes[to] ?? 0)) {
        sum += (time - (closes[to] ?? 0)) * prices.late;
        time = closes[to] ?? 0;
      }
      at = to;
    }
    for (let d = 0; d < dimensions; d++) {
      const load = route.reduce((total, stop) => total + (amount[stop * dimensions + d] ?? 0), 0);
      sum += Math.max(0, load - (capacity[d] ?? 0)) * prices.load;
    }
  }
  return sum;
}

const stopsOf = (draft: Draft) => individualOf(draft).routes.flatMap((route) => [...route]);

function refreshAll(draft: Draft): void {
  for (let route = 0; route < draft.routes; route++) draft.refresh(route);
}

describe.each(DRAFT_MOVES.map((move) => [move.name, move] as const))('the move %s', (_, move) => {
  test('promises exactly the change of cost, and keeps every stop', () => {
    let made = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        for (let u = 0; u < 18; u++) {
          for (let v = 0; v < 18; v++) {
            const draft = anyDraft(seed);
            const nodes = draft.alike.stops + draft.routes;
            if (u >= draft.alike.stops || v >= nodes) continue;
            const before = draft.cost;
            expect(before).toBeCloseTo(recomputed(draft), 3);
            const delta = move.delta(new Exchange(draft), u, v);
            if (delta >= 0) continue;
            made++;
            expect(new Screen(draft).worth(u, v) & move.bit).toBe(move.bit);
            move.make(draft, u, v);
            refreshAll(draft);
            expect(draft.cost - before).toBeCloseTo(delta, 3);
            expect(draft.cost).toBeCloseTo(recomputed(draft), 3);
            expect(stopsOf(draft).toSorted()).toEqual([...Array(draft.alike.stops).keys()].toSorted());
          }
        }
      }),
      { numRuns: 8, seed: 3 },
    );
    expect(made).toBeGreaterThan(20);
  });
});

describe('SWAP*', () => {
  test('promises exactly the change of cost, and keeps every stop', () => {
    let made = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const draft = anyDraft(seed);
        const star = new SwapStar(new Exchange(draft));
        for (let own = 0; own < draft.routes; own++) {
          for (let other = own + 1; other < draft.routes; other++) {
            const before = draft.cost;
            const delta = star.find(own, other);
            expect(delta).toBeCloseTo(new SwapStar(new Exchange(draft)).find(own, other), 3);
            if (delta >= 0) continue;
            made++;
            star.make();
            refreshAll(draft);
            star.forget(own);
            star.forget(other);
            expect(draft.cost - before).toBeCloseTo(delta, 3);
            expect(draft.cost).toBeCloseTo(recomputed(draft), 3);
            expect(stopsOf(draft).toSorted()).toEqual([...Array(draft.alike.stops).keys()].toSorted());
          }
        }
      }),
      { numRuns: 300, seed: 3 },
    );
    expect(made).toBeGreaterThan(20);
  });
});
