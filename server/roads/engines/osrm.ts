import { z } from 'zod';
import type { Point } from '../../../domain/location.ts';
import { type Ask, ask } from './ask.ts';
import { decodePolyline } from './polyline.ts';
import { type Engine, EngineFailed, type Leg, type Table } from './provider.ts';

/** What osrm-routed allows where its owner changed nothing: `--max-table-size 100`, `--max-viaroute-size 500`. */
const usualTableLimit = 100;
const wayLimit = 100;

const cells = z.array(z.array(z.number().nullable()));
const tableAnswer = z.object({ durations: cells, distances: cells });
const routeAnswer = z.object({
  routes: z
    .array(
      z.object({
        legs: z.array(
          z.object({ duration: z.number(), distance: z.number(), steps: z.array(z.object({ geometry: z.string() })) }),
        ),
      }),
    )
    .min(1),
});
const snapAnswer = z.object({ destinations: z.array(z.object({ distance: z.number() })) });
const refusal = z.object({ code: z.string(), message: z.string().optional() });

/** Codes of project-osrm.org/docs: limits, points off the roads, no way. */
const reasons: Record<string, 'too-large' | 'no-road' | 'unconnected'> = {
  TooBig: 'too-large',
  NoSegment: 'no-road',
  NoRoute: 'unconnected',
  NoTable: 'unconnected',
};

/** An OSRM server at an address; its map was prepared for one profile, whatever is asked for. */
export function osrmOverHttp(url: string, io: Ask): Engine {
  const base = url.endsWith('/') ? url : `${url}/`;
  let limit = usualTableLimit;
  const send = async (path: string): Promise<unknown> => {
    const { status, json } = await ask(io, { method: 'GET', url: new URL(path, base).href });
    if (status !== 200) throw refused(json);
    return json;
  };
  return {
    source: 'osrm',
    avoids: false,
    wayLimit,
    tableLimit: () => limit,
    version: async () => {
      const json = await send('nearest/v1/driving/0,0');
      const { data } = z.object({ data_version: z.string() }).safeParse(json);
      return `osrm-${new URL(base).host}-${data?.data_version ?? ''}`;
    },
    table: async (from, to) => {
      try {
        return readTable(await send(tablePath(from, to)));
      } catch (error) {
        if (error instanceof EngineFailed && error.reason === 'too-large') {
          limit = Math.max(1, Math.floor(Math.max(from.length, to.length) / 2));
        }
        throw error;
      }
    },
    way: async (points) => readRoute(await send(routePath(points))),
    roadKm: async (points) => {
      const { destinations } = parsed(snapAnswer, await send(tablePath(points.slice(0, 1), points)));
      return destinations.map(({ distance }) => distance / 1000);
    },
    close: async () => {},
  };
}

const coordinates = (points: readonly Point[]): string => points.map(({ lat, lng }) => `${lng},${lat}`).join(';');

function tablePath(from: readonly Point[], to: readonly Point[]): string {
  const sources = from.map((_, index) => index).join(';');
  const destinations = to.map((_, index) => from.length + index).join(';');
  const wanted = `sources=${sources}&destinations=${destinations}&annotations=duration,distance`;
  return `table/v1/driving/${coordinates([...from, ...to])}?${wanted}`;
}

function routePath(points: readonly Point[]): string {
  return `route/v1/driving/${coordinates(points)}?overview=false&steps=true&geometries=polyline6`;
}

const whole = (value: number | null): number | null => (value === null ? null : Math.round(value));

function readTable(json: unknown): Table {
  const { durations, distances } = parsed(tableAnswer, json);
  return { durations: durations.map((row) => row.map(whole)), distances: distances.map((row) => row.map(whole)) };
}

function readRoute(json: unknown): Leg[] {
  const [route] = parsed(routeAnswer, json).routes;
  return (route?.legs ?? []).map(({ duration, distance, steps }) => ({
    seconds: whole(duration),
    metres: whole(distance),
    geometry: steps.flatMap(({ geometry }, index) => decodePolyline(geometry, 6).slice(index === 0 ? 0 : 1)),
  }));
}

function parsed<T>(schema: z.ZodType<T>, json: unknown): T {
  const outcome = schema.safeParse(json);
  if (outcome.success) return outcome.data;
  throw new EngineFailed('the answer is not what OSRM answers', { cause: outcome.error });
}

function refused(json: unknown): EngineFailed {
  const { data } = refusal.safeParse(json);
  if (!data) return new EngineFailed('the engine refused');
  return new EngineFailed(`the engine refused: ${data.code} ${data.message ?? ''}`.trim(), {
    reason: reasons[data.code] ?? 'down',
  });
}
