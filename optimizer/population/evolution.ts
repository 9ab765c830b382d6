/**
 * Hybrid genetic search (Vidal et al. 2012, Vidal 2022) for vehicles that are all alike: children of two plans are taught by local search,
 * which may overload and be late at prices that follow how often that happens. Guarantees: the best plan handed in or found that keeps
 * every promise is kept; the search ends within one child of its limit.
 */
import type { Model } from '../model.ts';
import type { Snapshot } from '../plan/snapshot.ts';
import type { Neighbours } from '../search/neighbours.ts';
import type { Search } from '../search/search.ts';
import { alikeOf } from './alike.ts';
import { Crossover } from './crossover.ts';
import { Draft, type Prices } from './draft.ts';
import { Education } from './education.ts';
import { type Individual, individualOf, isFeasible } from './individual.ts';
import type { Mixing } from './mixing.ts';
import { Population, type Size, sizeFor } from './population.ts';
import { adapted, PERIOD } from './pricing.ts';

/** A broken plan is repaired this often, at prices this many times as high. */
const REPAIRED = 0.5;
const REPAIR = 10;
/** Routes more than the first plans have. */
const SPARE_SHARE = 0.1;
const SPARE = 2;
/**
 * Generations without a better plan after which the plans of a population are taken to be all of one kind: others drawn at random take their
 * place. Children of plans that are alike are soon taught, so that most of a long search would go into them.
 */
const IDLE = 16;
/** Plans drawn at random that begin a population anew. */
const STRANGERS = 20;

export class Evolution {
  private search: Search;
  private mixing: Mixing | undefined;
  private readonly draft: Draft;
  private readonly prices: Prices;
  private readonly firstPrices: Prices;
  private readonly education: Education;
  private readonly crossover: Crossover;
  private readonly population: Population;
  /** Children without a better plan after which to begin anew. */
  private readonly patience: number;
  private readonly isOver = () => {
    this.search.ask();
    return this.search.used >= 1;
  };
  private children = 0;
  /** Cheapest plan since the population began, and the child that it was. */
  private least = Number.POSITIVE_INFINITY;
  private leastAt = 0;
  private inLoad = 0;
  private inTime = 0;

  private constructor(draft: Draft, near: Neighbours, { search, size }: { search: Search; size: Size }) {
    this.search = search;
    this.draft = draft;
    this.prices = draft.prices;
    this.firstPrices = { ...draft.prices };
    this.education = new Education(draft, near, search.random);
    this.crossover = new Crossover(draft, near, search.random);
    this.population = new Population(draft.prices, { isSymmetric: draft.alike.isSymmetric, size }, search.random);
    this.patience = IDLE * (size.fewest + size.more);
  }

  /** Undefined where vehicles differ. `routes`: how many a good plan needs; `children`: how many there is time for. */
  static of(
    model: Model,
    near: Neighbours,
    search: Search,
    { routes, children }: { routes: number; children: number },
  ): Evolution | undefined {
    const alike = alikeOf(model);
    if (alike === undefined || near.width === 0) return undefined;
    const count = Math.min(model.vehicles, Math.ceil(routes * (1 + SPARE_SHARE)) + SPARE);
    const heaviest = Math.max(1, ...alike.amount);
    const farthest = alike.cost.reduce((most, leg) => Math.max(most, leg), 1);
    const slowest = alike.seconds.reduce((most, leg) => Math.max(most, leg), 1);
    return new Evolution(new Draft(alike, count, { load: farthest / heaviest, late: farthest / slowest }), near, {
      search,
      size: sizeFor(children, model.timed),
    });
  }

  /** Rounds of ruin and recreate that one child is about as much work as. */
  get effort(): number {
    return this.draft.alike.stops;
  }

  /** Whose budget counts from now on, and what recombines the routes of all plans, if anything does. */
  follow(search: Search, mixing: Mixing | undefined): void {
    this.search = search;
    this.mixing = mixing;
  }

