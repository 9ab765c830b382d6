import { expect, test } from 'vitest';
import { dropOldAssets, fetchAssets, splitRelease } from './kept-assets.ts';

const file = (url: string) => ({ url, revision: null });
const home = 'https://milkrun.example';

function cacheOf(...paths: string[]) {
  const urls = new Set(paths.map((path) => `${home}/${path}`));
  const cache = {
    keys: async () => [...urls].map((url) => new Request(url)),
    delete: async (request: RequestInfo | URL) =>
      urls.delete(request instanceof Request ? request.url : String(request)),
    add: async (request: RequestInfo | URL) => void urls.add(String(request)),
  };
  return { cache, kept: () => [...urls].map((url) => url.replace(`${home}/`, '')).sort() };
}

const release = [
  'index.html',
  'assets/index-AAAA2222.js',
  'assets/map-view-BBBB2222.js',
  'assets/maplibre-gl-worker-CC_C2222.js',
  'assets/zxing_reader-DDDD2222.wasm',
  'assets/states-10m-EEE-2222.json',
].map(file);

test('the app itself comes at once, the heavy files when they are used', () => {
  const { atOnce, later } = splitRelease(release);
  expect(atOnce.map(({ url }) => url)).toEqual(['index.html', 'assets/index-AAAA2222.js']);
  expect(later).toHaveLength(4);
});

test('an update drops the files of the release before and brings those in their place', async () => {
  const { cache, kept } = cacheOf(
    'assets/map-view-BBBB1111.js',
    'assets/map-view-AAAA0000.css',
    'assets/states-10m-EEE-2222.json',
  );
  await fetchAssets(cache, await dropOldAssets(cache, splitRelease(release).later, `${home}/`));
  // The reader was never used on this phone, and is not fetched for nothing.
  expect(kept()).toEqual(['assets/map-view-BBBB2222.js', 'assets/states-10m-EEE-2222.json']);
});

test('an update without a network drops what is old all the same', async () => {
  const { cache, kept } = cacheOf('assets/map-view-BBBB1111.js');
  const offline = {
    ...cache,
    add: async () => {
      throw new TypeError('no network');
    },
  };
  await fetchAssets(offline, await dropOldAssets(offline, splitRelease(release).later, `${home}/`));
  expect(kept()).toEqual([]);
});
