import { toast } from '../ui/toasts/toast.ts';

/**
 * Registers the service worker. A newer version is offered, never forced, and not while counts are being sent; the page
 * reloads only after the person said so.
 */
export function startUpdates(mayUpdate: () => boolean): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  let wanted = false;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (wanted) window.location.reload();
  });
  const offer = (worker: ServiceWorker): void => {
    toast({
      title: 'A new version is ready',
      description: 'Nothing you typed is lost.',
      action: {
        label: 'Update',
        run: () => {
          if (!mayUpdate()) {
            toast({ title: 'Counts are being sent', description: 'Update again in a moment.' });
            return;
          }
          wanted = true;
          worker.postMessage({ type: 'take-over' });
        },
      },
    });
  };
  void navigator.serviceWorker.register('/service-worker.js').then((registration) => {
    if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
    registration.addEventListener('updatefound', () => {
      const next = registration.installing;
      next?.addEventListener('statechange', () => {
        if (next.state === 'installed' && navigator.serviceWorker.controller) offer(next);
      });
    });
  });
}
