import { parentPort } from 'node:worker_threads';
import { type InitialRoute, type Problem, solve } from '../../optimizer/index.ts';

type Task = {
  id: number;
  problem: Problem;
  options: { timeLimitMs: number; seed?: number; initial?: readonly InitialRoute[] };
  /** One shared integer: not 0 means stop and give the best so far. */
  cancelled: SharedArrayBuffer;
};

parentPort?.on('message', ({ id, problem, options, cancelled }: Task) => {
  const flag = new Int32Array(cancelled);
  try {
    const solution = solve(problem, {
      ...options,
      now: () => performance.now(),
      cancelled: () => Atomics.load(flag, 0) !== 0,
    });
    parentPort?.postMessage({ id, solution });
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
