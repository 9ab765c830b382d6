import { afterEach, expect, test, vi } from 'vitest';
import { fetchTransport } from './transport.ts';

afterEach(() => vi.restoreAllMocks());

const answering = (body: string, init: ResponseInit) => fetchTransport(async () => new Response(body, init));
const get = { method: 'GET', path: '/api/x' } as const;

test('a captive portal that answers 200 with its own page is not the server', async () => {
  const transport = answering('<html>Welcome</html>', { headers: { 'content-type': 'text/html' } });
  expect(await transport(get)).toEqual({ outcome: 'unreachable' });
});

test('a broken body is sent for again', async () => {
  const transport = answering('{"half', { headers: { 'content-type': 'application/json' } });
  expect(await transport(get)).toEqual({ outcome: 'unreachable' });
});

test('a refusal carries the sentence of the problem document and the pause asked for', async () => {
  const headers = { 'content-type': 'application/problem+json', 'retry-after': '30' };
  const transport = answering('{"detail":"Try later."}', { status: 503, headers });
  expect(await transport(get)).toEqual({
    outcome: 'refused',
    status: 503,
    detail: 'Try later.',
    isProblem: true,
    retryAfterMs: 30_000,
  });
});

test('a photo on a slow line is waited for as long as its bytes take, a question no longer than ever', async () => {
  const waits = vi.spyOn(AbortSignal, 'timeout');
  const transport = answering('{}', { headers: { 'content-type': 'application/json' } });
  await transport(get);
  await transport({ method: 'PUT', path: '/api/photos/x', body: new Blob([new Uint8Array(300_000)]) });
  expect(waits.mock.calls).toEqual([[30_000], [105_000]]);
});
