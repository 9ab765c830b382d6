import { hostname } from 'node:os';
import { sql } from 'drizzle-orm';
import type { Deps } from '../deps.ts';
import type { Flow } from '../watch/flow.ts';
import { goneRole, insertSample } from './queries.ts';

const everyMs = 60_000;
const bytesPerMb = 1_048_576;

export const processName = (): string => `${hostname()}:${process.pid}`.slice(-100);

export type Sampler = {
  sample: () => Promise<void>;
  stop: () => void;
  /** Writes the rest down and that this process is gone: others leave it out from then on. */
  leave: () => Promise<void>;
};

/** Writes down once a minute what this process did since the last time. */
export function startSampler(deps: Deps, name = processName()): Sampler {
  let before: Taken = take(deps);
  const write = async (role: string): Promise<void> => {
    const after = take(deps);
    const { flow } = after;
    const moved = (field: keyof Flow): number => flow[field] - before.flow[field];
    const entry = {
      at: deps.clock.now(),
      ...{ process: name, role },
      seconds: (after.atMs - before.atMs) / 1000,
      ...{
        requests: moved('requests'),
        requestMs: moved('requestMs'),
        failed: moved('failed'),
        refused: moved('refused'),
      },
      ...{ transactions: moved('transactions'), queries: moved('queries'), queryMs: moved('queryMs') },
      ...{ rowCount: moved('rows'), cpuMs: after.cpuMs - before.cpuMs },
      eventLoopDelayMs: deps.watch.loop.steadyDelayMs(),
      memoryMb: process.memoryUsage.rss() / bytesPerMb,
      streams: deps.live.size(),
    };
    before = after;
    await insertSample(deps.db, entry);
  };
  // A database away for a minute costs one point of a chart.
  const attempt = async (role: string): Promise<void> => {
    if (deps.database.isAway()) return;
    await write(role).catch((error) => deps.log.warn({ err: error }, 'performance sample'));
  };
  const timer = setInterval(() => void attempt(deps.env.role), everyMs);
  timer.unref();
  const stop = (): void => clearInterval(timer);
  return {
    ...{ sample: () => write(deps.env.role), stop },
    leave: async () => {
      stop();
      await attempt(goneRole);
    },
  };
}

type Taken = { atMs: number; flow: Flow; cpuMs: number };

function take({ watch }: Deps): Taken {
  const { user, system } = process.cpuUsage();
  return { atMs: performance.now(), flow: watch.flow.total(), cpuMs: (user + system) / 1000 };
}

/** Charts go back a week. */
export async function purgeSamples(deps: Deps): Promise<void> {
  const now = deps.clock.now().toISOString();
  await deps.db.execute(sql`delete from performance_samples where at < ${now}::timestamptz - interval '8 days'`);
}
