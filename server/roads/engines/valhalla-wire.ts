/**
 * What is said to Valhalla and what it answers, for the server and the embedded engine alike.
 * Source: valhalla.github.io/valhalla/api (matrix, turn-by-turn, locate, status).
 */
import { z } from 'zod';
import { distanceKm, type Point } from '../../../domain/location.ts';
import { decodePolyline } from './polyline.ts';
import { type Cell, EngineFailed, type Leg, type Profile, type Reason, type Table, type Wish } from './provider.ts';

export type ValhallaAction = 'matrix' | 'route' | 'locate' | 'status';

const place = ({ lat, lng }: Point) => ({ lat, lon: lng });

const costing: Record<Profile, object> = {
  car: { costing: 'auto' },
  truck: { costing: 'truck' },
  shortest: { costing: 'auto', costing_options: { auto: { shortest: true } } },
};

function options({ profile, avoid }: Wish) {
  return {
    ...costing[profile],
    units: 'kilometers',
    ...(avoid.length ? { exclude_polygons: avoid.map(ring) } : {}),
  };
}

function ring(area: readonly Point[]): [number, number][] {
  const corners = area.map(({ lat, lng }): [number, number] => [lng, lat]);
  const [first] = corners;
  return first ? [...corners, first] : corners;
}

export function matrixQuestion(from: readonly Point[], to: readonly Point[], wish: Wish): object {
  return { sources: from.map(place), targets: to.map(place), verbose: false, ...options(wish) };
}

export function routeQuestion(points: readonly Point[], wish: Wish): object {
  return { locations: points.map(place), directions_type: 'none', ...options(wish) };
}

export function locateQuestion(points: readonly Point[], wish: Wish): object {
  return { locations: points.map(place), verbose: false, ...costing[wish.profile] };
}

const cells = z.array(z.array(z.number().nullable()));
const matrixAnswer = z.object({ sources_to_targets: z.object({ durations: cells, distances: cells }) });
const routeAnswer = z.object({
  trip: z.object({
    legs: z.array(z.object({ shape: z.string(), summary: z.object({ time: z.number(), length: z.number() }) })),
  }),
});
const edge = z.object({ correlated_lat: z.number(), correlated_lon: z.number() });
const locateAnswer = z.array(z.object({ edges: z.array(edge).nullish() }));
const statusAnswer = z.object({ version: z.string(), tileset_last_modified: z.number().optional() });
const refusal = z.object({ error_code: z.number(), error: z.string().optional() });

const seconds = (value: Cell): Cell => (value === null ? null : Math.round(value));
const metres = (km: Cell): Cell => (km === null ? null : Math.round(km * 1000));

export function readMatrix(json: unknown): Table {
  const { durations, distances } = parsed(matrixAnswer, json).sources_to_targets;
  return { durations: durations.map((row) => row.map(seconds)), distances: distances.map((row) => row.map(metres)) };
}

export function readRoute(json: unknown): Leg[] {
  return parsed(routeAnswer, json).trip.legs.map(({ shape, summary }) => ({
    seconds: seconds(summary.time),
    metres: metres(summary.length),
    geometry: decodePolyline(shape, 6),
  }));
}

/** Kilometres from each point to the road it is taken to; null: there is none near. */
export function readLocate(json: unknown, points: readonly Point[]): (number | null)[] {
  const answers = parsed(locateAnswer, json);
  return points.map((point, index) => {
    const away = (answers[index]?.edges ?? []).map(({ correlated_lat: lat, correlated_lon: lng }) =>
      distanceKm(point, { lat, lng }),
    );
    return away.length > 0 ? Math.min(...away) : null;
  });
}

/** Program and map of the engine as one text. */
export function readStatus(json: unknown): string {
  const { version, tileset_last_modified } = parsed(statusAnswer, json);
  return `${version}-${tileset_last_modified ?? 0}`;
}

function parsed<T>(schema: z.ZodType<T>, json: unknown): T {
  const outcome = schema.safeParse(json);
  if (outcome.success) return outcome.data;
  throw new EngineFailed('the answer is not what Valhalla answers', { cause: outcome.error });
}

/** Codes of valhalla/exceptions.h: limits, also of areas to avoid, points off the roads, no way. */
const reasons: Record<number, Reason> = {
  150: 'too-large',
  154: 'unconnected',
  157: 'too-large',
  167: 'refused',
  170: 'unconnected',
  171: 'no-road',
  442: 'no-way',
};

/** What Valhalla refused, as a failure that says what can be done. */
export function valhallaRefusal(json: unknown): EngineFailed {
  const { data } = refusal.safeParse(json);
  if (!data) return new EngineFailed('the engine refused');
  const reason = reasons[data.error_code] ?? 'down';
  return new EngineFailed(`the engine refused: ${data.error_code} ${data.error ?? ''}`.trim(), { reason });
}
