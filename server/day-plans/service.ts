import { randomUUID } from 'node:crypto';
import type { DayPlan, DayPlanRoute } from '../../contract/day-plans.ts';
import type { Arrangement, DayPlanInput } from '../../domain/day-plan.ts';
import { AppError, notFound } from '../../domain/errors.ts';
import { locationKey } from '../../domain/location.ts';
import { nameOfRoute } from '../../domain/route-name.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { type Around, aroundOver, insertPlannedRoute } from '../route-planning/service.ts';
import { scopeOf } from '../scope/service.ts';
import { alongRoads, type Context, loadContext, refsOf, weighed, withTraffic } from './context.ts';
import { evaluate } from './evaluate.ts';
import {
  deletePlan,
  deletePlansBefore,
  type FoundPlan,
  findPlan,
  insertPlan,
  lockPlan,
  updatePlan,
} from './queries.ts';
import { startSearch, stopSearch } from './search.ts';

/** Plans never saved are thrown away after this long. */
const keptDays = 14;
/** Changes that can be taken back. */
const maxEarlier = 30;

/** Stores a plan with nothing arranged yet and begins the search; answers at once. */
export async function createPlan(deps: Deps, caller: Caller, input: DayPlanInput): Promise<DayPlan> {
  const context = await loadContext(deps, await scopeOf(deps, caller), input);
  const [id, searchId] = [randomUUID(), randomUUID()];
  const nothing: Arrangement = { routes: input.crews.map(() => []), unassigned: refsOf(input) };
  const { timeLimitMs } = input;
  await deps.db.transaction(async (tx) => {
    await insertPlan(tx, {
      id,
      date: input.date,
      status: 'solving',
      searchId,
      input,
      arrangement: nothing,
      timeLimitMs,
      createdBy: caller.userId,
    });
    await recordAudit(tx, caller, {
      action: 'day-plan.create',
      objectType: 'day_plan',
      objectId: id,
      detail: { date: input.date, locations: context.places.size, drivers: input.crews.length },
    });
    await tell(tx, caller.userId);
  });
  keep(id, context);
  startSearch(deps, { id, searchId, createdBy: caller.userId, context, timeLimitMs, seed: input.seed ?? 1 }, nothing);
  return view(deps, caller, id);
}

export async function getPlan(deps: Deps, caller: Caller, id: string): Promise<DayPlan> {
  return view(deps, caller, id);
}

/** Ends the search here or in another process; what was found stays. */
export async function stopPlan(deps: Deps, caller: Caller, id: string): Promise<DayPlan> {
  await change(deps, caller, id, async (tx, plan) => {
    if (plan.status === 'solving' && !plan.isLost) await updatePlan(tx, id, { status: 'stopping' });
    else if (plan.isLost || plan.status === 'failed') await updatePlan(tx, id, { status: 'ready' });
    await note(tx, caller, id, 'day-plan.stop');
  });
  await stopSearch(id);
  return view(deps, caller, id);
}

/** Searches again from the plan as it is. */
export async function improvePlan(deps: Deps, caller: Caller, id: string, timeLimitMs: number): Promise<DayPlan> {
  const { context } = await open(deps, caller, id);
  const searchId = randomUUID();
  const plan = await change(deps, caller, id, async (tx, now) => {
    mayChange(now);
    await updatePlan(tx, id, {
      status: 'solving',
      searchId,
      message: null,
      version: now.version + 1,
      earlier: [now.arrangement, ...now.earlier].slice(0, maxEarlier),
      progress: [],
      elapsedMs: 0,
      timeLimitMs,
    });
    await note(tx, caller, id, 'day-plan.improve');
  });
  const seed = plan.version + 1;
  startSearch(deps, { id, searchId, createdBy: plan.createdBy, context, timeLimitMs, seed }, plan.arrangement);
  return view(deps, caller, id);
}

type Wish = { version: number; arrangement: Arrangement; preview: boolean };

