import { type SQL, sql } from 'drizzle-orm';
import type { VendorFailure } from '../../connectors/connector.ts';
import type { SyncCounts, SyncRun } from '../../contract/integration-runs.ts';
import { AppError } from '../../domain/errors.ts';
import type { VendorResource } from '../../domain/integration.ts';
import { instantIn } from '../../domain/time.ts';
import { recordAudit } from '../audit/service.ts';
import { firstRow, rows } from '../db/database.ts';
import { findPage, type Page } from '../db/statements/paging.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { type ConfigRow, connectorOf, requireConfig, restOf, tell } from '../integrations/service.ts';
import { getOperator } from '../settings/service.ts';
import { noCounts } from '../vendor-records/service.ts';
import { runToEnd, startRun } from './background.ts';
import { deleteUnbegun, findOpenRun, findRun, insertRun, makeDue, type RunRow, updateRun } from './queries.ts';

export { goOn, stopBackground, stopSignal, untilQuiet } from './background.ts';
export { testConnection } from './connection-test.ts';
export { type Connection, connect, hash } from './context.ts';
export { recordPush } from './push.ts';
export { takeBatch } from './run.ts';
export { purgeRuns, syncWhatIsDue, takeUpAtStart } from './timetable.ts';

type Wish = {
  /** Absent: everything the system has. */
  resources?: readonly VendorResource[] | undefined;
  cause?: 'manual' | 'backfill' | 'webhook' | 'push';
  jobType?: string;
  since?: Date | null;
  callerId?: number | null;
};

/** `counts`: what was stored, also by a run that did not come to its end. */
export type SyncOutcome = { counts: SyncCounts } & (
  | { state: 'done'; runId: number }
  /** `isPassing`: trying again later may help without a person. `isOurs`: what failed is this program and not the partner. */
  | { state: 'failed'; sentence: string; isPassing: boolean; isOurs: boolean }
  /** `left`: the process goes away in the middle, and the next one goes on. */
  | { state: 'stopped' | 'busy' | 'left'; sentence: string }
);

/** Failures that no trying again ends. */
const forPersons: ReadonlySet<string> = new Set<VendorFailure>(['auth', 'reconnect', 'forbidden', 'address']);

/** Whether trying again later cannot help without a person. */
export const waitsForPerson = (failure: string | null): boolean => failure !== null && forPersons.has(failure);

const busy = 'This configuration is being synced at this moment. Wait until that is done.';
const stopped = 'Somebody stopped this sync. What was read until then stays.';
const left = 'The server is being stopped. The sync goes on by itself when it runs again.';

/** Reads a configuration and waits for the end. Nothing is begun while another run of it is at work. */
export async function trySync(deps: Deps, configId: number, wish: Wish = {}): Promise<SyncOutcome> {
  const run = await addRun(deps, configId, wish);
  const ended = await runToEnd(deps, run);
  if (!ended) {
    await deleteUnbegun(deps.db, run.id);
    return { state: 'busy', sentence: busy, counts: noCounts };
  }
  const counts = ended.progress.counts ?? noCounts;
  if (ended.status === 'failed' || ended.status === 'paused') {
    const { problemKind } = await requireConfig(deps.db, configId);
    return {
      state: 'failed',
      counts,
      sentence: ended.message ?? 'The sync failed.',
      isPassing: !waitsForPerson(problemKind),
      isOurs: ended.isOurs,
    };
  }
  if (ended.status === 'cancelled') return { state: 'stopped', sentence: stopped, counts };
  if (ended.status !== 'succeeded') return { state: 'left', sentence: left, counts };
  return { state: 'done', counts, runId: ended.id };
}

/**
 * What buttons do that answer with counts: refused while another run of the configuration is at work; a partner that
 * fails is told by `AppError` with the sentence for the screen.
 */
