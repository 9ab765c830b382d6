import { fromPglite, PgBoss } from 'pg-boss';
import type { LiveTopic } from '../contract/sync.ts';
import { raiseUnhurried, sendDigest } from './alerts/service.ts';
import { backUpNightly } from './archive/service.ts';
import { forwardAudit } from './audit/forward.ts';
import { purgeAuditLog } from './audit/service.ts';
import { purgeExpired } from './auth/purge.ts';
import { tellAsTimePasses } from './dashboard/as-time-passes.ts';
import { purgePlans } from './day-plans/service.ts';
import { grantJobs } from './db/grants.ts';
import { carryForward } from './demo/service.ts';
import type { Deps } from './deps.ts';
import { purgeDeviceTraces, purgePairingCodes } from './devices/service.ts';
import { watchLedger } from './doctor/service.ts';
import { retimeAsTimePasses } from './incidents/service.ts';
import { measureNeed } from './need/service.ts';
import { settleImports } from './past-imports/service.ts';
import { purgeSamples } from './performance/service.ts';
import { rollUpOldMonths } from './retention/service.ts';
import { learnEstimate, purgeTravel } from './roads/service.ts';
import { warnOfSilentPhones } from './sync/service.ts';
import { clearWhereNothingDoes, makePartitions } from './upkeep.ts';
import { purgeUploads } from './uploads/service.ts';
import { purgeDocuments } from './vdi/service.ts';
import { purgeCardEnds } from './vendor-records/service.ts';
import { purgeRuns, syncWhatIsDue } from './vendor-sync/service.ts';
import { purgeVisits } from './visits/service.ts';
import { countDeadFromZero, processDue, purgeDeliveries } from './webhooks/service.ts';

type Job = {
  /** Name of the queue. */
  name: string;
  /** Timetable as a cron expression, in UTC. */
  cron: string;
  /** Run also, at once, when something of this topic has changed. */
  wokenBy?: LiveTopic;
  run: (deps: Deps) => Promise<unknown>;
};

/** The background jobs and their timetable. */
const jobs: readonly Job[] = [
  { name: 'carry-demo-forward', cron: '*/5 * * * *', run: carryForward },
  { name: 'retime-routes', cron: '*/3 * * * *', wokenBy: 'incidents', run: retimeAsTimePasses },
  { name: 'tell-as-time-passes', cron: '* * * * *', run: tellAsTimePasses },
  { name: 'make-partitions', cron: '17 3 * * *', run: makePartitions },
  { name: 'clear-dead-rows', cron: '* * * * *', run: (deps) => clearWhereNothingDoes(deps) },
  { name: 'roll-up-months', cron: '19 4 * * *', run: rollUpOldMonths },
  { name: 'raise-alerts', cron: '4-59/10 * * * *', run: raiseUnhurried },
  { name: 'alert-digest', cron: '5 * * * *', run: sendDigest },
  { name: 'measure-need', cron: '23 9 * * *', run: measureNeed },
  { name: 'learn-travel', cron: '52 2 * * *', run: learnEstimate },
  { name: 'purge-travel', cron: '56 2 * * *', run: purgeTravel },
  { name: 'purge-expired', cron: '41 * * * *', run: purgeExpired },
  { name: 'purge-pairing-codes', cron: '43 3 * * *', run: purgePairingCodes },
  { name: 'purge-device-traces', cron: '46 3 * * *', run: purgeDeviceTraces },
  { name: 'warn-of-silent-phones', cron: '7 * * * *', run: warnOfSilentPhones },
  { name: 'purge-day-plans', cron: '23 3 * * *', run: purgePlans },
  { name: 'watch-ledger', cron: '37 3 * * *', run: watchLedger },
  { name: 'back-up', cron: '11 * * * *', run: backUpNightly },
  { name: 'sync-partners', cron: '* * * * *', run: syncWhatIsDue },
  { name: 'process-deliveries', cron: '* * * * *', run: processDue },
  { name: 'purge-deliveries', cron: '34 3 * * *', run: purgeDeliveries },
  { name: 'purge-sync-runs', cron: '33 3 * * *', run: purgeRuns },
  { name: 'purge-card-ends', cron: '36 3 * * *', run: purgeCardEnds },
  { name: 'purge-vdi-documents', cron: '39 3 * * *', run: purgeDocuments },
  { name: 'purge-audit-log', cron: '44 3 * * *', run: purgeAuditLog },
  { name: 'forward-audit', cron: '* * * * *', run: forwardAudit },
  { name: 'purge-uploads', cron: '47 * * * *', run: purgeUploads },
  { name: 'settle-imports', cron: '49 3 * * *', run: settleImports },
  { name: 'purge-samples', cron: '33 3 * * *', run: purgeSamples },
  { name: 'purge-photos', cron: '29 3 * * *', run: purgeVisits },
];