/** Moves stops by hand. As a preview nothing is stored: the answer is what the plan would be. */
export async function arrangePlan(deps: Deps, caller: Caller, id: string, wish: Wish): Promise<DayPlan> {
  const { plan, context } = await open(deps, caller, id);
  mayChange(plan);
  sameStops(context, plan, wish.arrangement);
  if (wish.preview) return toReply({ ...plan, arrangement: wish.arrangement }, context);
  await change(deps, caller, id, async (tx, now) => {
    mayChange(now);
    if (now.version !== wish.version)
      throw new AppError('conflict', 'The plan was changed elsewhere meanwhile. Look at it and move the stop again.');
    await updatePlan(tx, id, {
      arrangement: wish.arrangement,
      version: now.version + 1,
      earlier: [now.arrangement, ...now.earlier].slice(0, maxEarlier),
    });
    await note(tx, caller, id, 'day-plan.arrange');
  });
  return view(deps, caller, id);
}

export async function undoPlan(deps: Deps, caller: Caller, id: string): Promise<DayPlan> {
  await change(deps, caller, id, async (tx, now) => {
    mayChange(now);
    const [before, ...earlier] = now.earlier;
    if (!before) throw new AppError('conflict', 'There is nothing to take back.');
    await updatePlan(tx, id, { arrangement: before, earlier, version: now.version + 1 });
    await note(tx, caller, id, 'day-plan.undo');
  });
  return view(deps, caller, id);
}

/** Makes a route of every crew with stops, all or none. */
export async function savePlan(deps: Deps, caller: Caller, id: string): Promise<DayPlan> {
  const scope = await scopeOf(deps, caller);
  const { plan } = await open(deps, caller, id);
  // Saved by what is true now, not by what was when the plan was made.
  const loaded = await loadContext(deps, scope, plan.input);
  const context = keep(id, await alongRoads(deps, loaded, arrangedOf(plan)));
  await change(deps, caller, id, async (tx, now) => {
    mayChange(now);
    const { routes } = evaluate(context, now.arrangement, now.reasons);
    const made: number[] = [];
    for (const [index, route] of routes.entries()) {
      if (route.stops.length === 0) continue;
      const crew = context.crews[index];
      const saved = await insertPlannedRoute(tx, caller, scope, {
        name: nameOfRoute(route.driverName ?? `Route ${index + 1}`, context.date),
        date: context.date,
        driverId: route.driverId,
        vehicleId: route.vehicleId,
        depotId: crew?.depotId ?? null,
        startAt: new Date(route.shiftStartAt),
        began: new Date(route.shiftStartAt),
        roads: deps.roads,
        around: aroundOf(context, index, route),
        optimized: true,
        stops: route.stops.map(({ type, id: locationId }) => ({ type, id: locationId })),
      });
      made.push(saved);
    }
    if (made.length === 0) throw new AppError('conflict', 'No driver has a stop yet: there is nothing to save.');
    await updatePlan(tx, id, { status: 'saved', routeIds: made });
    await note(tx, caller, id, 'day-plan.save');
  });
  return view(deps, caller, id);
}

/** The travel of a crew through its depot and stops. */
function aroundOf(context: Context, index: number, { stops }: DayPlanRoute): Around {
  const around = context.traffic.travel[index]?.around ?? { matrix: context.matrix, driven: null };
  const rows = stops.flatMap((stop) => context.places.get(locationKey(stop))?.index ?? []);
  return aroundOver(around, [context.crews[index]?.depotIndex ?? 0, ...rows]);
}

export async function discardPlan(deps: Deps, caller: Caller, id: string): Promise<void> {
  await change(deps, caller, id, async (tx) => {
    await deletePlan(tx, id);
    await note(tx, caller, id, 'day-plan.discard');
  });
  await stopSearch(id);
}

/** Throws old plans away; part of the nightly cleaning. */
export function purgePlans(deps: Deps): Promise<void> {
  return deletePlansBefore(deps.db, new Date(deps.clock.now().getTime() - keptDays * 24 * 3_600_000));
}

