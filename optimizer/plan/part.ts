/**
 * The part of a problem that a plan is about: all of it, or the stops and vehicles of one worker's share. Guarantees: stops and vehicles keep
 * their numbers, so that what was prepared for the whole, and routes known from other parts, serve every part.
 */
import type { Model } from '../model.ts';
import type { Id } from '../problem.ts';
import type { RouteChange } from './snapshot.ts';

export interface Part {
  /** Rising. */
  readonly stops: Int32Array;
  /** Per stop and per vehicle of the whole: 1 where it belongs to the part. */
  readonly hasStop: Uint8Array;
  readonly hasVehicle: Uint8Array;
}

export function wholeOf(model: Model): Part {
  return {
    stops: Int32Array.from({ length: model.stops }, (_, stop) => stop),
    hasStop: new Uint8Array(model.stops).fill(1),
    hasVehicle: new Uint8Array(model.vehicles).fill(1),
  };
}

/** These jobs and vehicles, with the visits to reload of the vehicles. */
export function partOf(model: Model, jobs: readonly Id[], vehicles: readonly Id[]): Part {
  const { problem, reloadOf } = model;
  const ownJobs = new Set(jobs);
  const ownVehicles = new Set(vehicles);
  const hasVehicle = Uint8Array.from(problem.vehicles, ({ id }) => (ownVehicles.has(id) ? 1 : 0));
  const hasStop = Uint8Array.from(problem.jobs, ({ id }, stop) => {
    const vehicle = reloadOf[stop] ?? -1;
    if (vehicle !== -1) return hasVehicle[vehicle] ?? 0;
    return ownJobs.has(id) ? 1 : 0;
  });
  const stops = Int32Array.from([...hasStop.keys()].filter((stop) => hasStop[stop] === 1));
  return { stops, hasStop, hasVehicle };
}

/** The stops with which routes of the part begin, whatever else is on them. */
export function fixedBeginnings({ problem }: Model, { hasVehicle }: Part): RouteChange[] {
  const stopOf = new Map(problem.jobs.map((job, stop) => [job.id, stop]));
  return problem.vehicles.flatMap(({ steps }, vehicle) => {
    if (hasVehicle[vehicle] === 0) return [];
    const stops = steps.flatMap((step) =>
      step.type === 'job' && step.id !== undefined ? (stopOf.get(step.id) ?? []) : [],
    );
    return stops.length === 0 ? [] : [{ vehicle, stops }];
  });
}
