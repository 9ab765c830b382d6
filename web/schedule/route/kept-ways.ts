import { type Directions, getDirections, getStreetMap } from '../../../contract/roads.ts';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import type { Point } from '../../../domain/location.ts';
import { call } from '../../http/client.ts';
import { toLatLng } from '../../http/parse.ts';
import { throughOf } from '../../map/use-directions.ts';
import { isRecord } from '../../offline/kept/answers.ts';
import { keepAnswer, keptAnswer } from '../../offline/kept/answers-kept.ts';
import { wayPrefix } from '../../offline/kept/replica.ts';
import type { Offline } from '../../offline/offline.ts';

/** The ways of the day's routes along roads, on the phone for the time without signal; wiped at sign-out. */

const keyOf = (routeId: number): string => `${wayPrefix}${routeId}`;

/** Where a route leads: from its depot through its stops. */
export function pointsOf({ depot, stops }: ScheduledRoute): Point[] {
  return [...(depot ? [toLatLng(depot)] : []), ...stops.map(toLatLng)];
}

/** The incidents on a route's way: one that closes a road makes another way of it, and so does its end. */
const metOn = ({ stops }: ScheduledRoute): string => stops.map(({ incidents }) => incidents?.join() ?? '').join(';');

/**
 * Asks for each way once; a route whose stops or whose incidents changed is asked for anew. Without a road engine lines are
 * straight anyway.
 */
export async function keepWays(
  offline: Offline,
  routes: readonly ScheduledRoute[],
  isWanted: () => boolean,
): Promise<void> {
  if ((await call(getStreetMap, {})).source === 'estimate') return;
  for (const route of routes) {
    const points = throughOf(pointsOf(route));
    if (!isWanted()) return;
    if (points === null) continue;
    const met = metOn(route);
    const kept = await keptAnswerOf(offline, route.id, points);
    if (kept && kept.met === met) continue;
    const directions = await call(getDirections, { query: { points } });
    // What the engine did not answer is asked for another time.
    if (directions.source === 'estimate') continue;
    await keepAnswer(offline, keyOf(route.id), { points, met, directions });
  }
}

/** The way through points as it was kept with its route; null where there is none, or none through these. */
export async function keptWay(offline: Offline, routeId: number, points: string): Promise<Directions | null> {
  return (await keptAnswerOf(offline, routeId, points))?.directions ?? null;
}

type Kept = { met: unknown; directions: Directions };

async function keptAnswerOf(offline: Offline, routeId: number, points: string): Promise<Kept | null> {
  const value = (await keptAnswer(offline, keyOf(routeId)))?.value;
  if (!isRecord(value) || value.points !== points || !isDirections(value.directions)) return null;
  return { met: value.met, directions: value.directions };
}

function isDirections(value: unknown): value is Directions {
  // The server's own, as it was put there; its points are not walked again.
  return isRecord(value) && Array.isArray(value.legs) && Array.isArray(value.warnings);
}
