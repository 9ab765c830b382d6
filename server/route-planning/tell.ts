import type { Db } from '../db/database.ts';
import { publish } from '../live/hub.ts';

type RouteNote = { id: number; routeDesignation: string | null; driverId: number | null };

/** Tells the screens of those who may see the route. */
export async function tellRoute(tx: Db, route: RouteNote): Promise<void> {
  await publish(tx, {
    topic: 'routes',
    ids: [route.id],
    routes: route.routeDesignation ? [route.routeDesignation] : [],
    users: route.driverId ? [route.driverId] : [],
  });
}
