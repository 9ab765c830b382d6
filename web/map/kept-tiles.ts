/** Street tiles kept for places without signal. Counted by what they hold unpacked. */
export const tileCacheName = 'milkrun-street-tiles';
const mostBytes = 50_000_000;
/** Full again at once would mean throwing away with every tile. */
const bytesAfterwards = 45_000_000;

const bytesHeader = 'x-kept-bytes';

/** Each kept tile costs its entry, too. */
const entryBytes = 500;

export type KeptTiles = {
  /** The tile as it was kept, else as the server answers; that is kept then. */
  answer: (request: Request) => Promise<Response>;
};

type Places = { open: () => Promise<Cache>; fetch: (request: Request) => Promise<Response> };

/** Street tiles from the cache first, at most 50 MB of them: those kept longest go first, as do those of an older map. */
export function keptTiles({ open, fetch: ask }: Places): KeptTiles {
  let total: Promise<number> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function keep(request: Request, reply: Response): Promise<void> {
    const content = await reply.arrayBuffer();
    const bytes = content.byteLength + entryBytes;
    const headers = new Headers({ [bytesHeader]: String(bytes) });
    const type = reply.headers.get('content-type');
    if (type) headers.set('content-type', type);
    const { status } = reply;
    const cache = await open();
    total ??= sizeOf(cache);
    const before = await total;
    const replaced = bytesOf(await cache.match(request));
    await cache.put(request, new Response(status === 204 ? null : content, { status, headers }));
    total = Promise.resolve(before + bytes - replaced);
    if (before + bytes - replaced > mostBytes) total = Promise.resolve(await shrink(cache, request.url));
  }

  return {
    answer: async (request) => {
      const kept = await (await open()).match(request);
      if (kept) return kept;
      const reply = await ask(request);
      // One after the other, or the sum is wrong. A phone without room does without.
      if (reply.ok) {
        const copy = reply.clone();
        last = last.then(() => keep(request, copy)).catch(() => undefined);
      }
      return reply;
    },
  };
}

const bytesOf = (reply: Response | undefined): number => Number(reply?.headers.get(bytesHeader) ?? 0);

async function sizeOf(cache: Cache): Promise<number> {
  let sum = 0;
  for (const request of await cache.keys()) sum += bytesOf(await cache.match(request));
  return sum;
}

const versionOf = (url: string): string | null => new URL(url).searchParams.get('v');

/** Throws away tiles of other maps, then the oldest, until the rest fits; answers with its size. */
async function shrink(cache: Cache, wanted: string): Promise<number> {
  const version = versionOf(wanted);
  const all = await Promise.all(
    (await cache.keys()).map(async (request) => ({ request, bytes: bytesOf(await cache.match(request)) })),
  );
  const isOther = ({ request }: { request: Request }): boolean => versionOf(request.url) !== version;
  let size = all.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { request, bytes } of [...all.filter(isOther), ...all.filter((one) => !isOther(one))]) {
    if (size <= bytesAfterwards) break;
    await cache.delete(request);
    size -= bytes;
  }
  return size;
}
