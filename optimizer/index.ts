/**
 * The door of the optimiser: plans delivery routes for vehicles with capacities, skills, shifts, breaks and limits, over stops with windows,
 * amounts, priorities and prizes. Guarantees: every plan keeps every promise or names the stops it could not serve with a reason; it is never
 * worse than the order given; the same seed and iterations give the same plan on every machine. Imports nothing, keeps no state,
 * reads no clock and no random source but those given to it.
 */

import { prepare } from './model.ts';
import type { Problem } from './problem.ts';
import { parseProblem } from './reading/parse-problem.ts';
import { type SolveOptions, solveModel } from './search/engine.ts';
import type { Solution } from './solution.ts';

export { check } from './checker.ts';
export type {
  Break,
  CompleteProblem,
  FixedStep,
  Id,
  Job,
  Matrices,
  Matrix,
  Problem,
  Reload,
  TimeWindow,
  Vehicle,
  VehicleCosts,
} from './problem.ts';
export { parseProblem } from './reading/parse-problem.ts';
export { InvalidProblem } from './reading/read-fields.ts';
export type { InitialRoute, SolveOptions, SolveProgress } from './search/engine.ts';
export { Member, type Share, type ShareOptions, type Standing, type Standings } from './search/member.ts';
export { Team } from './search/team.ts';
export type { Route, Solution, Step, Summary, Unassigned, UnassignedReason } from './solution.ts';

/**
 * Plans routes. Runs until the first of its limits; without any, a number of iterations that suits the size.
 * @throws InvalidProblem when the problem is malformed
 */
export function solve(problem: Problem, options: SolveOptions = {}): Solution {
  return solveModel(prepare(parseProblem(problem)), options);
}
