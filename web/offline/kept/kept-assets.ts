type Entry = { url: string; revision: string | null };

export const assetCacheName = 'milkrun-assets-tiles';

/** The map, its land and the barcode reader: most of the weight, fetched and kept when they are first used. */
const isLate = ({ url }: Entry): boolean => /(maplibre|map-view|zxing|worker|-10m-|-50m-)/.test(url);

/** What a release is made of: at once with the app, or later. */
export function splitRelease(files: readonly Entry[]): { atOnce: Entry[]; later: Entry[] } {
  return { atOnce: files.filter((file) => !isLate(file)), later: files.filter(isLate) };
}

type Assets = Pick<Cache, 'keys' | 'delete' | 'add'>;

/** After an update: drops the files of earlier releases; answers with those that take their place. */
export async function dropOldAssets(cache: Assets, later: readonly Entry[], base: string): Promise<string[]> {
  const current = new Map(later.map(({ url }) => [new URL(url, base).href, stemOf(url)]));
  const dropped = new Set<string>();
  for (const request of await cache.keys()) {
    if (current.has(request.url)) continue;
    await cache.delete(request);
    dropped.add(stemOf(request.url));
  }
  return [...current].flatMap(([url, stem]) => (dropped.has(stem) ? url : []));
}

/** So that a phone that had the map has it again. Without a network the files come at their next use. */
export async function fetchAssets(cache: Assets, urls: readonly string[]): Promise<void> {
  for (const url of urls) await cache.add(url).catch(() => undefined);
}

/** A file's name without the hash of its content. */
function stemOf(url: string): string {
  const name = url.split('/').at(-1) ?? url;
  return name.replace(/-[A-Za-z0-9_-]{8}(\.[a-z0-9]+)$/, '$1');
}