async function open(deps: Deps, caller: Caller, id: string): Promise<{ plan: FoundPlan; context: Context }> {
  const plan = await findPlan(deps.db, id);
  if (!plan) throw notFound('plan');
  return { plan, context: await contextOf(deps, caller, plan) };
}

/** Contexts of the plans last worked on: their travel matrix is large, and asked for with every look at a search. */
const kept = new Map<string, Context>();
const maxKept = 4;

async function contextOf(deps: Deps, caller: Caller, plan: FoundPlan): Promise<Context> {
  const known = kept.get(plan.id);
  const context = known
    ? await withTraffic(deps, known)
    : await loadContext(deps, await scopeOf(deps, caller), plan.input);
  // While a search goes on its plan changes too often, and nobody waits for what visits need.
  if (isSearching(plan)) return keep(plan.id, context);
  return keep(plan.id, await weighed(await alongRoads(deps, context, arrangedOf(plan))));
}

const arrangedOf = ({ arrangement, searchId, version }: FoundPlan) => ({
  arrangement,
  along: `${searchId} ${version}`,
});

const isSearching = ({ status, isLost }: FoundPlan): boolean =>
  (status === 'solving' || status === 'stopping') && !isLost;

function keep(id: string, context: Context): Context {
  kept.delete(id);
  kept.set(id, context);
  for (const oldest of [...kept.keys()].slice(0, -maxKept)) kept.delete(oldest);
  return context;
}

/** Changes a plan under its lock; answers with what it was before. */
async function change(
  deps: Deps,
  caller: Caller,
  id: string,
  write: (tx: Db, plan: FoundPlan) => Promise<void>,
): Promise<FoundPlan> {
  return deps.db.transaction(async (tx) => {
    const plan = await lockPlan(tx, id);
    if (!plan) throw notFound('plan');
    await write(tx, plan);
    await tell(tx, plan.createdBy ?? caller.userId);
    return plan;
  });
}

function mayChange(plan: FoundPlan): void {
  if (plan.status === 'saved') throw new AppError('conflict', 'This plan is saved already. Change its routes instead.');
  if (isSearching(plan)) throw new AppError('conflict', 'The plan is still being improved. Stop the search first.');
}

/** A hand-made arrangement has the plan's crews and each of its places once. */
function sameStops(context: Context, plan: FoundPlan, wanted: Arrangement): void {
  const keys = [...wanted.routes.flat(), ...wanted.unassigned].map(locationKey);
  const isSame =
    wanted.routes.length === plan.input.crews.length &&
    keys.length === context.places.size &&
    new Set(keys).size === keys.length &&
    keys.every((key) => context.places.has(key));
  if (!isSame) throw new AppError('invalid-input', 'Each stop of the plan must be there once. Load the plan again.');
}

function note(tx: Db, caller: Caller, id: string, action: string): Promise<void> {
  return recordAudit(tx, caller, { action, objectType: 'day_plan', objectId: id });
}

function tell(tx: Db, userId: number): Promise<void> {
  return publish(tx, { topic: 'plans', routes: [], users: [userId] });
}

async function view(deps: Deps, caller: Caller, id: string): Promise<DayPlan> {
  const { plan, context } = await open(deps, caller, id);
  return toReply(plan, context);
}

function toReply(plan: FoundPlan, context: Context): DayPlan {
  const { isLost } = plan;
  return {
    id: plan.id,
    date: plan.date,
    status: isLost ? 'failed' : statusOf(plan.status),
    message: isLost ? 'The search ended with the server. What was found is kept; optimize again.' : plan.message,
    version: plan.version,
    progress: plan.progress,
    elapsedMs: plan.elapsedMs,
    timeLimitMs: plan.timeLimitMs,
    ...evaluate(context, plan.arrangement, plan.reasons),
    mayUndo: plan.earlier.length > 0,
    routeIds: plan.routeIds,
  };
}

function statusOf(status: string): DayPlan['status'] {
  if (status === 'ready' || status === 'saved' || status === 'failed') return status;
  return 'solving';
}
