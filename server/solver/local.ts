import { solve } from '../../optimizer/index.ts';
import type { SolverPool } from '../deps.ts';

/** Solves on the calling thread; for tests and one-off commands. */
export function localSolver(): SolverPool {
  return {
    solve: async (problem, { signal, ...options }) =>
      solve(problem, { ...options, now: () => performance.now(), cancelled: () => signal?.aborted ?? false }),
    close: async () => {},
  };
}
