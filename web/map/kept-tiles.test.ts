import { expect, test } from 'vitest';
import { keptTiles } from './kept-tiles.ts';

/** The browser's cache as far as it is used: entries in the order in which they were put. */
function memoryCache() {
  const entries = new Map<string, { request: Request; reply: Response }>();
  const cache = {
    match: async ({ url }: Request) => entries.get(url)?.reply.clone(),
    put: async (request: Request, reply: Response) => void entries.set(request.url, { request, reply }),
    delete: async ({ url }: Request) => entries.delete(url),
    keys: async () => [...entries.values()].map(({ request }) => request),
  } as unknown as Cache;
  return { cache, urls: () => [...entries.keys()] };
}

const tile = (x: number, version = 'a') => new Request(`https://milkrun.test/api/map/tiles/14/${x}/1?v=${version}`);
const tenth = 5_000_000;

function setUp(answer: (request: Request) => Response) {
  const kept = memoryCache();
  const asked: string[] = [];
  const tiles = keptTiles({
    open: async () => kept.cache,
    fetch: async (request) => {
      asked.push(request.url);
      return answer(request);
    },
  });
  return { ...kept, asked, tiles };
}

const large = () => new Response(new Uint8Array(tenth));

test('a tile seen once is answered without the server, an empty one too', async () => {
  const { tiles, asked, urls } = setUp(({ url }) =>
    url.includes('/2/1') ? new Response(null, { status: 204 }) : new Response('streets'),
  );
  for (const x of [1, 2]) await tiles.answer(tile(x));
  await expect.poll(() => urls().length).toBe(2);
  expect(await (await tiles.answer(tile(1))).text()).toBe('streets');
  expect((await tiles.answer(tile(2))).status).toBe(204);
  expect(asked).toHaveLength(2);
});

test('what the server refuses is not kept', async () => {
  const { tiles, asked } = setUp(() => new Response('no', { status: 401 }));
  for (const _ of [1, 2]) expect((await tiles.answer(tile(1))).status).toBe(401);
  expect(asked).toHaveLength(2);
});

test('fifty megabytes are kept at most: those kept longest go first', async () => {
  const { tiles, urls } = setUp(large);
  for (let x = 1; x <= 10; x += 1) await tiles.answer(tile(x));
  await expect.poll(() => urls().at(-1)).toBe(tile(10).url);
  await expect.poll(() => urls().length).toBeLessThan(10);
  expect(urls()).not.toContain(tile(1).url);
  expect(urls().length * tenth).toBeLessThanOrEqual(50_000_000);
});

test('tiles of an older map go before those of the one in use, however new they are', async () => {
  const { tiles, urls } = setUp(large);
  for (let x = 1; x <= 5; x += 1) await tiles.answer(tile(x, 'b'));
  for (let x = 6; x <= 9; x += 1) await tiles.answer(tile(x, 'a'));
  await expect.poll(() => urls().length).toBe(9);
  await tiles.answer(tile(10, 'b'));
  await expect.poll(() => urls().length).toBeLessThan(10);
  await expect.poll(() => urls()).not.toContain(tile(6, 'a').url);
  for (let x = 1; x <= 5; x += 1) expect(urls()).toContain(tile(x, 'b').url);
});
