import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { connectors } from '../../connectors/index.ts';
import { buildApp } from '../app.ts';
import { signInAs } from '../auth/service.ts';
import type { Database } from '../db/database.ts';
import type { Deps, Message } from '../deps.ts';
import { parseEnv } from '../env.ts';
import { pointFinder } from '../geocoding/service.ts';
import { closeKindly } from '../http/farewell.ts';
import { addressCheck, guardedFetch } from '../http/outbound/outbound.ts';
import { createLog } from '../http/watch/log.ts';
import { liveHub } from '../live/hub.ts';
import { roadsOf } from '../roads/service.ts';
import { secretsOf } from '../settings/secrets.ts';
import { saveOperator } from '../settings/service.ts';
import { localSolver } from '../solver/local.ts';
import { stopBackground } from '../vendor-sync/service.ts';
import type { DiskUse } from '../watch/disk.ts';
import { createWatch } from '../watch/watch.ts';
import type { OpenTestDatabase } from './databases/databases.ts';

export type TestApp = {
  app: FastifyInstance;
  deps: Deps;
  database: Database;
  /** Messages sent, oldest first. */
  sent: Message[];
  /** Moves the clock. */
  setNow: (at: Date) => void;
  /** How full the disk is, as the server sees it from now on. */
  setDisk: (use: DiskUse) => Promise<void>;
  /** A caller with the session of a person. */
  as: (userId: number) => Promise<Person>;
  close: () => Promise<void>;
};

type CallOptions = { body?: unknown; headers?: Record<string, string> };
export type Person = {
  cookie: string;
  call: (method: string, url: string, options?: CallOptions) => Promise<LightMyRequestResponse>;
};

/** The real application on a database of its own, with a clock that tests move and a mailer that remembers. */
export async function testApp(open: OpenTestDatabase, env: Record<string, string> = {}): Promise<TestApp> {
  let disk: DiskUse = { usedShare: 0.5, freeBytes: 1e12 };
  const watch = createWatch({
    log: createLog('silent'),
    readDisk: async () => disk,
    slowQueryMs: 60_000,
    tracer: null,
  });
  const database = await open(watch.onQuery);
  let now = new Date('2026-03-12T15:00:00Z');
  const sent: Message[] = [];
  const base = {
    env: parseEnv({ LOG_LEVEL: 'silent', ...env }),
    database,
    db: database.db,
    clock: { now: () => now },
    log: createLog('silent'),
  };
  const deps: Deps = {
    ...base,
    watch,
    roads: roadsOf(base),
    findPoint: pointFinder(base.env),
    mailer: {
      send: async (message) => void sent.push(message),
      deliver: async (message) => void sent.push(message),
      check: async () => {},
    },
    live: liveHub(
      () => {},
      () => performance.now(),
    ),
    secrets: secretsOf(['a key for tests only, thirty-two characters']),
    outbound: guardedFetch({ sandboxUrl: base.env.sandboxUrl }),
    mayCall: addressCheck({ sandboxUrl: base.env.sandboxUrl }),
    connectors,
    solver: localSolver(),
  };
  await deps.live.start(database);
  await saveOperator(database.db, { name: 'Test Operator', timeZone: 'America/New_York' });
  const app = await buildApp(deps);
  return {
    app,
    deps,
    database,
    sent,
    setNow: (at) => {
      now = at;
    },
    setDisk: async (use) => {
      disk = use;
      await watch.disk.look();
    },
    as: async (userId) => person(app, await signInAs(deps, userId)),
    close: async () => {
      await deps.live.stop();
      await closeKindly(app);
      await stopBackground(deps);
      await deps.solver.close();
      await deps.roads.close();
      await watch.stop();
      await database.close();
    },
  };
}

/** A caller without any cookie. */
export function nobody(app: FastifyInstance): Person {
  return person(app, '');
}

function person(app: FastifyInstance, cookie: string): Person {
  return {
    cookie,
    call: async (method, url, options = {}) => {
      for (;;) {
        const reply = await app.inject({
          method: method as 'GET',
          url,
          headers: { ...(cookie ? { cookie } : {}), ...options.headers },
          ...(options.body === undefined ? {} : { payload: options.body as object }),
        });
        // By a machine that is busy with other tests: whoever calls comes again, as a phone does.
        if (reply.statusCode !== 503 || !reply.body.includes('too much to do')) return reply;
        await setImmediate();
      }
    },
  };
}