export async function runSync(
  deps: Deps,
  configId: number,
  resources?: readonly VendorResource[],
  wish: Wish = {},
): Promise<SyncCounts & { runId: number }> {
  const outcome = await trySync(deps, configId, { ...wish, resources });
  if (outcome.state === 'done') return { ...outcome.counts, runId: outcome.runId };
  throw refusalOf(outcome);
}

/** A partner that is away is tried again later; one that refuses us is a matter of the configuration, not of our service. */
export function refusalOf(outcome: Exclude<SyncOutcome, { state: 'done' }>): AppError {
  const isAway = outcome.state === 'left' || (outcome.state === 'failed' && outcome.isPassing);
  return new AppError(isAway ? 'unavailable' : 'conflict', outcome.sentence, {
    elsewhere: !(outcome.state === 'failed' && outcome.isOurs),
  });
}

/** Starts reading a configuration; the run goes on by itself. One that waits or is at work already is told of instead. */
export async function startSync(deps: Deps, caller: Caller, configId: number, wish: Wish = {}): Promise<SyncRun> {
  const open = await findOpenRun(deps.db, configId);
  if (open && !wish.since) return getSyncRun(deps, open.id);
  const run = await addRun(deps, configId, { ...wish, callerId: caller.userId });
  startRun(deps, run);
  return getSyncRun(deps, run.id);
}

/** Reads sales again from a calendar day of the operator on. */
export async function backfill(deps: Deps, caller: Caller, configId: number, from: string): Promise<SyncRun> {
  const config = await requireConfig(deps.db, configId);
  const { manifest } = connectorOf(deps, config.system);
  const { timeZone } = await getOperator(deps.db);
  const since = instantIn(timeZone, from, 0);
  if (since > deps.clock.now())
    throw new AppError('invalid-input', 'This day has not come yet.', {
      fields: { from: 'This day has not come yet' },
    });
  if (!manifest.backfills) {
    throw new AppError(
      'invalid-input',
      `${manifest.label} only remembers its latest sales: older ones cannot be read again.`,
      { fields: { from: 'The system does not keep older sales' } },
    );
  }
  const resources = manifest.resources.filter((resource) => resource === 'sales');
  return startSync(deps, caller, configId, { resources, since, cause: 'backfill', jobType: 'backfill' });
}

/** Asks partners' resources to be read at the next turn, which is now. */
export async function pullSoon(deps: Deps, config: ConfigRow, resources: readonly VendorResource[]): Promise<void> {
  const known = connectorOf(deps, config.system).manifest.resources.filter((one) => resources.includes(one));
  if (known.length === 0) return;
  await makeDue(deps.db, { configId: config.id, resources: known, at: deps.clock.now() });
  // What the partner wants to be left alone with is due when its pause is over.
  if (restOf(config, deps.clock.now()) || (await findOpenRun(deps.db, config.id))) return;
  startRun(deps, await addRun(deps, config.id, { resources: known, cause: 'webhook' }));
}

async function addRun(deps: Deps, configId: number, wish: Wish): Promise<RunRow> {
  const config = await requireConfig(deps.db, configId);
  if (!config.isActive) throw new AppError('conflict', 'This configuration is inactive: activate it first.');
  const { manifest } = connectorOf(deps, config.system);
  const wanted = manifest.resources.filter((one) => !wish.resources || wish.resources.includes(one));
  if (wanted.length === 0) throw new AppError('invalid-input', `${manifest.label} does not tell of this.`);
  return deps.db.transaction(async (tx) => {
    const run = await insertRun(tx, {
      configId,
      system: config.system,
      jobType: wish.jobType ?? (wish.resources ? wanted.join(', ').slice(0, 30) : 'all'),
      cause: wish.cause ?? 'manual',
      resources: wanted,
      since: wish.since ?? null,
      requestedBy: wish.callerId ?? null,
      createdAt: deps.clock.now(),
    });
    await tell(tx, configId);
    return run;
  });
}

