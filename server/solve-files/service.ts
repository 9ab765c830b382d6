import { type Id, InvalidProblem, type Problem, parseProblem, type Solution, solve } from '../../optimizer/index.ts';
import { type FileOptions, mostThreads } from './file-options.ts';
import { refused, type ScaledProblem } from './numbered-lines.ts';
import { readSolomon } from './solomon.ts';
import { readTsp, readVrp } from './tsplib.ts';
import { readVroom, vroomAnswer } from './vroom.ts';

export type ProblemFile = ScaledProblem & {
  /** Sentences about fields that have no effect. */
  warnings: string[];
  options: FileOptions;
  /** JSON in, so VROOM's answer goes out too. */
  isJson: boolean;
};

/** Reads a problem in any of the formats: the ending of the name decides, and the content where it is another one. */
export function readProblemFile(name: string, text: string): ProblemFile {
  const benchmark = { warnings: [], options: {}, isJson: false };
  if (text.trim() === '') throw refused('file', 'it is empty.');
  if (/^\s*[{[]/.test(text)) {
    const { json, options, warnings } = readVroom(text);
    return { name, unit: 1, problem: checked(json), options, warnings, isJson: true };
  }
  if (/^\s*DIMENSION/m.test(text)) {
    const isTour = /\.a?tsp$/i.test(name) || /^\s*TYPE\s*:?\s*A?TSP\s*$/m.test(text);
    const scaled = isTour ? readTsp(text) : readVrp(text);
    return { ...scaled, ...benchmark, problem: checked(scaled.problem) };
  }
  if (/^\s*VEHICLE\s*$/m.test(text)) {
    const scaled = readSolomon(text);
    return { ...scaled, ...benchmark, problem: checked(scaled.problem) };
  }
  throw refused('file', 'the format is unknown. Known are TSPLIB .tsp, CVRPLIB .vrp, Solomon .txt and JSON.');
}

function checked(json: unknown): Problem {
  try {
    return parseProblem(json);
  } catch (error) {
    if (error instanceof InvalidProblem) throw refused(error.where, `${error.field} ${sentenceEnd(error)}`);
    throw error;
  }
}

function sentenceEnd(error: InvalidProblem): string {
  return `${error.message.slice(`${error.where}: ${error.field} `.length)}.`;
}

export type Budget = { seconds?: number; iterations?: number; seed: number; now: () => number };

export type SolvedFile = {
  /** In the file's own units: routes, and the prizes of the stops left out. */
  cost: number;
  routes: Id[][];
  unassigned: Id[];
  iterations: number;
  solution: Solution;
};

export function solveFile({ problem, unit }: ProblemFile, { seconds, iterations, seed, now }: Budget): SolvedFile {
  const timeLimitMs = seconds === undefined ? undefined : seconds * 1000;
  return inFileUnits(solve(problem, { seed, iterations, timeLimitMs, now }), unit);
}

export function inFileUnits(solution: Solution, unit: number): SolvedFile {
  const { summary, iterations } = solution;
  return {
    // Sums of whole units; dividing them last keeps 827.3 from reading 827.3000000000001.
    cost: (summary.cost + summary.lost_prizes) / unit,
    routes: solution.routes.map(({ steps }) =>
      steps.flatMap(({ type, id }) => (type === 'job' && id !== undefined ? [id] : [])),
    ),
    unassigned: solution.unassigned.map(({ id }) => id),
    iterations,
    solution,
  };
}

export { mostThreads, vroomAnswer };
