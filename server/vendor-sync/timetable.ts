import type { VendorResource } from '../../domain/integration.ts';
import { dayIn, instantIn } from '../../domain/time.ts';
import type { Deps } from '../deps.ts';
import { type ConfigRow, findConfigs, isOnTimetable, restOf } from '../integrations/service.ts';
import { getOperator } from '../settings/service.ts';
import { startRun } from './background.ts';
import {
  abandonRuns,
  type CursorRow,
  deleteOldRuns,
  findCursors,
  findNightlyRun,
  findOpenRun,
  findPendingRuns,
  insertRun,
  type RunRow,
} from './queries.ts';

const hourMs = 3_600_000;
/** The nightly look back, for what came late or was missed. */
const nightlyMs = 48 * hourMs;
const nightlyMinute = 3 * 60;
const rereadResources: readonly VendorResource[] = ['sales', 'alerts'];
const keptMs = 30 * 24 * hourMs;

/** Starts what is due, and takes up what a stopped process left. Nothing here waits for a partner. */
export async function syncWhatIsDue(deps: Deps): Promise<void> {
  // Nobody renewed their lease: their process went away.
  await takeUp(deps, deps.clock.now());
  for (const run of await findPendingRuns(deps.db)) startRun(deps, run);
  for (const config of await findConfigs(deps.db, null)) await startDue(deps, config);
}

/** Sync runs are kept for 30 days. */
export function purgeRuns(deps: Deps): Promise<void> {
  return deleteOldRuns(deps.db, new Date(deps.clock.now().getTime() - keptMs));
}

/** The embedded database has one process: what is at work in it at a start is nobody's, however long its lease. */
export async function takeUpAtStart(deps: Deps): Promise<void> {
  if (deps.database.kind === 'embedded') await takeUp(deps, null);
}

/** Given up and taken up as one: a process that dies in between must not lose where a reread stood. */
function takeUp(deps: Deps, leaseBefore: Date | null): Promise<void> {
  const at = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    for (const lost of await abandonRuns(tx, at, leaseBefore)) await insertRun(tx, againOf(lost, at));
  });
}

function againOf(lost: RunRow, at: Date) {
  return {
    configId: lost.configId,
    system: lost.system,
    jobType: lost.jobType,
    cause: lost.cause,
    resources: lost.resources,
    since: lost.since,
    walk: lost.walk,
    progress: lost.progress,
    requestedBy: lost.requestedBy,
    createdAt: at,
  };
}

async function startDue(deps: Deps, config: ConfigRow): Promise<void> {
  const connector = deps.connectors.find((one) => one.manifest.system === config.system);
  if (!connector || !isOnTimetable(config) || !mayTry(config, deps.clock.now())) return;
  if (await findOpenRun(deps.db, config.id)) return;
  const now = deps.clock.now();
  const cursors = new Map((await findCursors(deps.db, config.id)).map((row) => [row.resource, row]));
  if (config.problemKind === 'auth' && triedWithinHour([...cursors.values()], now)) return;
  const due = connector.manifest.resources.filter((resource) => {
    const next = cursors.get(resource)?.nextDueAt;
    return !next || next <= now;
  });
  const shared = { configId: config.id, system: config.system, createdAt: now };
  if (due.length > 0) {
    const jobType = due.length === connector.manifest.resources.length ? 'all' : due.join(', ').slice(0, 30);
    startRun(deps, await insertRun(deps.db, { ...shared, jobType, cause: 'timetable', resources: [...due] }));
    return;
  }
  const night = await nightOf(deps, config);
  if (!night) return;
  const again = connector.manifest.resources.filter((resource) => {
    const cursor = cursors.get(resource);
    return rereadResources.includes(resource) && cursor?.lastGoodAt && cursor.rereadOn !== night.day;
  });
  if (again.length === 0 || !mayReread(await findNightlyRun(deps.db, config.id, night.begins), now)) return;
  const since = new Date(now.getTime() - nightlyMs);
  startRun(
    deps,
    await insertRun(deps.db, { ...shared, jobType: 'nightly', cause: 'nightly', resources: [...again], since }),
  );
}

/** After the night's last look back: one that failed is made again, one that a person stopped is not. */
function mayReread(last: RunRow | undefined, now: Date): boolean {
  if (!last) return true;
  return last.status !== 'cancelled' && now.getTime() - (last.completedAt ?? last.createdAt).getTime() >= hourMs;
}

/** Refused credentials are tried again once an hour: now and then it is the partner who was wrong. */
const triedWithinHour = (cursors: readonly CursorRow[], now: Date): boolean =>
  cursors.some(({ lastTriedAt }) => lastTriedAt !== null && now.getTime() - lastTriedAt.getTime() < hourMs);

/** A person has to act first where the partner refused us; nobody who asked for a pause, or does not answer, is pushed. */
function mayTry({ problemKind, breaker }: ConfigRow, now: Date): boolean {
  if (problemKind === 'reconnect' || problemKind === 'address' || restOf({ breaker }, now)) return false;
  return !breaker.openUntil || new Date(breaker.openUntil) <= now;
}

/**
 * The look back of today, once it is past three in the morning at the operator's; null before. A configuration made since then was
 * read whole just now: its first look back is the next night's.
 */
async function nightOf({ db, clock }: Deps, { createdAt }: ConfigRow): Promise<{ day: string; begins: Date } | null> {
  const { timeZone } = await getOperator(db);
  const day = dayIn(timeZone, clock.now());
  const begins = instantIn(timeZone, day, nightlyMinute);
  return clock.now() >= begins && createdAt < begins ? { day, begins } : null;
}
