import type { OfflineEnvironment } from './environment.ts';
import { fetchTransport } from './outbox/transport.ts';

export const databaseName = 'milkrun';
const wakeTag = 'milkrun-outbox';

/** The offline core's view of a real browser page. */
export function browserEnvironment(): OfflineEnvironment {
  const channel = openChannel();
  return {
    databaseName,
    transport: fetchTransport((input, init) => fetch(input, init)),
    now: () => Date.now(),
    random: () => Math.random(),
    randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
    after: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    isVisible: () => document.visibilityState === 'visible',
    isConnected: () => navigator.onLine,
    listen,
    withLock,
    announce: () => channel?.postMessage('changed'),
    onAnnounced: (heard) => {
      channel?.addEventListener('message', heard);
      return () => channel?.removeEventListener('message', heard);
    },
    askPersist: async () => (await navigator.storage?.persist?.()) ?? false,
    dropCaches,
    requestWake,
  };
}

function openChannel(): BroadcastChannel | null {
  return 'BroadcastChannel' in globalThis ? new BroadcastChannel('milkrun-stored') : null;
}

/** Tells the open pages, from outside of them, that the stored data changed. */
export function announceStored(): void {
  const channel = openChannel();
  channel?.postMessage('changed');
  channel?.close();
}

function listen(on: { online: () => void; offline: () => void; visible: () => void }): () => void {
  const shown = () => {
    if (document.visibilityState === 'visible') on.visible();
  };
  window.addEventListener('online', on.online);
  window.addEventListener('offline', on.offline);
  document.addEventListener('visibilitychange', shown);
  return () => {
    window.removeEventListener('online', on.online);
    window.removeEventListener('offline', on.offline);
    document.removeEventListener('visibilitychange', shown);
  };
}

/** Without locks (plain http on a local network) every tab sends; the server knows each event by its id. */
export async function withLock<T>(name: string, run: () => Promise<T>): Promise<T | null> {
  if (!navigator.locks) return run();
  return navigator.locks.request(name, { ifAvailable: true }, async (lock) => (lock ? run() : null));
}

/** Map tiles only: the precached app itself must stay, or it would not open in the next basement. */
export async function dropCaches(): Promise<void> {
  if (!('caches' in globalThis)) return;
  for (const name of await caches.keys()) {
    if (name.includes('tiles')) await caches.delete(name);
  }
}

type WithSync = ServiceWorkerRegistration & { sync?: { register(tag: string): Promise<void> } };

async function requestWake(): Promise<void> {
  // Chromium only, and not in the DOM types.
  const registration = (await navigator.serviceWorker?.getRegistration()) as WithSync | undefined;
  await registration?.sync?.register(wakeTag);
}