/** Stops a run after the page it reads; what it read stays. */
export async function cancelSync(deps: Deps, caller: Caller, id: number): Promise<SyncRun> {
  await deps.db.transaction(async (tx) => {
    const run = await findRun(tx, id);
    if (!run) throw new AppError('not-found', 'This sync run does not exist.');
    if (run.status !== 'pending' && run.status !== 'running') {
      throw new AppError('conflict', 'This sync run has ended already.');
    }
    const ended = run.status === 'pending' ? { status: 'cancelled', completedAt: deps.clock.now() } : {};
    await updateRun(tx, id, { cancelRequested: true, ...ended });
    await recordAudit(tx, caller, {
      action: 'integration.cancel-sync',
      objectType: 'integration',
      objectId: run.configId,
    });
    await tell(tx, run.configId);
  });
  return getSyncRun(deps, id);
}

const fields = sql`r.id, r.config_id as "configId", r.system, c.name as "configName", r.job_type as "jobType", r.cause, r.resources,
  ${iso(sql`r.since`)} as since, r.status, r.status = 'running' and r.cancel_requested as "isStopping", r.progress, r.records_processed as "recordsProcessed", r.error_count as "errorCount",
  coalesce(r.error_details, '[]'::jsonb) as "errorDetails", r.message, ${iso(sql`r.created_at`)} as "createdAt",
  ${iso(sql`r.started_at`)} as "startedAt", ${iso(sql`r.completed_at`)} as "completedAt",
  (extract(epoch from r.completed_at - r.started_at) * 1000)::int as "durationMs", ${iso(sql`r.next_sync_at`)} as "nextSyncAt"`;

function iso(column: SQL): SQL {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

type Found = Omit<SyncRun, 'counts' | 'progress'> & { progress: RunRow['progress'] };

function toRun({ progress, ...run }: Found, now: Date): SyncRun {
  const { resource = null, pages = 0, records = 0, counts = noCounts } = progress;
  const waitsUntil = waitOf(progress.waitsUntil, now);
  return {
    ...run,
    counts: { ...noCounts, ...counts },
    progress: run.status === 'running' ? { resource, pages, records, waitsUntil } : null,
  };
}

/** What is over is not waited for. */
const waitOf = (until: string | null | undefined, now: Date): string | null =>
  until && new Date(until) > now ? until : null;

export async function getSyncRun(deps: Deps, id: number): Promise<SyncRun> {
  const found = await firstRow<Found>(
    deps.db,
    sql`select ${fields} from sync_runs r join integration_configs c on c.id = r.config_id where r.id = ${id}`,
  );
  if (!found) throw new AppError('not-found', 'This sync run does not exist.');
  return toRun(found, deps.clock.now());
}

type RunFilter = {
  configId?: number | undefined;
  system?: string | undefined;
  status: 'all' | 'open' | 'failed';
  page?: string | undefined;
  limit: number;
};

const inState: Record<RunFilter['status'], SQL> = {
  all: sql`true`,
  open: sql`r.status in ('pending', 'running')`,
  failed: sql`r.status in ('failed', 'abandoned')`,
};

/** Sync runs, newest first. */
export async function pageSyncRuns(deps: Deps, wish: RunFilter): Promise<Page<SyncRun>> {
  const condition = sql`${inState[wish.status]}
    and (${wish.configId ?? null}::int is null or r.config_id = ${wish.configId ?? null})
    and (${wish.system ?? null}::text is null or r.system = ${wish.system ?? null})`;
  const page = await findPage<Found>(deps.db, {
    fields,
    source: sql`sync_runs r join integration_configs c on c.id = r.config_id`,
    condition,
    order: { name: 'newest', down: true, id: sql`r.id`, value: sql`r.id`, type: 'bigint' },
    page: wish.page,
    limit: wish.limit,
    total: async () => {
      const [found] = await rows<{ n: number }>(
        deps.db,
        sql`select count(*)::int as n from sync_runs r where ${condition}`,
      );
      return found?.n ?? 0;
    },
  });
  const now = deps.clock.now();
  return { ...page, rows: page.rows.map((run) => toRun(run, now)) };
}
