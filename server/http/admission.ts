import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import { bodyRoom, heldBytes } from './body-room.ts';
import { type Pool, poolOf } from './pools.ts';

/** Above this the process is late for everything it does. */
const lateMs = 500;
/** A late process that has little to do is late for another reason, and turning people away would not help. */
const busyShare = 0.25;
const backgroundShare = 1 / 8;

const shortestWaitSeconds = 1;
const longestWaitSeconds = 10;

/** Seconds after which somebody refused may come back; spread, so that all do not come back together. */
export function waitSeconds(random: () => number): number {
  return shortestWaitSeconds + Math.floor(random() * longestWaitSeconds);
}

/** Of the places of people, while reads are held back: a call makes several, and each stands in line. */
const heldBackShare = 0.25;
/** Whoever would wait longer than this is better told so. */
const longestLineMs = 150;

/** `lineMs`: how long one waits that comes now. */
type Load = { inFlight: number; most: number; delayMs: number; lineMs: number };

/** Whether one more fits. Phones and partners are turned away only when their own places are taken, or they would wait long. */
export function fits(pool: Pool, { inFlight, most, delayMs, lineMs }: Load): boolean {
  if (inFlight >= most || lineMs > longestLineMs) return false;
  return pool === 'sync' || delayMs <= lateMs || inFlight < most * busyShare;
}

const uploadPath = '/api/sync/events';
const isOfPeople = (pool: Pool): boolean => pool === 'interactive' || pool === 'background';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);
/** A few bytes each, and without them nobody could sign in to look or make room. */
const smallWrites = ['/api/auth/', '/api/performance/optimize'];

/** Refuses before the body is read what could not be done anyway: too much at once, a database away, a full disk. */
export function admitCalls(app: FastifyInstance, deps: Deps, random: () => number = Math.random): void {
  const { watch, database, env } = deps;
  const inFlight: Record<Pool, number> = { sync: 0, interactive: 0, files: 0, background: 0 };
  const most: Record<Pool, number> = {
    sync: env.maxInFlight,
    interactive: env.maxInFlight,
    files: env.maxInFlight,
    background: Math.max(1, Math.floor(env.maxInFlight * backgroundShare)),
  };
  const releases = new WeakMap<FastifyRequest, () => void>();
  watch.registry.gauge('milkrun_http_in_flight', 'Calls worked on now, by pool', () =>
    Object.entries(inFlight).map(([pool, count]) => [{ pool }, count] as const),
  );
  const refuse: Refuse = (request, pool, reason, sentence) => {
    watch.refused.add({ pool, reason });
    watch.turnedAway.add(request);
    throw new AppError('unavailable', sentence, { retryAfterSeconds: waitSeconds(random) });
  };
  watch.registry.gauge('milkrun_db_reads_at_a_time', 'Statements that only read, let through at a time', () =>
    database.reads.width(),
  );
  const mostNow = (pool: Pool): number => {
    const isHeldBack = database.reads.width() < database.connections().most;
    return isOfPeople(pool) && isHeldBack ? Math.ceil(most[pool] * heldBackShare) : most[pool];
  };
  const lineMs = (pool: Pool, path: string): number => {
    if (isOfPeople(pool)) return database.reads.waitMs();
    return path === uploadPath ? watch.uploads.waitMs() : 0;
  };
  const turnAway = (request: FastifyRequest, pool: Pool, path: string): void => {
    const load = {
      inFlight: inFlight[pool],
      most: mostNow(pool),
      delayMs: watch.loop.delayMs(),
      lineMs: lineMs(pool, path),
    };
    if (fits(pool, load)) return;
    refuse(request, pool, 'load', 'The server has too much to do at this moment. Try again in a moment.');
  };
  app.addHook('onRequest', async (request) => {
    const path = pathOf(request);
    const pool = poolOf(path);
    if (!pool) return;
    if (database.isAway()) refuse(request, pool, 'database', 'The database does not answer. Try again in a moment.');
    refuseWithoutRoom(deps, request, path);
    turnAway(request, pool, path);
  });
  boundBodies(app, deps, refuse);
  // The place is taken when the body is there: a phone that sends slowly keeps nobody out.
  app.addHook('preHandler', async (request) => {
    const path = pathOf(request);
    const pool = poolOf(path);
    // An address that is not there comes past twice, from the files to the refusal: it has its place already.
    if (!pool || releases.has(request)) return;
    turnAway(request, pool, path);
    inFlight[pool] += 1;
    const release = (): void => {
      if (releases.delete(request)) inFlight[pool] -= 1;
    };
    releases.set(request, release);
  });
  // No listener on the reply itself: with one, every reply lived on until the next full collection.
  app.addHook('onResponse', async (request) => releases.get(request)?.());
  // A caller who hangs up gives the place back, too.
  app.addHook('onRequestAbort', async (request) => releases.get(request)?.());
}

type Refuse = (request: FastifyRequest, pool: Pool, reason: string, sentence: string) => never;

/** Refuses a body for which there is no room, before a byte of it is read. */
function boundBodies(app: FastifyInstance, { watch }: Deps, refuse: Refuse): void {
  const room = bodyRoom();
  const held = new WeakMap<FastifyRequest, () => void>();
  watch.registry.gauge('milkrun_http_body_bytes', 'Bytes of bodies that are read or worked on now, by pool', () =>
    Object.entries(room.held).map(([pool, bytes]) => [{ pool }, bytes] as const),
  );
  // Whoever may not send has been turned away by now where that is known without the body.
  app.addHook('preParsing', async (request, _reply, payload) => {
    const path = pathOf(request);
    const pool = poolOf(path);
    if (!pool || !hasBody(request)) return payload;
    const { method, headers, routeOptions } = request;
    const bytes = heldBytes({ method, path, said: headers['content-length'], limit: routeOptions.bodyLimit ?? 0 });
    const giveBack = room.take(pool, bytes);
    if (!giveBack)
      return refuse(request, pool, 'memory', 'The server takes in too much at this moment. Try again in a moment.');
    held.set(request, giveBack);
    return payload;
  });
  const release = async (request: FastifyRequest): Promise<void> => {
    held.get(request)?.();
    held.delete(request);
  };
  app.addHook('onResponse', release);
  app.addHook('onRequestAbort', release);
}

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

function refuseWithoutRoom({ watch }: Deps, request: FastifyRequest, path: string): void {
  if (safe.has(request.method) || smallWrites.some((start) => path.startsWith(start))) return;
  if (watch.disk.state() !== 'full') return;
  watch.turnedAway.add(request);
  throw new AppError(
    'no-room',
    "The server's disk is full, so nothing can be saved. Make room on it, then try again.",
    {
      retryAfterSeconds: 30,
    },
  );
}
