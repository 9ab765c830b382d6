/** On the very first visit the service worker takes the page over only after it has opened. */
export function takenOver(worker: ServiceWorkerContainer): Promise<void> {
  if (worker.controller) return Promise.resolve();
  return new Promise((resolve) => {
    worker.addEventListener('controllerchange', () => resolve(), { once: true });
  });
}
