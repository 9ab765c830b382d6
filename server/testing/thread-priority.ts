import { existsSync, readdirSync } from 'node:fs';
import { getPriority } from 'node:os';

const tasks = '/proc/self/task';

/** Whether this system has a priority for each thread. */
export const hasThreadPriorities = existsSync(tasks);

/** Whether a thread of this process lets the others go first. */
export function isOneBehind(): boolean {
  const own = getPriority(process.pid);
  return readdirSync(tasks).some((thread) => priorityOf(Number(thread), own) > own);
}

function priorityOf(thread: number, otherwise: number): number {
  try {
    return getPriority(thread);
  } catch {
    // It ended meanwhile.
    return otherwise;
  }
}
