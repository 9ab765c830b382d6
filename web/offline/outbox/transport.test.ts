import { expect, test } from 'vitest';
import { fetchTransport } from './transport.ts';

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
