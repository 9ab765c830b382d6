import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import * as contract from '../../contract/roads.ts';
import { wholeNumber } from '../../contract/shapes.ts';
import { AppError } from '../../domain/errors.ts';
import type { Point } from '../../domain/location.ts';
import type { Deps } from '../deps.ts';
import { admitted, type Handled, handle, type Recognise } from '../http/handle.ts';
import { closedBetween, drivenFrom, wayOfRoute } from '../route-planning/service.ts';
import { scopeOf } from '../scope/service.ts';
import type { Way } from './engines/provider.ts';
import { learnNow, resetEstimate } from './learn.ts';
import { findEstimate, findFit } from './queries.ts';
import { readManifest } from './roads-folder.ts';

export const roadEndpoints = (deps: Deps): Handled[] => [
  handle(contract.getRouteDirections, async ({ caller, params }) =>
    directions(deps, await wayOfRoute(deps, await scopeOf(deps, caller), params.id)),
  ),
  handle(contract.getDirections, ({ query }) => {
    const from = query.from ? new Date(query.from) : deps.clock.now();
    return directions(deps, { points: query.points.split(';').map(toPoint), driven: drivenFrom(from) });
  }),
  handle(contract.getStreetMap, async () => {
    const map = (await readManifest(deps.env.roadsFolder))?.map ?? null;
    const tiles = map ? `/api/map/tiles/{z}/{x}/{y}?v=${map.file}` : null;
    return { tiles, bounds: map?.bounds ?? null, source: await deps.roads.source() };
  }),
  handle(contract.getTravelEstimate, () => estimateState(deps)),
  handle(contract.learnTravelEstimate, async ({ caller }) => {
    const outcome = await learnNow(deps, caller);
    return { ...(await estimateState(deps)), outcome };
  }),
  handle(contract.resetTravelEstimate, async ({ caller }) => {
    await resetEstimate(deps, caller);
    return estimateState(deps);
  }),
];

async function estimateState(deps: Deps) {
  const { detourFactor, speedsKmh } = await findEstimate(deps.db);
  const fit = await findFit(deps.db);
  const source = await deps.roads.source();
  return { detourFactor, speedsKmh: [...speedsKmh], source, learned: fit ? learnedOf(fit) : null };
}

type Fit = NonNullable<Awaited<ReturnType<typeof findFit>>>;

function learnedOf({ legs, measuredLegs, errorBeforeMin, errorAfterMin, fittedAt }: Fit) {
  return { legs, measuredLegs, errorBeforeMin, errorAfterMin, fittedAt: fittedAt?.toISOString() ?? '' };
}

function toPoint(text: string): Point {
  const [lat = 0, lng = 0] = text.split(',').map(Number);
  return { lat, lng };
}

type Through = { points: readonly Point[]; driven: ReturnType<typeof drivenFrom> };

/** Around the roads that are closed while the way is driven. */
async function directions(deps: Deps, { points, driven }: Through) {
  const avoid = await closedBetween(deps.db, points, driven);
  const { legs, source, warnings }: Way = await deps.roads.route(points, { avoid });
  return {
    source,
    warnings,
    legs: legs.map(({ seconds, metres, geometry }) => ({
      seconds,
      metres,
      geometry: geometry.map(({ lat, lng }) => [lng, lat]),
    })),
  };
}

const tileAt = z.object({ z: wholeNumber(0, 22), x: wholeNumber(0, 2 ** 22), y: wholeNumber(0, 2 ** 22) });

/** Street tiles of the map built here. Not in the contract, because they are no JSON. */
export function mountTiles(app: FastifyInstance, deps: Deps, recognise: Recognise): void {
  app.get('/api/map/tiles/:z/:x/:y', async (request, reply) => {
    admitted('signed-in', await recognise(request, 'signed-in'));
    const asked = tileAt.safeParse(request.params);
    if (!asked.success) throw new AppError('invalid-input', 'A tile is asked for by three whole numbers.');
    const map = (await readManifest(deps.env.roadsFolder))?.map;
    const { z, x, y } = asked.data;
    const file = map && path.join(deps.env.roadsFolder, path.basename(map.file), String(z), String(x), `${y}.pbf`);
    const found = file ? await stat(file).catch(() => null) : null;
    // Nothing to draw there is no error: the map asks for every tile in view.
    if (!file || !found) return reply.status(204).send();
    return reply
      .type('application/vnd.mapbox-vector-tile')
      .header('content-encoding', 'gzip')
      .header('cache-control', 'private, max-age=86400')
      .send(createReadStream(file));
  });
}
