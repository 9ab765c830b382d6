import path from 'node:path';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { connectors } from '../connectors/index.ts';
import { buildApp } from './app.ts';
import { createMailer } from './auth/delivery/mailer.ts';
import { ensureSetupCode, setupNotice } from './auth/service.ts';
import type { Database, Db } from './db/database.ts';
import { openEmbedded } from './db/embedded/embedded.ts';
import { requireFitness } from './db/fitness.ts';
import { openPostgres } from './db/postgres/postgres.ts';
import type { OnQuery } from './db/timed.ts';
import { startDemoSandbox } from './demo/sandbox.ts';
import { carryForward, ensureDemo } from './demo/service.ts';
import type { Deps } from './deps.ts';
import { type Env, isOpenInClear } from './env.ts';
import { pointFinder } from './geocoding/service.ts';
import { closeKindly } from './http/farewell.ts';
import { addressCheck, guardedFetch } from './http/outbound/outbound.ts';
import { requireCertificate } from './http/tls.ts';
import { createLog } from './http/watch/log.ts';
import { buildWorkerApp } from './http/worker-app.ts';
import { startJobs } from './jobs.ts';
import { liveHub } from './live/hub.ts';
import { type Sampler, startSampler } from './performance/service.ts';
import { requireRoadsFolder, roadsOf } from './roads/service.ts';
import { loadSecrets, type Secrets } from './settings/secrets.ts';
import { getOperator } from './settings/service.ts';
import { solverThreads } from './solver/threads.ts';
import { stopBackground, takeUpAtStart } from './vendor-sync/service.ts';
import { readDiskOf } from './watch/disk.ts';
import { createTracer, headersOf } from './watch/traces.ts';
import { createWatch, type Watch } from './watch/watch.ts';

type Say = (line: string) => void;

type Opening = {
  log?: FastifyBaseLogger;
  onQuery?: OnQuery;
  uploadMs?: () => number;
  /** Refuses a database before anything is changed in it. */
  examine?: (database: Database) => Promise<void>;
  /** Who works with the database when this is not who opens it. */
  applicationUrl?: string | null;
};