/**
 * A job that takes long, as the backup or the rolling up of a large operator does, must not be begun a second time beside
 * itself: it is given up only when nobody has felt its pulse for a while, as when its process died.
 */
const patience = { heartbeatSeconds: 120, expireInSeconds: 24 * 3_600 };

/** The first of several changes within these is answered at once, what follows by one more run. */
const wakingSeconds = 5;
/** How often a process looks for runs that begin later. */
const lookingSeconds = 30;

/** The queue's statements take milliseconds: one that takes this long is on a connection that died without a word. */
const longestStatementMs = 60_000;

/** Starts the timetable on this process; the database sees to it that each run happens once. */
export async function startJobs(deps: Deps, patienceMs = longestStatementMs): Promise<{ stop: () => Promise<void> }> {
  const { databaseAdminUrl, databaseUrl } = deps.env;
  if (databaseAdminUrl && databaseUrl) await makeJobTables(databaseAdminUrl, databaseUrl);
  countDeadFromZero(deps);
  // A failure that is the first of its name must be seen to rise from 0, or it raises no alert.
  for (const { name } of jobs) for (const outcome of ['done', 'failed']) deps.watch.jobs.add({ name, outcome }, 0);
  const boss = new PgBoss(connection(deps, patienceMs));
  boss.on('error', (error) => deps.log.error({ err: error }, 'job queue'));
  await boss.start();
  for (const job of jobs) {
    const queue = { ...patience, notify: job.wokenBy !== undefined };
    await boss.createQueue(job.name, queue);
    // One that an earlier release made is left as it was by that.
    await boss.updateQueue(job.name, queue);
    const seconds = job.wokenBy ? wakingSeconds : lookingSeconds;
    const looking = { pollingIntervalSeconds: seconds, notifyPollingIntervalSeconds: seconds };
    await boss.work(job.name, looking, async () => {
      // The queue keeps a failure and tries again, but tells nobody.
      await watched(deps, job).catch((error: unknown) => {
        deps.log.error({ err: error, job: job.name }, 'job failed');
        throw error;
      });
    });
    await boss.schedule(job.name, job.cron);
  }
  const forget = jobs.flatMap(({ name, wokenBy }) =>
    wokenBy ? [deps.live.on(wokenBy, () => wake(deps, boss, name))] : [],
  );
  return {
    stop: () => {
      for (const end of forget) end();
      return boss.stop({ graceful: true, timeout: 5_000 });
    },
  };
}

function wake({ log }: Deps, boss: PgBoss, name: string): void {
  boss
    .sendDebounced(name, {}, {}, wakingSeconds)
    .catch((error: unknown) => log.error({ err: error, job: name }, 'job not woken'));
}

async function watched(deps: Deps, { name, run }: Job): Promise<void> {
  const startedAt = performance.now();
  let outcome = 'failed';
  try {
    await run(deps);
    outcome = 'done';
  } finally {
    deps.watch.jobs.add({ name, outcome });
    deps.watch.jobSeconds.observe((performance.now() - startedAt) / 1000, { name });
  }
}

type Connection = ConstructorParameters<typeof PgBoss>[0];

function connection({ database, env }: Deps, patienceMs: number): Connection {
  const { embedded } = database;
  if (embedded) return { db: fromPglite(embedded), backend: 'pglite', useListenNotify: true };
  const connectionString = env.databaseDirectUrl ?? env.databaseUrl ?? '';
  // Where an administrator's role makes the tables, this one must not try.
  const rights = env.databaseAdminUrl ? { migrate: false, createSchema: false } : {};
  // The queue hands to its pool what it does not know itself.
  const pool = { connectionString, max: 2, query_timeout: patienceMs };
  return { ...pool, useListenNotify: true, ...rights };
}

/** The job queue's own schema, made by the administrator's role and then used by the application's. */
async function makeJobTables(adminUrl: string, applicationUrl: string): Promise<void> {
  const maker = new PgBoss({ connectionString: adminUrl, max: 1, schedule: false, supervise: false });
  await maker.start();
  await maker.stop({ graceful: false });
  await grantJobs(adminUrl, applicationUrl);
}
