import type { Offline } from '../offline.ts';

/** A small answer kept for the time without a network; wiped at sign-out, except what its person typed. */
export async function keepAnswer(offline: Offline, key: string, value: unknown): Promise<void> {
  const keptAt = new Date(offline.environment.now()).toISOString();
  await offline.store.write(['answers'], (tx) => tx.objectStore('answers').put({ key, value, keptAt }));
  offline.signal.changed();
}

export async function keptAnswer(offline: Offline, key: string): Promise<{ value: unknown; keptAt: string } | null> {
  return (await offline.store.read(['answers'], (tx) => tx.objectStore('answers').get(key))) ?? null;
}
