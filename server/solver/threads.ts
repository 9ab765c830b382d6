import type { FastifyBaseLogger } from 'fastify';
import type { Problem, Solution, Standings } from '../../optimizer/index.ts';
import type { SolveOptions, SolverPool } from '../deps.ts';
import { SolverCrew, type Thread } from './crew.ts';
import { type Parcel, toParcel } from './parcel.ts';
import { allOf, type Hand, isTeamwork, solveTogether } from './team.ts';

export type Task = {
  problem: Problem;
  parcel: Parcel;
  cancelled: SharedArrayBuffer;
  options: Omit<SolveOptions, 'signal'>;
};

/**
 * Worker threads for the solver, started on first use. A large problem gets two when two are free. A crash of one
 * rejects its task and never takes the server down; the next task gets a fresh thread.
 */
export function solverThreads(
  log: FastifyBaseLogger,
  workerUrl = new URL('./solver-worker.js', import.meta.url),
): SolverPool {
  const crew = new SolverCrew(log, workerUrl);
  return {
    solve: async (problem, { signal, ...options }) => {
      const taken = [await crew.take()];
      const cancelled = new SharedArrayBuffer(4);
      const cancel = () => Atomics.store(new Int32Array(cancelled), 0, 1);
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel, { once: true });
      try {
        const task = { problem, parcel: await toParcel(problem), cancelled, options };
        const second = isTeamwork(problem, options.timeLimitMs) ? crew.takeFree() : undefined;
        if (second) taken.push(second);
        return await (second ? solveWithAll(crew, taken, task) : solveWithOne(crew, taken, task));
      } finally {
        signal?.removeEventListener('abort', cancel);
        for (const thread of taken) crew.give(thread);
      }
    },
    close: () => crew.close(),
  };
}

async function solveWithOne(crew: SolverCrew, [thread]: Thread[], task: Task): Promise<Solution> {
  const { parcel, cancelled } = task;
  const { onProgress, ...options } = task.options;
  if (!thread) throw new RangeError('no thread was taken');
  return await crew.ask<Solution>(thread, { request: { kind: 'solve', parcel, ...options }, cancelled }, onProgress);
}

/** Several threads that search one plan together, round by round. */
export async function solveWithAll(crew: SolverCrew, taken: Thread[], task: Task): Promise<Solution> {
  const { problem, parcel, cancelled, options } = task;
  const startedAt = performance.now();
  const isCancelled = () => Atomics.load(new Int32Array(cancelled), 0) !== 0;
  try {
    await allOf(taken.map((thread) => crew.ask(thread, { request: { kind: 'join', parcel }, cancelled })));
    const hands = taken.map((thread) => handOf(crew, thread, cancelled));
    return await solveTogether(hands, { problem, options, isCancelled, startedAt });
  } finally {
    // A thread at rest keeps no problem.
    const alive = taken.filter((thread) => crew.isAlive(thread));
    await Promise.allSettled(alive.map((thread) => crew.ask(thread, { request: { kind: 'leave' }, cancelled })));
  }
}

function handOf(crew: SolverCrew, thread: Thread, cancelled: SharedArrayBuffer): Hand {
  return {
    first: (options) =>
      crew.ask<Standings & { leg: number }>(thread, { request: { kind: 'first', ...options }, cancelled }),
    improve: (share, timeLimitMs) =>
      crew.ask<Standings>(thread, { request: { kind: 'improve', share, timeLimitMs }, cancelled }),
    finish: (routes, timeLimitMs, iterations) =>
      crew.ask<Solution>(thread, { request: { kind: 'finish', routes, timeLimitMs, iterations }, cancelled }),
  };
}
