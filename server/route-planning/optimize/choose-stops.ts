import { AppError } from '../../../domain/errors.ts';
import { type LocationRef, locationKey, type Point, toPoint } from '../../../domain/location.ts';
import { moneyText } from '../../../domain/units.ts';
import { check } from '../../../optimizer/index.ts';
import type { Deps } from '../../deps.ts';
import { type VisitWorth, worthOfVisits } from '../../need/service.ts';
import type { PlannedLocation } from '../queries.ts';
import { onlyWorthwhile, toOrder, toProblem } from './to-problem.ts';

type Wish = { locations: PlannedLocation[]; start: { point: Point }; end: Point | null; day: string };

export type LeftOut = LocationRef & { name: string; reason: string };

/**
 * Of optional stops those that are worth their way: what their visit saves pays for the driving. The rest is left
 * out, each with its figures; that may be all of them.
 */
export async function chooseStops(deps: Deps, wish: Wish): Promise<{ kept: PlannedLocation[]; leftOut: LeftOut[] }> {
  const { locations, start, end, day } = wish;
  const places = [start.point, ...locations.map(toPoint), ...(end ? [end] : [])];
  const matrix = await deps.roads.matrix(places);
  const worths = await worthOfVisits(deps, locations, day);
  const home = end ? places.length - 1 : 0;
  const problem = onlyWorthwhile(toProblem({ locations, matrix, home }), locations, worths);
  const solution = await deps.solver.solve(problem, {
    timeLimitMs: Math.min(2000, 200 + 20 * locations.length),
    seed: 1,
  });
  if (check(problem, solution).length > 0)
    throw new AppError('internal', 'The choice of stops did not pass its check.');
  const order = new Set(toOrder(solution));
  const kept = locations.filter((_, index) => order.has(index + 1));
  const leftOut = locations.filter((_, index) => !order.has(index + 1));
  return { kept, leftOut: leftOut.map((location) => ({ ...refOf(location), reason: reasonOf(worths, location) })) };
}

const refOf = ({ type, id, name }: PlannedLocation) => ({ type, id, name });

function reasonOf(worths: ReadonlyMap<string, VisitWorth>, location: PlannedLocation): string {
  const worth = worths.get(locationKey(location));
  const minutes = Math.round((worth?.seconds ?? 0) / 60);
  const saved = worth ? moneyText(worth.saved, worth.currency) : 'nothing';
  return `Not worth the way: a visit saves ${saved} of sales, which pays for ${minutes} min.`;
}
