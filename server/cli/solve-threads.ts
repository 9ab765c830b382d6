import type { Problem, Solution } from '../../optimizer/index.ts';
import { SolverCrew, type Thread } from '../solver/crew.ts';
import { toParcel } from '../solver/parcel.ts';
import { allOf, isTeamwork } from '../solver/team.ts';
import { solveWithAll, type Task } from '../solver/threads.ts';

type Limits = { threads: number; seed: number; seconds?: number; iterations?: number };

/**
 * Solves a problem with several threads. With only a time given, they share the work on a plan of several routes. Otherwise each searches for
 * itself with a seed of its own, up to all the iterations given, and the best answer is kept: the same again each time.
 */
export async function solveOnThreads(
  problem: Problem,
  { threads, seed, seconds, iterations }: Limits,
): Promise<Solution> {
  const log = { error: () => {} };
  const crew = new SolverCrew(log, new URL('./solver-worker.js', import.meta.url), threads);
  try {
    const taken = await Promise.all(Array.from({ length: threads }, () => crew.take()));
    const parcel = await toParcel(problem);
    const cancelled = new SharedArrayBuffer(4);
    if (iterations === undefined && seconds !== undefined && isTeamwork(problem, seconds * 1000)) {
      const task: Task = { problem, parcel, cancelled, options: { seed, timeLimitMs: seconds * 1000 } };
      return await solveWithAll(crew, taken, task);
    }
    const timeLimitMs = seconds === undefined ? undefined : seconds * 1000;
    const ask = async (thread: Thread, turn: number) => {
      let cost = Number.POSITIVE_INFINITY;
      const request = { kind: 'solve', parcel, timeLimitMs, iterations, seed: seed + turn } as const;
      const solution = await crew.ask<Solution>(thread, { request, cancelled }, (progress) => {
        cost = progress.cost;
      });
      return { cost, solution };
    };
    const found = await allOf(taken.map(ask));
    const best = found.reduce((ahead, own) => (own.cost < ahead.cost ? own : ahead));
    return { ...best.solution, iterations: found.reduce((sum, { solution }) => sum + solution.iterations, 0) };
  } finally {
    await crew.close();
  }
}
