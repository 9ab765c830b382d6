import type { FastifyBaseLogger } from 'fastify';
import type { OnQuery } from '../db/timed.ts';
import { type DiskState, type DiskUse, type DiskWatch, diskStates, type ReadDisk, watchDisk } from './disk.ts';
import { type EventLoop, watchEventLoop } from './event-loop.ts';
import { type FlowMeter, flowMeter } from './flow.ts';
import { type Counter, createRegistry, type Histogram, type Registry } from './meters.ts';
import type { Tracer } from './traces.ts';
import { type UploadMeter, uploadMeter } from './uploads.ts';

/** What this process sees of itself. Features add to its counters; nothing here knows a feature. */
export type Watch = {
  registry: Registry;
  flow: FlowMeter;
  loop: EventLoop;
  disk: DiskWatch;
  uploads: UploadMeter;
  tracer: Tracer | null;
  onQuery: OnQuery;
  /** Calls answered, by method, endpoint (its path with `:id`) and status. */
  httpSeconds: Histogram;
  /** Calls refused before their body was read, by pool. */
  refused: Counter;
  /** Calls that are being turned away before they were worked on. */
  turnedAway: WeakSet<object>;
  /** Calls that fail by no fault of this server: a partner's system is away, or sent what cannot be read. */
  failedElsewhere: WeakSet<object>;
  /** Runs of background jobs, by name and outcome (done, failed). */
  jobs: Counter;
  jobSeconds: Histogram;
  /** Events of phones, by what became of them. */
  syncEvents: Counter;
  /** Webhook deliveries, by system and outcome (accepted, repeated, refused, processed, failed, dead). */
  webhooks: Counter;
  /** The process takes calls from now on: only then is a slow statement news. Filling a database is slow by nature. */
  serve: () => void;
  /** The process is about to stop: whoever spreads the calls should send them elsewhere. */
  leave: () => void;
  isLeaving: () => boolean;
  stop: () => Promise<void>;
};

type Options = {
  log: FastifyBaseLogger;
  readDisk: ReadDisk;
  slowQueryMs: number;
  tracer: Tracer | null;
};

const longestStatement = 1_000;
const bytesPerGb = 1e9;

export function createWatch({ log, readDisk, slowQueryMs, tracer }: Options): Watch {
  const registry = createRegistry();
  const flow = flowMeter(() => performance.now());
  const loop = watchEventLoop();
  const disk = watchDisk(readDisk, (state, use) => sayDisk(log, state, use));
  const querySeconds = registry.histogram('milkrun_query_seconds', 'Duration of database statements', ['outcome']);
  processGauges(registry, { loop, disk });
  let isLeaving = false;
  let isServing = false;
  return {
    ...{ registry, flow, loop, disk, tracer, uploads: uploadMeter(() => performance.now()) },
    turnedAway: new WeakSet(),
    failedElsewhere: new WeakSet(),
    httpSeconds: registry.histogram('milkrun_http_seconds', 'Duration of calls by method, endpoint and status', [
      'method',
      'path',
      'status',
    ]),
    refused: registry.counter('milkrun_http_refused_total', 'Calls refused before their body was read, by pool', [
      'pool',
      'reason',
    ]),
    jobs: registry.counter('milkrun_jobs_total', 'Runs of background jobs by name and outcome', ['name', 'outcome']),
    jobSeconds: registry.histogram('milkrun_job_seconds', 'Duration of background jobs', ['name']),
    syncEvents: registry.counter('milkrun_sync_events_total', 'Events of phones by what became of them', ['outcome']),
    webhooks: registry.counter('milkrun_webhooks_total', 'Webhook deliveries by system and outcome', [
      'system',
      'outcome',
    ]),
    onQuery: ({ statement, ms, rows, failed, endsTransaction }) => {
      querySeconds.observe(ms / 1000, { outcome: failed ? 'failed' : 'done' });
      flow.add({ queries: 1, queryMs: ms, rows, transactions: endsTransaction ? 1 : 0 });
      tracer?.query(statement, ms, failed);
      if (isServing && ms >= slowQueryMs)
        log.warn({ statement: statement.slice(0, longestStatement), ms: Math.round(ms), rows }, 'slow query');
    },
    serve: () => {
      isServing = true;
    },
    leave: () => {
      isLeaving = true;
    },
    isLeaving: () => isLeaving,
    stop: async () => {
      loop.stop();
      disk.stop();
      await tracer?.stop();
    },
  };
}

function processGauges(registry: Registry, { loop, disk }: { loop: EventLoop; disk: DiskWatch }): void {
  registry.gauge('milkrun_event_loop_delay_seconds', 'Mean delay of the event loop in the last second', () =>
    seconds(loop.delayMs()),
  );
  registry.gauge('milkrun_event_loop_longest_seconds', 'Longest delay of the event loop in the last second', () =>
    seconds(loop.longestMs()),
  );
  registry.gauge('milkrun_disk_used_ratio', 'Used share of the disk of the data folder', () => disk.use().usedShare);
  registry.gauge('milkrun_disk_state', '0 good, 1 nearly full, 2 full: nothing is written any more', () =>
    diskStates.indexOf(disk.state()),
  );
  registry.gauge('process_resident_memory_bytes', 'Memory of this process', () => process.memoryUsage.rss());
  registry.gauge('process_cpu_seconds_total', 'Processor time of this process', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  registry.gauge('process_uptime_seconds', 'Time since this process began', () => process.uptime());
}

const seconds = (ms: number): number => Math.round(ms * 1000) / 1e6;

function sayDisk(log: FastifyBaseLogger, state: DiskState, { usedShare, freeBytes }: DiskUse): void {
  const free = { usedPercent: Math.round(usedShare * 100), freeGb: Number((freeBytes / bytesPerGb).toFixed(1)) };
  if (state === 'full') log.error(free, 'the disk is full: nothing is written until room is made');
  else if (state === 'warning') log.warn(free, 'the disk is nearly full: make room');
  else log.info(free, 'the disk has room again');
}
