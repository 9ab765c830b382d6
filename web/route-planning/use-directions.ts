import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Directions, getDirections } from '../../contract/roads.ts';
import type { Point } from '../../domain/location.ts';
import { queryFor } from '../http/query-client.ts';
import { logged } from '../map/logged.ts';

export type RoadLine = {
  points: Point[];
  /** False: straight lines, at least in part. */
  followsRoads: boolean;
  metres: number;
};

/** Most points of one question; a longer plan stays straight. */
const mostPoints = 200;

/** The way through points along roads; null until it is there, and where it cannot be had: the line is straight then. */
export function useDirections(through: readonly Point[] | null): RoadLine | null {
  const points = (through ?? []).map(({ lat, lng }) => `${lat},${lng}`);
  const isAsked = points.length > 1 && points.length <= mostPoints;
  const { data, error } = useQuery({
    ...queryFor(getDirections, { query: { points: points.join(';') } }),
    enabled: isAsked,
    retry: false,
  });
  useEffect(() => {
    if (error) logged('Directions', error.message);
  }, [error]);
  return isAsked && data ? roadLine(data) : null;
}

function roadLine({ legs, source }: Directions): RoadLine {
  return {
    points: legs.flatMap(({ geometry }) => geometry.map(([lng = 0, lat = 0]) => ({ lat, lng }))),
    followsRoads: source === 'valhalla' || source === 'osrm',
    metres: legs.reduce((sum, { metres }) => sum + (metres ?? 0), 0),
  };
}
