import { locationKey } from '../../domain/location.ts';
import type { Problem, Solution } from '../../optimizer/index.ts';
import type { PlannedLocation } from './queries.ts';
import type { TravelMatrix } from './travel-matrix.ts';

/** The only file that knows both the trade's words and the solver's. */
type Wish = {
  locations: readonly PlannedLocation[];
  /** Place 0 is the start, place n the n-th location; the last place may be another end. */
  matrix: TravelMatrix;
  home: number;
  /** Seconds of driving that each visit is worth, by location key: then a stop is only served when that pays for its way. */
  worths?: ReadonlyMap<string, { seconds: number }>;
};

/** One driver: the order with the least driving time of all stops, or of the optional ones that are worth it. */
export function toProblem({ locations, matrix, home, worths }: Wish): Problem {
  return {
    jobs: locations.map((location, index) => ({
      id: index + 1,
      location_index: index + 1,
      service: location.serviceMin * 60,
      source: { type: location.type, id: location.id },
      // The work at a stop left out is put off, not saved: only the way weighs against the worth.
      ...(worths ? { prize: worths.get(locationKey(location))?.seconds ?? 0 } : {}),
    })),
    vehicles: [{ id: 1, start_index: 0, end_index: home }],
    matrices: { car: { durations: matrix.durations, distances: matrix.distances } },
  };
}

/** The same problem with metres for seconds: the order with the shortest way. */
export function byDistance(problem: Problem): Problem {
  const car = problem.matrices.car;
  if (!car?.distances) return problem;
  return { ...problem, matrices: { car: { durations: car.distances, distances: car.distances } } };
}

/** Places of the matrix in the order of the solution. */
export function toOrder(solution: Solution): number[] {
  return solution.routes.flatMap((route) =>
    route.steps.flatMap((step) => (step.type === 'job' && step.id !== undefined ? [Number(step.id)] : [])),
  );
}
