import type { Store } from './store.ts';

/** The phone is full and nothing more could be given up: what was to be kept is NOT kept. */
export class NotSavedError extends Error {
  constructor() {
    super('This device has no room left. The last change is NOT saved.');
    this.name = 'NotSavedError';
  }
}

function isFull(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'QuotaExceededError';
}

type RoomDeps = { dropCaches: () => Promise<void>; onFull: (isFull: boolean) => void };

/**
 * A store that makes room when the phone is full: first what can be downloaded again, then photos the server has, then
 * answered entries. Once an origin is over its quota even a write of ten bytes is refused, so each step is tried anew.
 */
export function roomyStore(store: Store, deps: RoomDeps): Store {
  const steps = [deps.dropCaches, () => dropUploadedPhotos(store), () => dropAnswered(store)];
  return {
    ...store,
    write: async (names, work) => {
      for (let step = 0; ; step++) {
        try {
          const result = await store.write(names, work);
          deps.onFull(false);
          return result;
        } catch (error) {
          if (!isFull(error)) throw error;
          const makeRoom = steps[step];
          if (!makeRoom) {
            deps.onFull(true);
            throw new NotSavedError();
          }
          // Making room may fail as the write did; the next step or the error above decides.
          await makeRoom().catch(() => undefined);
        }
      }
    },
  };
}

async function dropUploadedPhotos(store: Store): Promise<void> {
  await store.write(['photos'], async (tx) => {
    for (const photo of await tx.objectStore('photos').getAll()) {
      if (photo.uploadedAt) await tx.objectStore('photos').delete(photo.id);
    }
  });
}

async function dropAnswered(store: Store): Promise<void> {
  await store.write(['outbox'], async (tx) => {
    for (const status of ['saved', 'superseded']) {
      const range = IDBKeyRange.bound([status, 0], [status, Number.MAX_SAFE_INTEGER]);
      for (const seq of await tx.objectStore('outbox').index('byStatus').getAllKeys(range)) {
        await tx.objectStore('outbox').delete(seq);
      }
    }
  });
}
