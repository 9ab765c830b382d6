import type { Deps } from '../deps.ts';
import type { RunRow } from './queries.ts';
import { type EndedRun, executeRun } from './run.ts';

type Background = { stop: AbortController; running: Set<Promise<unknown>> };

/** What goes on by itself in this process, by its dependencies: a test's application ends its own and no other. */
const processes = new WeakMap<Deps, Background>();

function backgroundOf(deps: Deps): Background {
  const known = processes.get(deps);
  if (known) return known;
  const made = { stop: new AbortController(), running: new Set<Promise<unknown>>() };
  processes.set(deps, made);
  return made;
}

/** Ended when the process stops. */
export const stopSignal = (deps: Deps): AbortSignal => backgroundOf(deps).stop.signal;

/** Lets work go on without anybody waiting for it; what goes wrong is logged. */
export function goOn(deps: Deps, work: () => Promise<unknown>): void {
  const { stop, running } = backgroundOf(deps);
  if (stop.signal.aborted) return;
  const going = work()
    .catch((error: unknown) => deps.log.error({ err: error }, 'background work failed'))
    .finally(() => running.delete(going));
  running.add(going);
}

/** Waits until what goes on by itself now is done. */
export async function untilQuiet(deps: Deps): Promise<void> {
  const { running } = backgroundOf(deps);
  while (running.size > 0) await Promise.all(running);
}

/** Ends what goes on by itself: a run is given back, so that another process takes it up at once. */
export async function stopBackground(deps: Deps): Promise<void> {
  const { stop, running } = backgroundOf(deps);
  stop.abort();
  await Promise.all(running);
}

/** Starts a stored run; the answer to whoever asked does not wait for it. */
export function startRun(deps: Deps, run: RunRow): void {
  goOn(deps, () => runToEnd(deps, run));
}

/** The run as it ended, or as this process left it on its way out; null when another run of the configuration is at work. */
export const runToEnd = (deps: Deps, run: RunRow): Promise<EndedRun | null> => executeRun(deps, run, stopSignal(deps));
