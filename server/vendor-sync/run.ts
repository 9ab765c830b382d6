import { setMaxListeners } from 'node:events';
import { VendorError, type VendorFailure } from '../../connectors/connector.ts';
import type { SyncCounts } from '../../contract/integration-runs.ts';
import type { VendorBatch, VendorResource } from '../../domain/integration.ts';
import { dayIn } from '../../domain/time.ts';
import type { Db } from '../db/database.ts';
import { againOnConflict } from '../db/statements/again.ts';
import type { Deps } from '../deps.ts';
import { takeDexReads } from '../dex/service.ts';
import { type ConfigRow, findConfig, noteProblem, tell, updateConfigFields } from '../integrations/service.ts';
import { getOperator } from '../settings/service.ts';
import {
  addCounts,
  adoptPlanograms,
  noCounts,
  type Source,
  storeBatch,
  waitForOthers,
} from '../vendor-records/service.ts';
import { type Connection, connect } from './context.ts';
import {
  type CursorRow,
  claimRun,
  findCursors,
  noteRest,
  type RunRow,
  renewLease,
  saveCursor,
  saveCursorRead,
  updateRun,
} from './queries.ts';
import { readAhead } from './read-ahead.ts';
import { HeldOff } from './vendor-fetch.ts';

const minuteMs = 60_000;
/** Renewed all the time: a partner may make one page wait for longer. */
const leaseMs = 3 * minuteMs;
/** Also how soon a run hears that it is to stop while its partner makes it wait. */
const renewEveryMs = 10_000;
/** How far each run looks back beyond what the run before saw. */
const overlapMs = 15 * minuteMs;
const usualMinutes = 15;
/** A partner that never says 'no more' would be read for ever. */
const mostPages = 50_000;

type Work = {
  deps: Deps;
  run: RunRow;
  config: ConfigRow;
  connection: Connection;
  /** What is stored, also of a run that breaks off. */
  done: { counts: SyncCounts; pages: number; resources: VendorResource[] };
  errors: string[];
};

/** `isOurs`: what failed is this program and not the partner. */
export type EndedRun = RunRow & { isOurs: boolean };

/** The run as it ended; null when another run of the configuration is at work. */
export async function executeRun(deps: Deps, run: RunRow, signal: AbortSignal): Promise<EndedRun | null> {
  if (!(await claimRun(deps.db, run, { at: deps.clock.now(), until: leaseFrom(deps) }))) return null;
  const config = await findConfig(deps.db, run.configId);
  if (!config?.isActive) return endUnread(deps, run);
  const errors: string[] = [];
  const over = new AbortController();
  const until = AbortSignal.any([signal, over.signal]);
  // As many calls listen to it as rest before they are tried again.
  setMaxListeners(0, until);
  let isStopped = false;
  const beat = setInterval(async () => {
    if (!(await keepLease(deps, run))) return;
    isStopped = true;
    over.abort();
  }, renewEveryMs);
  const done: Work['done'] = {
    counts: run.progress.counts ?? noCounts,
    pages: run.progress.pages ?? 0,
    resources: [],
  };
  let connection: Connection | null = null;
  let ended: Ended;
  try {
    const onRest = (at: Date): void => void tellRest(deps, run, at);
    connection = await connect(deps, config, { signal: until, onRest });
    ended = await readAll({ deps, run, config, connection, done, errors });
  } catch (error) {
    ended = isStopped ? stopped : failureOf(config, error);
    const isOurs = !isStopped && !signal.aborted && !(error instanceof VendorError);
    if (isOurs) deps.log.error({ err: error, run: run.id }, 'sync run failed');
  }
  // Broken off by this process going away, not by the partner: it waits for the next one.
  if (signal.aborted && ended.status === 'failed') {
    ended = left;
    errors.length = 0;
  }
  clearInterval(beat);
  // What was read ahead is not needed any more.
  over.abort();
  await connection?.save();
  if (connection && ended.status === 'cancelled') await putOff({ deps, run, config, connection, done, errors });
  return finish(deps, { run, config, ended, counts: done.counts, errors, retryAt: retryAtOf(connection) });
}

