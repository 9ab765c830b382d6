import { type Capacity, deviceLimits } from '../../domain/performance.ts';
import type { Deps } from '../deps.ts';
import { isDatabaseHere } from '../env.ts';
import { today } from '../settings/service.ts';
import { windowSeconds } from '../watch/flow.ts';
import { countDevices, countRoutes, cpuOfCalls, databaseBytes, othersRates, type Rates } from './queries.ts';
import { processName } from './sampler.ts';

/** What the meters showed at one moment. */
type Reading = { at: Date; rates: Rates; eventLoopDelayMs: number; waiting: number };
export type ReadMeters = () => Promise<Reading>;

/** A screen's calls come within moments of each other. */
const oneReadingMs = 5_000;

/** Reads the meters; calls that come together get one reading, so that the figures of a screen agree with each other. */
export function meterReader(deps: Deps): ReadMeters {
  let last: { atMs: number; reading: Promise<Reading> } | null = null;
  return () => {
    const now = deps.clock.now().getTime();
    if (last && Math.abs(now - last.atMs) < oneReadingMs) return last.reading;
    const reading = readMeters(deps);
    last = { atMs: now, reading };
    // A failure must not be told to the next screen.
    reading.catch(() => {
      last = null;
    });
    return reading;
  };
}

async function readMeters(deps: Deps): Promise<Reading> {
  return {
    at: deps.clock.now(),
    rates: await measuredRates(deps),
    eventLoopDelayMs: deps.watch.loop.steadyDelayMs(),
    waiting: deps.database.connections().waiting,
  };
}

/** This process's last minute beside the newest minute of every other process. */
async function measuredRates(deps: Deps): Promise<Rates> {
  const flow = deps.watch.flow.recent();
  const own: Rates = {
    ...flow,
    processes: 1,
    // A process that has just begun has no whole minute yet.
    seconds: Math.min(windowSeconds, Math.max(1, process.uptime())),
  };
  const others = await othersRates(deps.db, { self: processName(), now: deps.clock.now() });
  return others.reduce(sum, own);
}

/** Minutes of about the same length: what another process did in its minute is put to the length of ours. */
function sum(one: Rates, other: Rates): Rates {
  const share = one.seconds / Math.max(1, other.seconds);
  return {
    processes: one.processes + 1,
    seconds: one.seconds,
    requests: one.requests + other.requests * share,
    requestMs: one.requestMs + other.requestMs * share,
    failed: one.failed + other.failed * share,
    refused: one.refused + other.refused * share,
    transactions: one.transactions + other.transactions * share,
    queries: one.queries + other.queries * share,
    queryMs: one.queryMs + other.queryMs * share,
    rows: one.rows + other.rows * share,
  };
}

/** What was turned away has failed as well for whoever called. */
export function failuresOf({ failed, requests, refused }: Rates): { failed: number; calls: number } {
  return { failed: failed + refused, calls: requests + refused };
}

export const perSecond = (sumOfMinute: number, { seconds }: Rates): number => round(sumOfMinute / seconds, 2);

/** As exactly as screens show it: what is judged is what is read. */
export function meanMs(ms: number, times: number): number {
  if (times < 1) return 0;
  const mean = round(ms / times, 1);
  return mean < 100 ? mean : Math.round(mean);
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

export async function routesToday(deps: Deps) {
  return countRoutes(deps.db, await today(deps.db, deps.clock));
}

export async function capacityOf(deps: Deps) {
  const { db, clock, database, watch, env } = deps;
  const devices = await countDevices(db);
  const cpu = await cpuOfCalls(db, clock.now());
  const capacity: Capacity = {
    cpuMsPerCall: cpu.cpuMsPerCall,
    processes: cpu.webProcesses,
    isEmbedded: database.kind === 'embedded',
    devices: devices.total,
    databaseBytes: await databaseBytes(db),
    freeBytes: isDatabaseHere(env) ? watch.disk.use().freeBytes : null,
  };
  return { devices, cpu, capacity, limits: deviceLimits(capacity) };
}
