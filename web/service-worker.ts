import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';
import { keptTiles, tileCacheName } from './map/kept-tiles.ts';
import { withoutTime } from './map/without-time.ts';
import { assetCacheName, dropOldAssets, fetchAssets, splitRelease } from './offline/kept/kept-assets.ts';
import { sendFromWorker } from './offline/outbox/send-from-worker.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

const { atOnce, later } = splitRelease(self.__WB_MANIFEST);
precacheAndRoute(atOnce);
cleanupOutdatedCaches();

// Every screen is the same page. Data calls are never answered from here: the phone's own store does that.
registerRoute(
  new NavigationRoute(createHandlerBoundToURL('index.html'), {
    denylist: [/^\/api\//, /^\/healthz/, /^\/readyz/, /^\/metrics/],
  }),
);

// Hashed files never change: the map, its land and the scanner are kept once they were used.
registerRoute(
  ({ url }) => url.origin === self.location.origin && url.pathname.startsWith('/assets/'),
  new CacheFirst({ cacheName: assetCacheName }),
);

// Streets once seen are there without signal; where they are asked for is told by the map's own answer.
const tiles = keptTiles({ open: () => caches.open(tileCacheName), fetch: (request) => fetch(request) });
registerRoute(
  ({ url }) => url.origin === self.location.origin && url.pathname.startsWith('/api/map/tiles/'),
  ({ request }) => tiles.answer(request),
);
registerRoute(
  ({ url }) => url.origin === self.location.origin && url.pathname === '/api/map',
  new NetworkFirst({ cacheName: 'milkrun-street-map', networkTimeoutSeconds: 3, plugins: [withoutTime] }),
);

self.addEventListener('message', (event) => {
  if (event.data?.type === 'take-over') void self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  const opening = caches.open(assetCacheName);
  const dropped = opening.then((cache) => dropOldAssets(cache, later, self.location.origin)).catch(() => []);
  event.waitUntil(Promise.all([self.clients.claim(), dropped]));
  // Behind the page's back: nobody waits for a map.
  void Promise.all([opening, dropped]).then(([cache, urls]) => fetchAssets(cache, urls));
});

self.addEventListener('sync', (event) => {
  if (
    'tag' in event &&
    event.tag === 'milkrun-outbox' &&
    'waitUntil' in event &&
    typeof event.waitUntil === 'function'
  ) {
    event.waitUntil(sendFromWorker());
  }
});