/** Somebody switched the configuration off or took it away while the run waited: it ends before it calls anybody. */
async function endUnread({ db, clock }: Deps, run: RunRow): Promise<EndedRun> {
  const at = clock.now();
  const message = 'The configuration was switched off or removed before this sync began.';
  const ended = { status: 'cancelled', completedAt: at, leaseUntil: null, message };
  return { ...((await updateRun(db, run.id, ended)) ?? run), isOurs: false };
}

const leaseFrom = ({ clock }: Deps): Date => new Date(clock.now().getTime() + leaseMs);

/** A renewal that fails is tried again with the next; until the lease ends nobody else begins. True: it is to stop. */
async function keepLease(deps: Deps, run: RunRow): Promise<boolean> {
  try {
    return (await renewLease(deps.db, run.id, leaseFrom(deps)))?.cancelRequested === true;
  } catch (error) {
    deps.log.warn({ err: error, run: run.id }, 'the lease of a sync run was not renewed');
    return false;
  }
}

/** Lets the screens say why nothing comes. */
async function tellRest(deps: Deps, run: RunRow, until: Date): Promise<void> {
  try {
    await deps.db.transaction(async (tx) => {
      await noteRest(tx, run.id, until);
      await tell(tx, run.configId);
    });
  } catch (error) {
    deps.log.warn({ err: error, run: run.id }, 'it was not noted that a sync run waits');
  }
}

function retryAtOf(connection: Connection | null): Date | null {
  return connection?.comeBackAt() ?? connection?.openUntil() ?? null;
}

type Ended = {
  /** `pending`: its process went away, and the next one goes on with it. */
  status: 'succeeded' | 'paused' | 'failed' | 'cancelled' | 'pending';
  problem: { kind: VendorFailure; sentence: string; isKnown?: boolean; isOurs?: boolean } | null;
};

const stopped: Ended = { status: 'cancelled', problem: null };
const left: Ended = { status: 'pending', problem: null };

function failureOf(config: ConfigRow, error: unknown): Ended {
  if (error instanceof VendorError) {
    // Nobody has anything to put right: what is left is read when the pause is over.
    const status = error.kind === 'rate-limit' ? 'paused' : 'failed';
    const isKnown = error instanceof HeldOff && config.problem !== null;
    return { status, problem: { kind: error.kind, sentence: error.message, isKnown } };
  }
  const sentence = `The sync of ${config.name} failed in this program. The log of the server says why.`;
  return { status: 'failed', problem: { kind: 'bad-data', sentence, isOurs: true } };
}

/** What ends one resource only; everything else ends the run. */
const passable: readonly VendorFailure[] = ['forbidden', 'bad-data'];

async function readAll(work: Work): Promise<Ended> {
  const { deps, run, config } = work;
  const cursors = new Map((await findCursors(deps.db, config.id)).map((row) => [row.resource, row]));
  let problem: Ended['problem'] = null;
  for (const resource of run.resources as VendorResource[]) {
    if (run.walk[resource]?.done) continue;
    try {
      if (!(await readResource(work, resource, cursors.get(resource)))) return stopped;
      work.done.resources.push(resource);
    } catch (error) {
      await noteTried(work, resource);
      if (!(error instanceof VendorError) || !passable.includes(error.kind)) throw error;
      noteError(work.errors, resource, error.message);
      problem ??= { kind: error.kind, sentence: error.message };
    }
  }
  return { status: problem ? 'failed' : 'succeeded', problem };
}

/** What goes wrong with several resources in the same way is said once. */
function noteError(errors: string[], resource: VendorResource, sentence: string): void {
  const known = errors.findIndex((line) => line.endsWith(`: ${sentence}`));
  const before = known < 0 ? '' : `${errors[known]?.slice(0, -sentence.length - 2)}, `;
  errors.splice(known < 0 ? errors.length : known, 1, `${before}${resource}: ${sentence}`);
}

