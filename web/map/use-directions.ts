import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type Directions, getDirections, getStreetMap } from '../../contract/roads.ts';
import type { Point } from '../../domain/location.ts';
import { ApiError, call } from '../http/client.ts';
import { doneWithout, queryFor } from '../http/query-client.ts';
import { logged } from './logged.ts';
import { type MapRoute, noAnswerNote, offlineNote, searchingNote, tooManyNote, waitingNote } from './map-data.ts';

type RoadLine = {
  points: Point[];
  /** How many of the points lie on the way to the end of each leg. */
  legEnds: number[];
  /** False: straight lines, at least in part. */
  followsRoads: boolean;
  metres: number;
};

/** Most points of one question; a longer route stays straight. */
const mostPoints = 200;
/** Most routes drawn along roads at a time. */
const mostRoutes = 40;

/** The points of one question, as it is asked; null where they are no way, or too many. */
export function throughOf(points: readonly Point[]): string | null {
  if (points.length < 2 || points.length > mostPoints) return null;
  return points.map(({ lat, lng }) => `${lat},${lng}`).join(';');
}

/** Where a way was kept for the time without a network: by the key of its line and the points it leads through. */
export type FindKept = (key: string, through: string) => Promise<Directions | null>;

type Question = { isWanted: boolean; findKept?: ((through: string) => Promise<Directions | null>) | undefined };

function wayThrough(points: readonly Point[], { isWanted, findKept }: Question) {
  const through = throughOf(points);
  const args = { query: { points: through ?? '' } };
  return {
    ...queryFor(getDirections, args),
    queryFn: () =>
      call(getDirections, args).catch(async (error: Error) => {
        const kept = isUnreachable(error) ? await findKept?.(args.query.points) : null;
        if (kept) return kept;
        logged('Directions', error);
        throw error;
      }),
    meta: doneWithout,
    enabled: isWanted && through !== null,
    retry: false,
  };
}

/** The way through points along roads; null until it is there, and where it cannot be had: the line is straight then. */
export function useDirections(through: readonly Point[] | null): RoadLine | null {
  const { data } = useQuery(wayThrough(through ?? [], { isWanted: through !== null }));
  return useMemo(() => (through && data ? roadLine(data) : null), [through, data]);
}

function useHasEngine(): boolean {
  const { data: map } = useQuery(queryFor(getStreetMap, {}));
  return map !== undefined && map.source !== 'estimate';
}

/** Routes of a search that goes on: their ways change too often to be asked for. */
export function useSearchedRoutes(straight: readonly MapRoute[]): readonly MapRoute[] {
  const hasEngine = useHasEngine();
  return useMemo(
    () => (hasEngine ? straight.map((route) => ({ ...route, straightNote: searchingNote })) : straight),
    [straight, hasEngine],
  );
}

/** Routes of straight lines as they run along roads, where an engine is set; each stays straight until its way is there. */
export function useRoadRoutes(straight: readonly MapRoute[], findKept?: FindKept): MapRoute[] {
  const hasEngine = useHasEngine();
  const asked = hasEngine ? straight.slice(0, mostRoutes) : [];
  const ways = useQueries({
    queries: asked.map(({ key, points }) =>
      wayThrough(points, { isWanted: true, findKept: findKept && ((through) => findKept(key, through)) }),
    ),
    combine: (results) => results.map(({ data, error, isLoading }) => ({ data, error, isLoading })),
  });
  return useMemo(
    () => straight.map((route, index) => (hasEngine ? alongRoads(route, ways[index]) : route)),
    [straight, ways, hasEngine],
  );
}

type Asked = { data: Directions | undefined; error: Error | null; isLoading: boolean } | undefined;

const isUnreachable = (error: Error): boolean => error instanceof ApiError && error.isUnreachable;

function alongRoads(route: MapRoute, asked: Asked): MapRoute {
  if (asked?.error) return { ...route, straightNote: isUnreachable(asked.error) ? offlineNote : noAnswerNote };
  if (!asked?.data) return { ...route, straightNote: asked?.isLoading ? waitingNote : tooManyNote };
  const { points, legEnds, followsRoads } = roadLine(asked.data);
  if (!followsRoads) return { ...route, straightNote: asked.data.warnings[0] ?? noAnswerNote };
  return { ...route, points, followsRoads, doneCount: legEnds[route.doneCount - 2] ?? Math.min(route.doneCount, 1) };
}

function roadLine({ legs, source }: Directions): RoadLine {
  const legEnds: number[] = [];
  const points: Point[] = [];
  for (const { geometry } of legs) {
    for (const [lng = 0, lat = 0] of geometry) points.push({ lat, lng });
    legEnds.push(points.length);
  }
  return {
    points,
    legEnds,
    followsRoads: source === 'valhalla' || source === 'osrm',
    metres: legs.reduce((sum, { metres }) => sum + (metres ?? 0), 0),
  };
}
