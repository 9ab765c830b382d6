import type { IncidentCircle } from '../../../domain/incident-effect.ts';
import { distanceKm, type Point } from '../../../domain/location.ts';
import type { Roads } from '../../deps.ts';
import type { TravelMatrix } from './travel-matrix.ts';

const corners = 16;
/** Rims of all closures together: what a Valhalla server takes where its owner changed nothing. */
const longestRimsKm = 10;
const kmPerDegree = 111.195;

type Closures = { ids: ReadonlySet<number>; areas: Point[][] };

/**
 * Closed circles as areas that a road engine drives around. A circle with a place in it is left out: the place is still
 * served, at the price of the incident. Small circles first, as many as an engine takes.
 */
function closuresAmong(circles: readonly IncidentCircle[], places: readonly Point[]): Closures {
  const ids = new Set<number>();
  const areas: Point[][] = [];
  let rimsKm = 0;
  for (const circle of [...circles].sort((a, b) => a.radiusKm - b.radiusKm)) {
    if (!circle.closed || places.some((place) => distanceKm(place, circle) <= circle.radiusKm)) continue;
    rimsKm += 2 * Math.PI * circle.radiusKm;
    if (rimsKm > longestRimsKm) break;
    ids.add(circle.id);
    areas.push(rimOf(circle));
  }
  return { ids, areas };
}

/** Closed circles that ways from place to place need not cross, as areas for a road engine. */
export const closedAreas = (circles: readonly IncidentCircle[], places: readonly Point[]): Point[][] =>
  closuresAmong(circles, places).areas;

export type Around = {
  matrix: TravelMatrix;
  /** The incidents that every way of the matrix goes around. */
  driven: ReadonlySet<number>;
};

const nothing: ReadonlySet<number> = new Set();

/** Travel between places around closed roads, where an engine is set that can do it. */
export async function matrixAround(
  roads: Roads,
  places: readonly Point[],
  circles: readonly IncidentCircle[],
): Promise<Around> {
  const { ids, areas } = closuresAmong(circles, places);
  const matrix = await roads.matrix(places, { avoid: areas });
  return { matrix, driven: matrix.avoided ? ids : nothing };
}

function rimOf({ lat, lng, radiusKm }: IncidentCircle): Point[] {
  const degrees = radiusKm / kmPerDegree;
  const stretch = Math.cos((lat * Math.PI) / 180);
  return Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * index) / corners;
    return { lat: lat + degrees * Math.sin(angle), lng: lng + (degrees * Math.cos(angle)) / stretch };
  });
}
