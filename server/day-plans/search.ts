import type { Arrangement } from '../../domain/day-plan.ts';
import { check, type SolveProgress } from '../../optimizer/index.ts';
import type { Deps } from '../deps.ts';
import { publish } from '../live/hub.ts';
import type { Worths } from '../need/service.ts';
import { alongRoads, type Context, weighed } from './context.ts';
import { toInitial, toOutcome, toProblem } from './problem.ts';
import { findPlan, updateSearched } from './queries.ts';

/** A first plan is shown after this long, the search goes on from it; more than `manyPlaces` take longer to read and place. */
const firstMs = { few: 100, many: 300 };
const manyPlaces = 200;
/** How often a search tells of itself, and looks whether it was asked to stop by another process. */
const tellEveryMs = 250;
/** Points of the curve that are kept. */
const maxPoints = 400;

type Search = {
  id: string;
  searchId: string;
  createdBy: number | null;
  context: Context;
  timeLimitMs: number;
  seed: number;
};

/** Searches under way in this process, by plan. */
const running = new Map<string, { stop: AbortController; done: Promise<void> }>();

/** Stops the search of a plan, if it runs here; resolves when what it found is stored. */
export async function stopSearch(id: string): Promise<void> {
  const search = running.get(id);
  search?.stop.abort();
  await search?.done;
}

/** Begins a search and leaves it alone: it ends by itself, or by `stopSearch`. */
export function startSearch(deps: Deps, search: Search, from: Arrangement): void {
  const stop = new AbortController();
  const done = runSearch(deps, search, { from, stop }).finally(() => running.delete(search.id));
  running.set(search.id, { stop, done });
}

type Begin = { from: Arrangement; stop: AbortController };

/**
 * Improves a plan until its time is over or somebody stops it; each better arrangement is stored only after the independent
 * checker has passed it. Ends by itself; never rejects.
 */
async function runSearch(deps: Deps, search: Search, { from, stop }: Begin): Promise<void> {
  const telling = new Telling(deps, search, stop);
  try {
    let arrangement = from;
    const usual = search.context.places.size > manyPlaces ? firstMs.many : firstMs.few;
    const first = Math.min(usual, search.timeLimitMs);
    // The first plan does not wait for what visits need and are worth; the search proper does.
    const worths = search.context.worths();
    for (const [stageNumber, timeLimitMs] of [first, search.timeLimitMs - first].entries()) {
      if (timeLimitMs <= 0 || stop.signal.aborted) break;
      const isFirst = stageNumber === 0;
      // The search proper knows what incidents cost along the roads of the first plan.
      const context = isFirst
        ? search.context
        : await weighed(await alongRoads(deps, search.context, { arrangement, along: search.id }));
      arrangement = await stage(
        deps,
        { ...search, context },
        {
          from: arrangement,
          timeLimitMs,
          telling,
          worths: isFirst ? new Map() : await worths,
        },
      );
    }
    await telling.end({ status: 'ready', message: null });
  } catch (error) {
    deps.log.error({ err: error }, 'day plan');
    const message = 'The search stopped unexpectedly. What was found is kept; optimize again.';
    await telling
      .end({ status: 'failed', message })
      .catch((failed: unknown) => deps.log.error({ err: failed }, 'day plan'));
  }
}

type Stage = { from: Arrangement; timeLimitMs: number; telling: Telling; worths: Worths };

async function stage(deps: Deps, search: Search, { from, timeLimitMs, telling, worths }: Stage): Promise<Arrangement> {
  const problem = toProblem(search.context, from, worths);
  telling.beginStage();
  const solution = await deps.solver.solve(problem, {
    timeLimitMs,
    seed: search.seed,
    initial: toInitial(search.context, from),
    signal: telling.signal,
    onProgress: telling.hear,
  });
  const violations = check(problem, solution);
  if (violations.length) {
    deps.log.error({ violations: violations.slice(0, 5) }, 'a day plan did not pass the checker');
    return from;
  }
  const { arrangement, reasons } = toOutcome(search.context, solution, from);
  await telling.store({ arrangement, reasons });
  return arrangement;
}

/** Writes what a search found and how far it is. */
class Telling {
  private readonly deps: Deps;
  private readonly search: Search;
  private readonly stop: AbortController;
  private readonly startedAt = performance.now();
  private readonly progress: { ms: number; cost: number }[] = [];
  private readonly timer: NodeJS.Timeout;
  private stageAt = 0;
  private told = 0;
  private writing = false;

  constructor(deps: Deps, search: Search, stop: AbortController) {
    this.deps = deps;
    this.search = search;
    this.stop = stop;
    this.timer = setInterval(() => void this.beat(), tellEveryMs);
    this.timer.unref();
  }

  get signal(): AbortSignal {
    return this.stop.signal;
  }

  beginStage(): void {
    this.stageAt = this.elapsed();
  }

  readonly hear = ({ cost, elapsedMs }: SolveProgress): void => {
    const best = this.progress.at(-1);
    if (best && cost >= best.cost) return;
    if (this.progress.length >= maxPoints) this.progress.splice(1, 1);
    this.progress.push({ ms: Math.round(this.stageAt + elapsedMs), cost: Math.round(cost) });
  };

  private elapsed(): number {
    return Math.round(performance.now() - this.startedAt);
  }

  private async beat(): Promise<void> {
    if (this.writing) return;
    this.writing = true;
    try {
      const plan = await findPlan(this.deps.db, this.search.id);
      // Thrown away or stopped, perhaps through another process.
      if (plan?.status !== 'solving' || plan.searchId !== this.search.searchId) this.stop.abort();
      else if (this.progress.length > this.told) await this.write({});
      else await updateSearched(this.deps.db, this.search, { elapsedMs: this.elapsed() });
    } catch (error) {
      this.deps.log.warn({ err: error }, 'progress of a day plan');
    } finally {
      this.writing = false;
    }
  }

  private async write(fields: Parameters<typeof updateSearched>[2]): Promise<void> {
    this.told = this.progress.length;
    const { db } = this.deps;
    await db.transaction(async (tx) => {
      const found = { ...fields, progress: this.progress, elapsedMs: this.elapsed() };
      if (!(await updateSearched(tx, this.search, found))) {
        this.stop.abort();
        return;
      }
      await publish(tx, { topic: 'plans', routes: [], users: this.search.createdBy ? [this.search.createdBy] : [] });
    });
  }

  store(found: { arrangement: Arrangement; reasons: Record<string, string> }): Promise<void> {
    return this.write(found);
  }

  async end(fields: { status: 'ready' | 'failed'; message: string | null }): Promise<void> {
    clearInterval(this.timer);
    await this.write(fields);
  }
}