/** Whoever stopped a run does not want it to begin anew in a minute. */
async function putOff(work: Work): Promise<void> {
  const read = new Set(work.done.resources);
  for (const resource of work.run.resources as VendorResource[])
    if (!read.has(resource)) await noteTried(work, resource);
}

/** A resource that failed is due again after its usual time, or when the partner asked us to come back. */
async function noteTried({ deps, config, connection }: Work, resource: VendorResource): Promise<void> {
  const now = deps.clock.now();
  const usual = dueAt(connection, resource, now);
  const asked = retryAtOf(connection);
  await saveCursor(deps.db, config.id, resource, {
    lastTriedAt: now,
    nextDueAt: asked && asked > now && asked < usual ? asked : usual,
  });
}

function dueAt({ connector }: Connection, resource: VendorResource, from: Date): Date {
  return new Date(from.getTime() + (connector.manifest.everyMinutes[resource] ?? usualMinutes) * minuteMs);
}

/** True when the resource was read to its end, false when a person stopped the run. */
async function readResource(work: Work, resource: VendorResource, stored: CursorRow | undefined): Promise<boolean> {
  const { deps, run, connection } = work;
  const startedAt = deps.clock.now();
  const isReread = run.since !== null;
  const since = run.since ?? (stored?.lastGoodAt ? new Date(stored.lastGoodAt.getTime() - overlapMs) : null);
  const standsForAll = !isReread || (since !== null && !!stored?.lastGoodAt && since <= stored.lastGoodAt);
  const start: unknown = isReread ? (run.walk[resource]?.cursor ?? null) : (stored?.cursor ?? null);
  const { connector, context } = connection;
  const nextPage = readAhead((cursor) => connector.pull(resource, { cursor, since }, context), start);
  for (let page = 0; page < mostPages; page += 1) {
    const { from, batch, cursor, more } = await nextPage();
    const isStuck = more && JSON.stringify(cursor) === JSON.stringify(from) && isEmpty(batch);
    if (isStuck) {
      const { system, label } = connector.manifest;
      throw new VendorError(
        system,
        'bad-data',
        `${label} keeps sending the same empty page. The sync tries again by itself.`,
      );
    }
    work.done.pages += 1;
    // Where reading stands is what is stored: what was read further ahead is asked for again.
    const next = { cursor, done: !more };
    const goesOn = await storePage(work, { resource, batch, next, startedAt, isReread, standsForAll });
    if (!goesOn) return false;
    if (!more) return true;
  }
  const { system, label } = connection.connector.manifest;
  throw new VendorError(
    system,
    'bad-data',
    `${label} does not come to an end: ${mostPages} pages were read and are kept. Ask its support.`,
  );
}

const isEmpty = (batch: VendorBatch): boolean => Object.values(batch).every((list) => list.length === 0);

type Page = {
  resource: VendorResource;
  batch: VendorBatch;
  next: { cursor: unknown; done: boolean };
  startedAt: Date;
  isReread: boolean;
  /** A reread of two days after five without a sync leaves three that the next sync has to read. */
  standsForAll: boolean;
};

/** Stores a page, where reading stands, and how far the run is, as one; false when the run is to stop. */
async function storePage(work: Work, page: Page): Promise<boolean> {
  const { deps, run, config } = work;
  const { counts, stops } = await againOnConflict(() =>
    deps.db.transaction(async (tx) => {
      const did = await takeBatch(tx, { config, at: deps.clock.now() }, page.batch);
      await adopt(work, tx, page);
      await keepCursor(work, tx, page);
      const sum = addCounts(work.done.counts, did);
      if (page.isReread) run.walk = { ...run.walk, [page.resource]: page.next };
      const progress = {
        resource: page.resource,
        pages: work.done.pages,
        records: sum.processed,
        counts: sum,
        waitsUntil: work.connection.restsUntil()?.toISOString() ?? null,
        pageAt: deps.clock.now().toISOString(),
      };
      const written = await updateRun(tx, run.id, {
        progress,
        walk: run.walk,
        recordsProcessed: sum.processed,
        leaseUntil: leaseFrom(deps),
      });
      await tell(tx, config.id);
      const isEnded = written?.cancelRequested === true || written?.status !== 'running';
      // Whoever switches a configuration off, or takes it away, expects it to be read no more.
      return { counts: sum, stops: isEnded || !(await findConfig(tx, config.id))?.isActive };
    }),
  );
  work.done.counts = counts;
  return !stops;
}

