const tries = 5;

/** Two transactions that wait for each other: the database ends one of them, which may begin anew. */
const deadlocks: readonly unknown[] = ['40001', '40P01'];

const codeOf = (error: Error): unknown => ('code' in error ? error.code : null);

function isDeadlock(error: unknown): boolean {
  return error instanceof Error && (deadlocks.includes(codeOf(error)) || isDeadlock(error.cause));
}

function isConflict(error: unknown): boolean {
  return isDeadlock(error) || (error instanceof Error && (codeOf(error) === 'conflict' || isConflict(error.cause)));
}

async function again<T>(work: () => Promise<T>, isPassing: (error: unknown) => boolean): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= tries || !isPassing(error)) throw error;
    }
  }
}

/** Does a transaction again that another one was in the way of. */
export const againOnDeadlock = <T>(work: () => Promise<T>): Promise<T> => again(work, isDeadlock);

/** The same also where somebody else was storing the same records at the same time: the second look finds them. */
export const againOnConflict = <T>(work: () => Promise<T>): Promise<T> => again(work, isConflict);
