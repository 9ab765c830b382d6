import { useSyncExternalStore } from 'react';
import { toast } from '../ui/toasts/toast.ts';

/** Takes the newer version that waits; null while there is none. */
let take: (() => void) | null = null;
const listeners = new Set<() => void>();
let wanted = false;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The way to a newer version, for as long as one waits: its toast is gone after a moment. */
export function useUpdate(): (() => void) | null {
  return useSyncExternalStore(subscribe, () => take);
}

/** A newer version is offered, never forced, and not while counts are being sent. */
export function offerUpdate(worker: Pick<ServiceWorker, 'postMessage' | 'state'>, mayUpdate: () => boolean): void {
  const run = (): void => {
    if (!mayUpdate()) {
      toast({
        title: 'Counts are being sent',
        description: 'Update again in a moment.',
        action: { label: 'Update', run },
      });
      return;
    }
    wanted = true;
    // Another tab has taken it: it waits no more, and tells nobody that it takes over.
    if (worker.state === 'installed') worker.postMessage({ type: 'take-over' });
    else window.location.reload();
  };
  take = run;
  for (const listener of listeners) listener();
  toast({
    title: 'A new version is ready',
    description: 'Nothing you typed is lost. Later it is under your name, at the top.',
    action: { label: 'Update', run },
  });
}

/** No oftener than this a page asks by itself whether there is a newer version. */
const askEveryMs = 3_600_000;

/** An app that stays open for days loads no page, by which a browser would ask for itself. Returns how to stop. */
export function askWhenSeen(registration: Pick<ServiceWorkerRegistration, 'update'>): () => void {
  let askedMs = Date.now();
  const ask = (): void => {
    if (document.visibilityState !== 'visible' || Date.now() - askedMs < askEveryMs) return;
    askedMs = Date.now();
    // Without a network the next time will do.
    registration.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', ask);
  return () => document.removeEventListener('visibilitychange', ask);
}

/** Registers the service worker. The page reloads only after the person asked for the newer version. */
export function startUpdates(mayUpdate: () => boolean): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (wanted) window.location.reload();
  });
  // Where it cannot be had the app is a page like any other.
  navigator.serviceWorker.register('/service-worker.js').then(
    (registration) => watch(registration, mayUpdate),
    () => undefined,
  );
}

function watch(registration: ServiceWorkerRegistration, mayUpdate: () => boolean): void {
  if (registration.waiting && navigator.serviceWorker.controller) offerUpdate(registration.waiting, mayUpdate);
  registration.addEventListener('updatefound', () => {
    const next = registration.installing;
    next?.addEventListener('statechange', () => {
      if (next.state === 'installed' && navigator.serviceWorker.controller) offerUpdate(next, mayUpdate);
    });
  });
  askWhenSeen(registration);
}
