import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';

/**
 * What is worked on together. Phones and partners come first, because what they bring is lost time for somebody; then
 * people who wait at a screen; reports and exports last. Files come slowly from far away: they take nobody else's place.
 */
export type Pool = 'sync' | 'interactive' | 'files' | 'background';

/** Above this the process is late for everything it does. */
const lateMs = 500;
/** A late process that has little to do is late for another reason, and turning people away would not help. */
const busyShare = 0.25;
const backgroundShare = 1 / 8;

const shortestWaitSeconds = 1;
const longestWaitSeconds = 10;

const syncPaths = ['/api/sync/', '/api/webhooks/', '/vdi'];
const filePaths = ['/api/photos', '/api/imports', '/api/traffic-incidents/import'];
const backgroundPaths = ['/api/reports', '/api/payment-reports', '/api/export'];

/** Null for what is always answered: health, metrics, files, and streams, which wait rather than work. */
export function poolOf(path: string): Pool | null {
  if (syncPaths.some((start) => path.startsWith(start))) return 'sync';
  if (!path.startsWith('/api/') || path.startsWith('/api/events')) return null;
  if (filePaths.some((start) => path.startsWith(start))) return 'files';
  return backgroundPaths.some((start) => path.startsWith(start)) ? 'background' : 'interactive';
}

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
  const refuse = (pool: Pool, reason: string, sentence: string): never => {
    watch.refused.add({ pool, reason });
    watch.flow.add({ refused: 1 });
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
  const turnAway = (pool: Pool, path: string): void => {
    const load = {
      inFlight: inFlight[pool],
      most: mostNow(pool),
      delayMs: watch.loop.delayMs(),
      lineMs: lineMs(pool, path),
    };
    if (!fits(pool, load)) refuse(pool, 'load', 'The server has too much to do at this moment. Try again in a moment.');
  };
  app.addHook('onRequest', async (request) => {
    const path = pathOf(request);
    const pool = poolOf(path);
    if (!pool) return;
    if (database.isAway()) refuse(pool, 'database', 'The database does not answer. Try again in a moment.');
    refuseWithoutRoom(deps, request.method, path);
    turnAway(pool, path);
  });
  // The place is taken when the body is there: a phone that sends slowly keeps nobody out.
  app.addHook('preHandler', async (request) => {
    const path = pathOf(request);
    const pool = poolOf(path);
    // An address that is not there comes past twice, from the files to the refusal: it has its place already.
    if (!pool || releases.has(request)) return;
    turnAway(pool, path);
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

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? '';

function refuseWithoutRoom({ watch }: Deps, method: string, path: string): void {
  if (safe.has(method) || smallWrites.some((start) => path.startsWith(start))) return;
  if (watch.disk.state() !== 'full') return;
  throw new AppError(
    'no-room',
    "The server's disk is full, so nothing can be saved. Make room on it, then try again.",
    {
      retryAfterSeconds: 30,
    },
  );
}
