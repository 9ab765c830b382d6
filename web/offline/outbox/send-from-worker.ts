import { announceStored, databaseName, dropCaches, withLock } from '../browser-environment.ts';
import { deviceId, getMeta } from '../device.ts';
import { drainOnce } from './drain.ts';
import { roomyStore } from './room.ts';
import { openStore } from './store.ts';
import { fetchTransport } from './transport.ts';

/** For the service worker's Background Sync event: one pass over the outbox. Rejects when something is left, so that the browser wakes it again. */
export async function sendFromWorker(): Promise<void> {
  const store = roomyStore(openStore(databaseName), { dropCaches, onFull: () => undefined });
  const environment = {
    transport: fetchTransport((input, init) => fetch(input, init)),
    now: () => Date.now(),
    randomBytes: (count: number) => crypto.getRandomValues(new Uint8Array(count)),
  };
  try {
    const pass = await withLock('milkrun-outbox', async () =>
      drainOnce({
        store,
        environment,
        deviceId: await deviceId(store, environment),
        userId: (await store.read(['meta'], (tx) => getMeta(tx, 'session')))?.person.id ?? null,
        suspects: new Set(),
        onSending: () => undefined,
        onReached: () => undefined,
      }),
    );
    if (pass && pass.verdict !== 'done') throw new Error(`Changes are still unsent: ${pass.verdict}`);
  } finally {
    await store.close();
    announceStored();
  }
}