/** Opens the database that the settings name and brings it to the newest schema. */
export async function openDatabase(
  env: Env,
  say: Say,
  { log = createLog(env.logLevel), onQuery, uploadMs, examine = async () => {}, applicationUrl = null }: Opening = {},
): Promise<Database> {
  const told = { ...(onQuery ? { onQuery } : {}), ...(uploadMs ? { uploadMs } : {}) };
  const database = env.databaseUrl
    ? await openPostgres({
        url: env.databaseUrl,
        directUrl: env.databaseDirectUrl,
        adminUrl: env.databaseAdminUrl,
        applicationUrl,
        backups: path.join(env.dataFolder, 'backups'),
        onError: (error) => log.error({ err: error }, 'database connection'),
        replicaUrl: env.databaseReplicaUrl,
        ...told,
      })
    : await openEmbedded(env.dataFolder, onQuery);
  try {
    await examine(database);
    await database.migrate(say);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

export type Running = { app: FastifyInstance; deps: Deps; address: string; stop: () => Promise<void> };

/** env, then dependencies, then the application, then listening. */
export async function startServer(given: Env, say: Say): Promise<Running> {
  if (given.tls) requireCertificate(given.tls);
  requireRoadsFolder(given.roadsFolder);
  const log = createLog(given.logLevel);
  const watch = await watchOf(given, log);
  const clock = { now: () => new Date() };
  const examine = (opened: Database) =>
    requireFitness(opened, { fsyncMayBeOff: given.fsyncMayBeOff, now: clock.now(), say });
  const database = await openDatabase(given, say, {
    ...{ log, onQuery: watch.onQuery, uploadMs: watch.uploads.meanMs, examine },
  });
  const db = database.db;
  const sandbox = await startDemoSandbox(given, db);
  const env = sandbox ? { ...given, sandboxUrl: sandbox.origin } : given;
  const deps: Deps = {
    env,
    database,
    db,
    clock,
    log,
    mailer: createMailer({ env, db, log, clock }),
    live: liveHub(
      (error) => log.warn({ err: error }, 'live notification'),
      () => performance.now(),
    ),
    secrets: await secretsOf(env, db, say),
    outbound: guardedFetch({ sandboxUrl: env.sandboxUrl }),
    mayCall: addressCheck({ sandboxUrl: env.sandboxUrl }),
    connectors,
    sandbox,
    solver: solverThreads(log),
    roads: roadsOf({ env, db, clock, log }),
    findPoint: pointFinder(env),
    watch,
  };
  const started: Started = { app: null, jobs: null, sampler: null };
  const stop = () => stopAll(deps, started);
  try {
    return { ...(await run(deps, started, say)), deps, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function secretsOf(env: Env, db: Db, say: Say): Promise<Secrets> {
  const file = path.join(env.dataFolder, 'secret.key');
  const secrets = await loadSecrets(db, { key: env.secretKey, before: env.secretKeyBefore, file });
  if (!(await secrets.prepare(db))) say(foreignKeys);
  return secrets;
}

const foreignKeys =
  'Some stored secrets were sealed with a key that is not here. Set MILKRUN_SECRET_KEY to the same on every server, or bring back the file secret.key of the data folder; what cannot be opened must be entered again.';

async function watchOf(env: Env, log: FastifyBaseLogger): Promise<Watch> {
  const { collector } = env;
  const tracer = collector && (await createTracer({ ...collector, headers: headersOf(collector.headers) }));
  return createWatch({ log, readDisk: readDiskOf(env.dataFolder), slowQueryMs: env.slowQueryMs, tracer });
}

type Started = { app: FastifyInstance | null; jobs: { stop: () => Promise<void> } | null; sampler: Sampler | null };

async function run(deps: Deps, started: Started, say: Say): Promise<{ app: FastifyInstance; address: string }> {
  const { db, env } = deps;
  await deps.watch.disk.look();
  await ensureDemo(deps, say);
  await carryForward(deps);
  started.sampler = startSampler(deps);
  await deps.live.start(deps.database);
  await takeUpAtStart(deps);
  if (env.role !== 'web') started.jobs = await startJobs(deps);
  const app = await (env.role === 'worker' ? buildWorkerApp(deps) : buildApp(deps));
  started.app = app;
  const { isDemo } = await getOperator(db);
  // A demo has no secrets: it must not be reachable from outside this machine, whatever HOST says.
  const host = isDemo ? '127.0.0.1' : env.host;
  const address = asReached(await app.listen({ port: env.port, host }), env);
  if (!isDemo && env.role !== 'worker' && isOpenInClear(env)) say(inClear);
  deps.watch.serve();
  const setupCode = env.role === 'worker' ? null : await ensureSetupCode(deps);
  if (setupCode) say(setupNotice(setupCode, new URL('/login', env.publicUrl ?? address).href));
  return { app, address };
}

/** The framework does not know that its server speaks TLS. */
const asReached = (address: string, { tls }: Env): string => (tls ? address.replace(/^http:/, 'https:') : address);

const inClear =
  'Others can reach this server without TLS, and read codes and sessions on the way. Set PUBLIC_URL with https:// and let a proxy or TLS_CERT_FILE answer there.';

async function stopAll(deps: Deps, { app, jobs, sampler }: Started): Promise<void> {
  sampler?.stop();
  deps.watch.leave();
  await deps.sandbox?.close();
  // Streams first: they never end by themselves, and the application waits for what is under way.
  await deps.live.stop();
  if (app) await closeKindly(app);
  // Together: jobs at work hear of the stop by the signal that the second gives.
  await Promise.all([jobs?.stop(), stopBackground(deps)]);
  await deps.solver.close();
  await deps.roads.close();
  await sampler?.leave();
  await deps.watch.stop();
  await deps.database.close();
}
