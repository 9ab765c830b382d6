import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { AppError } from '../../../domain/errors.ts';
import manifest from '../../../package.json' with { type: 'json' };
import {
  inFileUnits,
  mostThreads,
  type ProblemFile,
  readProblemFile,
  type SolvedFile,
  solveFile,
  vroomAnswer,
} from '../../solve-files/service.ts';
import type { Command, ExitCode, Io } from '../command.ts';
import { solveOnThreads } from '../solve-threads.ts';

const solveUsage = 'solve FILE [--seconds N] [--threads N] [--seed N] [--iterations N] [--json]';

/** Without any limit given. */
const defaultSeconds = 5;

type Asked = { file: string; seconds?: number; iterations?: number; seed?: number; threads?: number; json: boolean };

/** Reads one option as a number; throws a sentence. */
function numberOption(name: string, text: string | undefined, { whole, least }: { whole: boolean; least: number }) {
  if (text === undefined) return undefined;
  const value = Number(text);
  const fits = text.trim() !== '' && Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value));
  if (!fits)
    throw new TypeError(`--${name} takes a ${whole ? 'whole ' : ''}number of at least ${least}, not '${text}'.`);
  return value;
}

function readArgs(args: readonly string[]): Asked | string {
  const text = { type: 'string' } as const;
  const options = { seconds: text, threads: text, seed: text, iterations: text, json: { type: 'boolean' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [file, ...more] = positionals;
    if (file === undefined || more.length) return 'Name one file.';
    const seconds = numberOption('seconds', values.seconds, { whole: false, least: 0 });
    const iterations = numberOption('iterations', values.iterations, { whole: true, least: 0 });
    const seed = numberOption('seed', values.seed, { whole: true, least: 0 });
    const threads = numberOption('threads', values.threads, { whole: true, least: 1 });
    if (threads !== undefined && threads > mostThreads) return `--threads takes at most ${mostThreads}.`;
    return { file, seconds, iterations, seed, threads, json: values.json ?? false };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What the command line says, then what the file asks for: a limit given here takes the place of all limits of the file. */
function limitsOf(asked: Asked, { options }: ProblemFile) {
  const isLimited = asked.seconds !== undefined || asked.iterations !== undefined;
  const { seconds, iterations } = isLimited ? asked : options;
  const isFree = seconds === undefined && iterations === undefined;
  return {
    seconds: isFree ? defaultSeconds : seconds,
    iterations,
    seed: asked.seed ?? options.seed ?? 1,
    threads: asked.threads ?? options.threads ?? 1,
  };
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new AppError('invalid-input', `${file} cannot be read. Is the name right, and may you read it?`);
  }
}

function inWords(solved: SolvedFile, seconds: number): string {
  const lines = solved.solution.routes.map(({ vehicle, cost }, index) => {
    const stops = solved.routes[index] ?? [];
    return `${String(vehicle).padStart(8)} ${String(stops.length).padStart(6)} ${String(cost).padStart(10)}  ${stops.join(' ')}`;
  });
  const left = solved.solution.unassigned.map(({ id, reason }) => `not served: ${id} (${reason})`);
  const sum = `Cost ${solved.cost}, ${lines.length} routes, ${left.length} not served, ${seconds.toFixed(2)} s, ${solved.iterations} rounds.`;
  return [' vehicle  stops       cost  order', ...lines, ...left, sum].join('\n');
}

function printed(file: ProblemFile, solved: SolvedFile, seconds: number) {
  const { cost, routes, unassigned, iterations, solution } = solved;
  const answer = { cost, routes, unassigned, seconds, iterations, version: manifest.version };
  return file.isJson ? { ...answer, solution: vroomAnswer(solution) } : answer;
}

async function run(args: string[], io: Io): Promise<ExitCode> {
  const asked = readArgs(args);
  if (typeof asked === 'string') {
    io.err(`${asked}\nUsage: milkrun ${solveUsage}`);
    return 2;
  }
  const file = readProblemFile(path.basename(asked.file), readText(asked.file));
  for (const warning of file.warnings) io.err(warning);
  const limits = limitsOf(asked, file);
  const now = () => performance.now();
  const startedAt = now();
  const solved =
    limits.threads > 1
      ? inFileUnits(await solveOnThreads(file.problem, limits), file.unit)
      : solveFile(file, { ...limits, now });
  const seconds = Math.round(now() - startedAt) / 1000;
  io.out(asked.json ? JSON.stringify(printed(file, solved, seconds)) : inWords(solved, seconds));
  return 0;
}

export const solve: Command = { usage: solveUsage, summary: 'plans the routes of a problem file', run };
