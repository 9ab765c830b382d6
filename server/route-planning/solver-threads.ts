import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { FastifyBaseLogger } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import type { Problem, Solution } from '../../optimizer/index.ts';
import type { SolveOptions, SolverPool } from '../deps.ts';

type Answer = { id: number; solution: Solution } | { id: number; error: string };
type Task = {
  id: number;
  problem: Problem;
  options: Omit<SolveOptions, 'signal'>;
  cancelled: SharedArrayBuffer;
  resolve: (solution: Solution) => void;
  reject: (error: Error) => void;
};
type Thread = { worker: Worker; task: Task | null };

/** Waiting tasks beyond this are refused: a plan that comes minutes late helps nobody. */
const maxWaiting = 20;

/**
 * Worker threads for the solver, started on first use. A crash of one rejects its task and never takes the server
 * down; the next task gets a fresh thread.
 */
export function solverThreads(log: FastifyBaseLogger): SolverPool {
  const size = Math.max(1, availableParallelism() - 1);
  const threads: Thread[] = [];
  const waiting: Task[] = [];
  let nextId = 1;

  const startThread = (): Thread => {
    const thread: Thread = { worker: new Worker(new URL('./solver-worker.js', import.meta.url)), task: null };
    thread.worker.unref();
    thread.worker.on('message', (answer: Answer) => settle(thread, answer));
    thread.worker.on('error', (error) => lose(thread, error));
    thread.worker.on('exit', () => lose(thread, new Error('the solver thread ended')));
    threads.push(thread);
    return thread;
  };

  const settle = (thread: Thread, answer: Answer): void => {
    const task = thread.task;
    thread.task = null;
    if (task && 'solution' in answer) task.resolve(answer.solution);
    if (task && 'error' in answer) task.reject(new AppError('invalid-input', answer.error));
    next();
  };

  const lose = (thread: Thread, error: Error): void => {
    const at = threads.indexOf(thread);
    if (at >= 0) threads.splice(at, 1);
    if (thread.task) {
      log.error({ err: error }, 'solver thread');
      thread.task.reject(new AppError('internal', 'The order could not be computed. Try again.'));
      thread.task = null;
    }
    next();
  };

  const next = (): void => {
    if (waiting.length === 0) return;
    const free = threads.find((thread) => !thread.task) ?? (threads.length < size ? startThread() : undefined);
    const task = free ? waiting.shift() : undefined;
    if (!free || !task) return;
    free.task = task;
    const { id, problem, options, cancelled } = task;
    free.worker.postMessage({ id, problem, options, cancelled });
  };

  return {
    solve: (problem, { signal, ...options }) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) {
          reject(
            new AppError('unavailable', 'Many routes are being optimized. Try again in a moment.', {
              retryAfterSeconds: 3,
            }),
          );
          return;
        }
        const cancelled = new SharedArrayBuffer(4);
        signal?.addEventListener('abort', () => Atomics.store(new Int32Array(cancelled), 0, 1), { once: true });
        waiting.push({ id: nextId++, problem, options, cancelled, resolve, reject });
        next();
      }),
    close: async () => {
      await Promise.all(threads.splice(0).map((thread) => thread.worker.terminate()));
    },
  };
}
