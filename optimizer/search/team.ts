/**
 * Several workers on one plan. The team knows what each is to do next and puts their results together; who runs the workers (threads) is
 * the caller's business. Guarantees: `best` keeps every promise and never gets worse; the same seed, shares and results give the same
 * team. Large plans are cut in two and each worker improves a half, since searches that only differ by their seeds find little more
 * than one; workers beyond two search a half again with other seeds. Small plans are searched whole by each, and those that lie behind go
 * on from the best one's plan.
 *
 * A round: `shares` -> one `Member.improve` per share, at the same time -> `take`. Before the first: `start` with what `Member.first` gave.
 * After the last: `Member.finish` with `best.routes`.
 */

import type { Id, Job, Matrix, Problem } from '../problem.ts';
import { Random } from '../random.ts';
import type { InitialRoute } from './engine.ts';
import type { Share, Standing, Standings } from './member.ts';
import { halves } from './split.ts';

/** From this many stops on, and with this many routes, a plan is cut. */
const CUT_STOPS = 300;
/** Without windows and prizes from this many: below, breeding brings together at the end what searches of the whole have found. */
const CUT_STOPS_PLAIN = 450;
const CUT_ROUTES = 16;
/** Stops on a long route, in the mean: plans of such routes with optional stops are not cut. */
const LONG = 25;
/** Share of the cooling after which the worker behind takes over the other's plan. */
const EXCHANGE_FROM = 0.5;
const SEEDS = 2 ** 31;

/** Joins plans of different vehicles and stops. */
function joined(parts: readonly Standing[]): Standing {
  return { routes: parts.flatMap((part) => part.routes), cost: parts.reduce((sum, part) => sum + part.cost, 0) };
}

/** The cheapest, of equals the first. */
function least(plans: readonly Standing[]): Standing {
  return plans.reduce((ahead, own) => (own.cost < ahead.cost ? own : ahead));
}

/** Workers take turns at the two halves. */
function leastOfHalves(plans: readonly Standing[]): Standing[] {
  return [0, 1].map((half) => least(plans.filter((_, worker) => worker % 2 === half)));
}

export class Team {
  /** The best plan so far. */
  best: Standing = { routes: [], cost: Number.POSITIVE_INFINITY };
  iterations = 0;
  private readonly problem: Problem;
  private readonly jobs: ReadonlyMap<Id, Job>;
  private readonly random: Random;
  private readonly size: number;
  /** Stops from which on a plan is cut. */
  private readonly cutsFrom: number;
  /** One plan that is cut, or one per worker. */
  private current: Standing[] = [];
  private leg = 1;
  private rounds = 0;
  private isCut = false;

  constructor(problem: Problem, options: { seed?: number; size?: number } = {}) {
    this.problem = problem;
    this.jobs = new Map(problem.jobs.map((job) => [job.id, job]));
    this.random = new Random(options.seed ?? 1);
    this.size = Math.max(1, options.size ?? 2);
    const isPlain =
      problem.jobs.every((job) => job.prize === undefined && !job.time_windows?.length) &&
      problem.vehicles.every((vehicle) => vehicle.time_window === undefined);
    this.cutsFrom = isPlain ? CUT_STOPS_PLAIN : CUT_STOPS;
  }

  start(first: Standings & { leg: number }): void {
    this.best = first.best;
    this.leg = first.leg;
    this.current = Array.from({ length: this.size }, () => first.current);
  }

  /**
   * Whether the next shares are halves. A first plan with optional stops serves all that it can on many routes, most of which dissolve at
   * once, and in halves more of them than should: so it is cut when the first round is over. Where routes are long besides, a stop left out
   * lies near most of them, and half of the plan has no use for it.
   */
  get cutsNext(): boolean {
    const routes = this.current[0]?.routes ?? [];
    if (this.size < 2 || this.problem.jobs.length < this.cutsFrom || routes.length < CUT_ROUTES) return false;
    if (this.problem.jobs.every((job) => job.prize === undefined)) return true;
    return this.rounds > 0 && routes.reduce((sum, route) => sum + route.jobs.length, 0) < LONG * routes.length;
  }

  /** What each worker is to do next, on the part `cooling` of the way from hot to cold. */
  shares(cooling: readonly [number, number]): Share[] {
    const routes = this.current[0]?.routes ?? [];
    this.isCut = this.cutsNext;
    return this.parts(routes).map((part) => ({ ...part, seed: this.random.below(SEEDS), cooling, leg: this.leg }));
  }

  private parts(routes: readonly InitialRoute[]) {
    if (!this.isCut) return this.current.map((own) => this.whole(own));
    const halves = this.cut(routes);
    return this.current.flatMap((_, worker) => halves[worker % 2] ?? []);
  }

  private whole({ routes }: Standing) {
    const { jobs, vehicles } = this.problem;
    return { jobs: jobs.map((job) => job.id), vehicles: vehicles.map((vehicle) => vehicle.id), routes };
  }

  private cut(routes: readonly InitialRoute[]) {
    const places = routes.map((route) => route.jobs.map((id) => this.jobs.get(id)?.location_index ?? 0));
    const { vehicles, matrices } = this.problem;
    const seconds: Matrix = matrices[vehicles[0]?.profile ?? 'car']?.durations ?? [];
    const half = halves(seconds, places, this.random);
    const absent = this.absentHalves(routes, half, seconds);
    const used = new Set(routes.map((route) => route.vehicle));
    const empty = vehicles.filter((vehicle) => !used.has(vehicle.id)).map((vehicle) => vehicle.id);
    return [0, 1].map((side) => {
      const own = routes.filter((_, route) => half[route] === side);
      return {
        routes: own,
        jobs: [...own.flatMap((route) => route.jobs), ...(absent[side] ?? [])],
        vehicles: [...own.map((route) => route.vehicle), ...empty.filter((_, i) => i % 2 === side)],
      };
    });
  }

  /** Stops on no route go where the nearest stop on a route is. */
  private absentHalves(routes: readonly InitialRoute[], half: Uint8Array, seconds: Matrix): [Id[], Id[]] {
    const served = routes.flatMap((route, at) =>
      route.jobs.map((id) => ({ id, place: this.jobs.get(id)?.location_index ?? 0, half: half[at] ?? 0 })),
    );
    const seen = new Set(served.map((stop) => stop.id));
    const absent: [Id[], Id[]] = [[], []];
    for (const job of this.problem.jobs) {
      if (seen.has(job.id)) continue;
      const row = seconds[job.location_index] ?? [];
      let nearest = { half: 0, away: Number.POSITIVE_INFINITY };
      for (const stop of served) {
        const away = row[stop.place] ?? Number.POSITIVE_INFINITY;
        if (away < nearest.away) nearest = { half: stop.half, away };
      }
      absent[nearest.half === 0 ? 0 : 1].push(job.id);
    }
    return absent;
  }

  /** Puts the results of a round together, in the order of its shares. */
  take(results: readonly Standings[], cooled: number): void {
    for (const result of results) this.iterations += result.iterations;
    this.rounds++;
    const found = this.isCut
      ? [joined(leastOfHalves(results.map((result) => result.best)))]
      : results.map((result) => result.best);
    for (const plan of found) if (plan.cost < this.best.cost) this.best = plan;
    if (this.isCut) {
      const whole = joined(leastOfHalves(results.map((result) => result.current)));
      this.current = Array.from({ length: this.size }, () => whole);
      return;
    }
    this.current = results.map((result) => result.current);
    const leader = least(this.current);
    if (cooled >= EXCHANGE_FROM) this.current = this.current.map(() => leader);
  }
}
