import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { buildApp } from './app.ts';
import { createMailer } from './auth/mailer.ts';
import { ensureSetupCode } from './auth/service.ts';
import type { Database } from './db/database.ts';
import { openEmbedded } from './db/embedded.ts';
import { openPostgres } from './db/postgres.ts';
import { carryForward, ensureDemo } from './demo/service.ts';
import type { Deps } from './deps.ts';
import type { Env } from './env.ts';
import { createLog } from './http/log.ts';
import { startJobs } from './jobs.ts';
import { liveHub } from './live/hub.ts';
import { roadsOf } from './roads/service.ts';
import { solverThreads } from './route-planning/solver-threads.ts';
import { loadSecrets } from './settings/secrets.ts';
import { getOperator } from './settings/service.ts';

type Say = (line: string) => void;

/** Opens the database that the settings name and brings it to the newest schema. */
export async function openDatabase(env: Env, say: Say, log = createLog(env.logLevel)): Promise<Database> {
  const database = env.databaseUrl
    ? await openPostgres({
        url: env.databaseUrl,
        directUrl: env.databaseDirectUrl,
        adminUrl: env.databaseAdminUrl,
        backups: path.join(env.dataFolder, 'backups'),
        onError: (error) => log.error({ err: error }, 'database connection'),
      })
    : await openEmbedded(env.dataFolder);
  try {
    await database.migrate(say);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

export type Running = { app: FastifyInstance; deps: Deps; address: string; stop: () => Promise<void> };

/** env, then dependencies, then the application, then listening. */
export async function startServer(env: Env, say: Say): Promise<Running> {
  const log = createLog(env.logLevel);
  const database = await openDatabase(env, say, log);
  const clock = { now: () => new Date() };
  const db = database.db;
  const deps: Deps = {
    env,
    database,
    db,
    clock,
    log,
    mailer: createMailer({ env, db, log, clock }),
    live: liveHub((error) => log.warn({ err: error }, 'live notification')),
    secrets: await loadSecrets(db, env.secretKey),
    solver: solverThreads(log),
    roads: roadsOf({ env, db, clock, log }),
  };
  const started: Started = { app: null, jobs: null };
  const stop = () => stopAll(deps, started);
  try {
    return { ...(await run(deps, started, say)), deps, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Started = { app: FastifyInstance | null; jobs: { stop: () => Promise<void> } | null };

async function run(deps: Deps, started: Started, say: Say): Promise<{ app: FastifyInstance; address: string }> {
  const { db, env } = deps;
  await ensureDemo(deps, say);
  await carryForward(deps);
  await deps.live.start(deps.database);
  started.jobs = await startJobs(deps);
  const app = await buildApp(deps);
  started.app = app;
  const { isDemo } = await getOperator(db);
  // A demo has no secrets: it must not be reachable from outside this machine, whatever HOST says.
  const host = isDemo ? '127.0.0.1' : env.host;
  const address = await app.listen({ port: env.port, host });
  const setupCode = await ensureSetupCode(deps);
  if (setupCode) say(`No administrator yet. Open ${address}/login and enter the set-up code ${setupCode}`);
  return { app, address };
}

async function stopAll(deps: Deps, { app, jobs }: Started): Promise<void> {
  // Streams first: they never end by themselves, and the application waits for what is under way.
  await deps.live.stop();
  if (app) await closeKindly(app);
  await jobs?.stop();
  await deps.solver.close();
  await deps.roads.close();
  await deps.database.close();
}

const sweepMs = 50;

/** What is under way is finished; a connection kept alive after its last answer would hold the process for a minute. */
async function closeKindly(app: FastifyInstance): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepMs);
  try {
    await app.close();
  } finally {
    clearInterval(sweep);
  }
}
