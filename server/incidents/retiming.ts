import type { Deps } from '../deps.ts';
import { publish } from '../live/hub.ts';
import { measureDetours, retimeRoutes } from '../route-planning/service.ts';

/**
 * Times routes anew as time passes: an incident whose expected end has come slows nothing any more, and one announced for
 * later begins, without anybody saying so. Of roads that were closed since a route was planned the engine tells the way around.
 */
export async function retimeAsTimePasses(deps: Pick<Deps, 'db' | 'clock' | 'roads'>): Promise<void> {
  const { db, clock, roads } = deps;
  await measureDetours(deps);
  await db.transaction(async (tx) => {
    const changed = await retimeRoutes(tx, clock.now(), { roads });
    if (changed.length > 0) await publish(tx, { topic: 'incidents' });
  });
}
