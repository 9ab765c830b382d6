import { afterEach, expect, test, vi } from 'vitest';
import { getMarket, listMarkets, removeMarket } from '../../contract/markets.ts';
import { createVehicle } from '../../contract/settings.ts';
import { ApiError, call, load, onSignedOut, urlOf } from './client.ts';
import { createQueryClient } from './query-client.ts';

afterEach(() => vi.unstubAllGlobals());

function answering(status: number, body: string, statusText = ''): ReturnType<typeof vi.fn> {
  const fetch = vi.fn(async () => new Response(body, { status, statusText }));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

async function refused(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error('the call was not refused');
  return error;
}

test("the message of a refusal is the status and the problem's detail", async () => {
  answering(
    409,
    JSON.stringify({ detail: 'This market has open routes.', code: 'conflict', fields: { name: 'Taken' } }),
  );
  const error = await refused(call(listMarkets, { query: {} }));
  expect(error.message).toBe('409: This market has open routes.');
  expect(error).toMatchObject({ code: 'conflict', fields: { name: 'Taken' }, detail: 'This market has open routes.' });
});

test('an empty body leaves the status text', async () => {
  answering(503, '', 'Service Unavailable');
  const error = await refused(call(listMarkets, { query: {} }));
  expect(error.message).toBe('503: Service Unavailable');
});

test("a proxy's page is in the message, and never in the sentence shown", async () => {
  answering(502, '<html>Bad Gateway</html>');
  const error = await refused(call(listMarkets, { query: {} }));
  expect(error.message).toBe('502: <html>Bad Gateway</html>');
  expect(error.detail).toBe('The server could not answer (502). Try again.');
});

test('cookies go along, and a content type only with a body', async () => {
  const fetch = answering(200, '{"id":7}');
  await call(removeMarket, { params: { id: 7 } });
  expect(fetch).toHaveBeenCalledWith('/api/markets/7', { method: 'DELETE', credentials: 'include', headers: {} });
});

test('what makes something new keeps its key until the server has answered', async () => {
  const args = { body: { name: 'Van' } };
  const keys: string[] = [];
  const answers = [
    () => Promise.reject(new Error('lost')),
    () => Promise.resolve(new Response('<html>Bad Gateway</html>', { status: 502 })),
    () => Promise.resolve(new Response('{"detail":"Sent before.","code":"conflict"}', { status: 409 })),
    () => Promise.resolve(new Response('{"id":1}')),
    () => Promise.resolve(new Response('{"id":2}')),
  ];
  const fetch = vi.fn((_url: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['idempotency-key'] ?? '');
    return answers[keys.length - 1]?.();
  });
  vi.stubGlobal('fetch', fetch);
  for (const _ of answers) await call(createVehicle, args).catch(() => null);
  const [lost, proxied, refusedAgain, made, another] = keys;
  expect(lost).toMatch(/^[0-9a-f-]{36}$/);
  expect([proxied, refusedAgain]).toEqual([lost, lost]);
  expect(new Set([lost, made, another]).size).toBe(3);
});

test('parameters and query are filled into the path', () => {
  expect(urlOf(getMarket, { params: { id: 3 } })).toBe('/api/markets/3');
  expect(urlOf(listMarkets, { query: { route: 'A & B' } })).toBe('/api/markets?route=A+%26+B');
});

test('a 401 is an error that is told to listeners, or nothing where that is asked for', async () => {
  answering(401, '{"detail":"You are not signed in. Sign in to go on."}');
  const heard = vi.fn();
  const stop = onSignedOut(heard);
  expect(await load('/api/markets', { on401: 'null' })).toBeNull();
  expect(heard).not.toHaveBeenCalled();
  expect((await refused(load('/api/markets'))).status).toBe(401);
  expect(heard).toHaveBeenCalledOnce();
  stop();
});

test('a busy server is asked again when it said, and a failure without that is not repeated', async () => {
  const waits: number[] = [];
  vi.useFakeTimers();
  const fetch = vi.fn(async () => {
    if (fetch.mock.calls.length > 2) return Response.json(['a market']);
    return new Response('{"detail":"Busy."}', { status: 503, headers: { 'retry-after': '4' } });
  });
  vi.stubGlobal('fetch', fetch);
  const client = createQueryClient();
  const reading = client.fetchQuery({ queryKey: ['/api/markets'] });
  for (let n = 0; n < 2; n++) {
    await vi.advanceTimersByTimeAsync(3_800);
    waits.push(fetch.mock.calls.length);
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(await reading).toEqual(['a market']);
  expect(waits).toEqual([1, 2]);
  vi.useRealTimers();
  const failing = answering(503, '{"detail":"Broken."}');
  await refused(createQueryClient().fetchQuery({ queryKey: ['/api/markets'] }));
  expect(failing).toHaveBeenCalledOnce();
});
