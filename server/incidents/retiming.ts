import type { Deps } from '../deps.ts';
import { publish } from '../live/hub.ts';
import { retimeRoutes } from '../route-planning/service.ts';

/**
 * Times routes anew as time passes: an incident whose expected end has come slows nothing any more, and one announced for
 * later begins, without anybody saying so.
 */
export async function retimeAsTimePasses({ db, clock, roads }: Pick<Deps, 'db' | 'clock' | 'roads'>): Promise<void> {
  await db.transaction(async (tx) => {
    const changed = await retimeRoutes(tx, clock.now(), { roads });
    if (changed.length > 0) await publish(tx, { topic: 'incidents' });
  });
}