/** When all devices, or all that stands in them, are told: new machines get the partner's planogram. */
async function adopt({ deps, config }: Work, tx: Db, { resource, next }: Page): Promise<void> {
  if (!next.done || (resource !== 'stock' && resource !== 'devices')) return;
  await adoptPlanograms({ db: tx, configId: config.id, system: config.system, at: deps.clock.now() });
}

async function keepCursor({ deps, run, config, connection }: Work, tx: Db, page: Page): Promise<void> {
  const { resource, next, startedAt, isReread, standsForAll } = page;
  // A reread walks on its own: the place where new records begin stays where it was.
  const place = isReread ? {} : { cursor: next.cursor };
  if (!next.done) return saveCursor(tx, config.id, resource, { ...place, lastTriedAt: startedAt });
  const reread = await rereadOf(tx, run);
  if (!standsForAll) return saveCursor(tx, config.id, resource, { ...reread, lastTriedAt: startedAt });
  const nextDueAt = dueAt(connection, resource, startedAt);
  const good = { ...place, ...reread, lastGoodAt: startedAt, lastTriedAt: startedAt, nextDueAt };
  await saveCursorRead(tx, config.id, resource, { ...good, since: startedAt, now: deps.clock.now() });
}

/** The night that a look back is of. */
async function rereadOf(tx: Db, { cause, createdAt }: RunRow): Promise<{ rereadOn?: string }> {
  return cause === 'nightly' ? { rereadOn: dayIn((await getOperator(tx)).timeZone, createdAt) } : {};
}

/** Takes a batch into the mirror and the books; DEX files go to their machines, one of no known machine is held. */
export async function takeBatch(tx: Db, told: Source, { dexReads = [], ...batch }: VendorBatch): Promise<SyncCounts> {
  // A DEX file locks its machine: who holds one must not wait for whoever tells of the same sales.
  if (dexReads.length > 0) await waitForOthers({ db: tx }, batch.sales ?? []);
  const { taken, refused } = await takeDexReads(tx, told, dexReads);
  const unplaced = refused.map(({ id, reason }) => ({ reason: `DEX file: ${reason}`, raw: { deviceId: id } }));
  const counts = await storeBatch(tx, told, { ...batch, unreadable: [...(batch.unreadable ?? []), ...unplaced] });
  return { ...counts, processed: counts.processed + taken };
}

type End = {
  run: RunRow;
  config: ConfigRow;
  ended: Ended;
  counts: SyncCounts;
  errors: string[];
  retryAt: Date | null;
};

async function finish(deps: Deps, { run, config, ended, counts, errors, retryAt }: End): Promise<EndedRun> {
  const at = deps.clock.now();
  const { status, problem } = ended;
  const isError = problem !== null && status !== 'paused';
  const isLeft = status === 'pending';
  const details =
    isError && !errors.some((line) => line.endsWith(problem.sentence)) ? [...errors, problem.sentence] : errors;
  return deps.db.transaction(async (tx) => {
    if (status === 'succeeded') await updateConfigFields(tx, config.id, { lastSyncAt: at });
    if (status !== 'cancelled' && !isLeft && !problem?.isKnown) await noteProblem(tx, config.id, problem, at);
    const written = await updateRun(tx, run.id, {
      status,
      completedAt: isLeft ? null : at,
      leaseUntil: null,
      recordsProcessed: counts.processed,
      progress: { ...run.progress, resource: null, waitsUntil: null, records: counts.processed, counts },
      errorCount: details.length,
      errorDetails: details,
      message: problem?.sentence ?? null,
      lastSyncAt: status === 'succeeded' ? at : config.lastSyncAt,
      nextSyncAt: retryAt,
    });
    await tell(tx, config.id);
    return { ...(written ?? run), isOurs: problem?.isOurs ?? false };
  });
}
