/**
 * Several trips per vehicle: every time a vehicle may come back to reload is a stop of its own, with no amounts and no worth, that only this
 * vehicle may visit; between two of them its load starts afresh. What a caller sees of it is a step of type `reload`.
 */
import type { CompleteJob, CompleteProblem, CompleteVehicle } from '../problem.ts';

function reloadsOf(vehicle: CompleteVehicle, dimensions: number): CompleteJob[] {
  const { reload } = vehicle;
  if (reload === undefined) return [];
  const nothing = new Array<number>(dimensions).fill(0);
  return Array.from({ length: reload.max }, (_, trip) => ({
    // No id of a caller begins with this character.
    id: `\u0000reload ${trip + 1} of ${vehicle.id}`,
    location_index: reload.location_index,
    setup: 0,
    service: reload.service,
    delivery: nothing,
    pickup: nothing,
    skills: [],
    priority: 0,
    time_windows: [],
    required: false,
    prize: 0,
    allowed_vehicles: [vehicle.id],
  }));
}

/** The jobs of a problem and, behind them, one for each time a vehicle may reload. */
export function jobsWithReloads(problem: CompleteProblem): readonly CompleteJob[] {
  const reloads = problem.vehicles.flatMap((vehicle) => reloadsOf(vehicle, problem.dimensions));
  return reloads.length === 0 ? problem.jobs : [...problem.jobs, ...reloads];
}