  /**
   * Teaches a plan and takes it into the population, unless it lacks a stop or needs more routes than a good one would. `best` becomes what
   * came of it if that is better.
   */
  add(routes: readonly ArrayLike<number>[], best: Snapshot): void {
    const { draft } = this;
    const stops = routes.reduce((sum, route) => sum + route.length, 0);
    if (routes.length > draft.routes || stops < draft.alike.stops) return;
    draft.take(routes);
    this.teach(best);
  }

  /** Takes in a plan whose stops were spread over the routes at random. */
  addRandom(best: Snapshot): void {
    const { draft, search } = this;
    const routes: number[][] = Array.from({ length: draft.routes }, () => []);
    for (let stop = 0; stop < draft.alike.stops; stop++) routes[search.random.below(draft.routes)]?.push(stop);
    this.add(routes, best);
  }

  /** Breeds until a share of the budget is used, with a new population whenever one has nothing more to give; `best` becomes the best plan. */
  run(until: number, best: Snapshot): void {
    const { search, population, crossover } = this;
    while (population.size > 0 && search.used < until && search.goOn(this.effort)) {
      crossover.run(population.parent(), population.parent());
      this.teach(best);
      const mixed = this.mixing?.run(best);
      if (mixed !== undefined) this.add(mixed, best);
      if (++this.children % PERIOD === 0) this.adapt();
      if (this.children - this.leastAt > this.patience) this.beginAnew(best);
    }
  }

  private beginAnew(best: Snapshot): void {
    const { search, population } = this;
    population.clear();
    this.least = Number.POSITIVE_INFINITY;
    this.leastAt = this.children;
    for (let i = 0; i < STRANGERS && search.goOn(this.effort); i++) this.addRandom(best);
  }

  /** Local search on the draft; the result, and a repaired one, join the population. */
  private teach(best: Snapshot): void {
    const { draft, prices, search } = this;
    this.education.run(this.isOver);
    const child = individualOf(draft);
    this.admit(child, best);
    this.mixing?.note(draft, child);
    if (child.excess === 0) this.inLoad++;
    if (child.warp === 0) this.inTime++;
    if (isFeasible(child) || search.random.fraction() >= REPAIRED) return;
    this.price(prices.load * REPAIR, prices.late * REPAIR);
    this.education.run(this.isOver);
    this.price(prices.load / REPAIR, prices.late / REPAIR);
    const repaired = individualOf(draft);
    this.mixing?.note(draft, repaired);
    if (isFeasible(repaired)) this.admit(repaired, best);
  }

  private admit(plan: Individual, best: Snapshot): void {
    this.population.add(plan);
    if (!isFeasible(plan)) return;
    if (plan.driven < this.least) {
      this.least = plan.driven;
      this.leastAt = this.children;
    }
    if (plan.driven < best.cost) this.keep(plan, best);
  }

  private price(load: number, late: number): void {
    this.prices.load = load;
    this.prices.late = late;
    for (let route = 0; route < this.draft.routes; route++) this.draft.reprice(route);
  }

  private adapt(): void {
    const { prices, firstPrices } = this;
    this.price(
      adapted(prices.load, firstPrices.load, this.inLoad),
      adapted(prices.late, firstPrices.late, this.inTime),
    );
    this.inLoad = 0;
    this.inTime = 0;
    this.population.reprice();
  }

  private keep({ routes, driven }: Individual, best: Snapshot): void {
    best.from.fill(0);
    let length = 0;
    for (let vehicle = 0; vehicle < best.from.length - 1; vehicle++) {
      best.from[vehicle] = length;
      const stops = routes[vehicle];
      if (stops === undefined) continue;
      best.order.set(stops, length);
      length += stops.length;
    }
    best.from[best.from.length - 1] = length;
    best.cost = driven;
    this.search.better(driven);
  }
}
