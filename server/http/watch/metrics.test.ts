import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildUser } from '../../testing/factories.ts';
import { nobody, type TestApp, testApp } from '../../testing/test-app.ts';
import { createTracer, headersOf } from '../../watch/traces.ts';

const token = 'a token of sixteen letters';
const bearer = { authorization: `Bearer ${token}` };

onEachDatabase('what a server tells of itself', (open) => {
  let test: TestApp;
  beforeAll(async () => {
    test = await testApp(open, { METRICS_TOKEN: token });
  });
  afterAll(() => test.close());

  const metrics = (options: { headers?: Record<string, string>; remoteAddress?: string } = {}) =>
    test.app.inject({ url: '/metrics', ...options });

  it('is for this machine and for whoever has the token', async () => {
    expect((await metrics()).statusCode).toBe(200);
    expect((await metrics({ remoteAddress: '::ffff:127.0.0.1' })).statusCode).toBe(200);
    expect((await metrics({ remoteAddress: '10.0.0.7' })).statusCode).toBe(403);
    expect((await metrics({ headers: { 'x-forwarded-for': '10.0.0.7' } })).statusCode).toBe(403);
    expect((await metrics({ remoteAddress: '10.0.0.7', headers: bearer })).statusCode).toBe(200);
    const wrong = { authorization: `Bearer ${token}s` };
    expect((await metrics({ remoteAddress: '10.0.0.7', headers: wrong })).statusCode).toBe(403);
  });

  it('counts calls by endpoint and not by address, and the statements behind them', async () => {
    const person = await test.as((await buildUser(test.deps.db, { role: 'admin' })).id);
    const before = test.deps.watch.flow.recent();
    await person.call('GET', '/api/markets/7');
    await person.call('GET', '/api/markets/8');
    const text = (await metrics()).body;
    expect(text).toContain('milkrun_http_seconds_count{method="GET",path="/api/markets/:id",status="404"} 2');
    expect(text).not.toContain('/api/markets/7');
    expect(text).toMatch(/milkrun_database_connections\{state="waited_for"\} 0/);
    const after = test.deps.watch.flow.recent();
    expect(after.requests - before.requests).toBe(2);
  });

  it('counts no probe and nobody turned away among the calls answered, whose times they would make short', async () => {
    const { call } = nobody(test.app);
    const before = test.deps.watch.flow.total();
    const away = vi.spyOn(test.database, 'isAway').mockReturnValue(true);
    expect((await call('GET', '/api/markets')).statusCode).toBe(503);
    expect((await call('GET', '/readyz')).statusCode).toBe(503);
    away.mockRestore();
    await test.setDisk({ usedShare: 0.97, freeBytes: 1e9 });
    expect((await call('POST', '/api/markets')).statusCode).toBe(507);
    await test.setDisk({ usedShare: 0.5, freeBytes: 1e9 });
    expect((await call('GET', '/readyz')).statusCode).toBe(200);
    const { requests, requestMs, failed, refused } = before;
    expect(test.deps.watch.flow.total()).toMatchObject({ requests, requestMs, failed, refused: refused + 2 });
    expect((await metrics()).body).toContain(
      'milkrun_http_seconds_count{method="POST",path="/api/markets",status="507"} 1',
    );
  });

  it('tells alerts of a database that is away and of a full disk, whether or not anybody asks for something', async () => {
    const gauges = async () =>
      ((await metrics()).body.match(/^milkrun_(?:database_away|disk_state) \d$/gm) ?? []).toSorted();
    expect(await gauges()).toEqual(['milkrun_database_away 0', 'milkrun_disk_state 0']);
    const away = vi.spyOn(test.database, 'isAway').mockReturnValue(true);
    await test.setDisk({ usedShare: 0.97, freeBytes: 1e9 });
    expect(await gauges()).toEqual(['milkrun_database_away 1', 'milkrun_disk_state 2']);
    away.mockRestore();
    await test.setDisk({ usedShare: 0.97, freeBytes: 80e9 });
    expect(await gauges()).toEqual(['milkrun_database_away 0', 'milkrun_disk_state 0']);
  });

  it('says that it is not ready while the disk is full, and lives on', async () => {
    const { call } = nobody(test.app);
    expect((await call('GET', '/readyz')).json()).toMatchObject({ status: 'ready', disk: 'good' });
    await test.setDisk({ usedShare: 0.97, freeBytes: 1e9 });
    expect((await call('GET', '/readyz')).statusCode).toBe(507);
    expect((await call('GET', '/healthz')).statusCode).toBe(200);
    await test.setDisk({ usedShare: 0.9, freeBytes: 1e9 });
    expect((await call('GET', '/readyz')).json()).toMatchObject({ disk: 'warning' });
    await test.setDisk({ usedShare: 0.5, freeBytes: 1e9 });
  });
});

it('sends a trace of a call with its statements, as the caller began it', async () => {
  const sent: { body: string; key: unknown }[] = [];
  const collector = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      sent.push({ body, key: request.headers['x-key'] });
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const headers = headersOf('x-key=k%20y');
  const tracer = await createTracer({ endpoint: `http://127.0.0.1:${port}/`, headers, service: 'milkrun-test' });
  const parent = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` };
  const end = tracer.begin(parent, () => tracer.query('select 1', 3, false));
  tracer.query('select 2', 3, false);
  end('GET /api/markets', { 'http.response.status_code': 200 }, false);
  await tracer.stop();
  collector.close();
  const spans = JSON.parse(sent[0]?.body ?? '{}').resourceSpans[0].scopeSpans[0].spans as Record<string, string>[];
  expect(sent[0]?.key).toBe('k y');
  expect(spans.map(({ name, traceId }) => ({ name, traceId }))).toEqual([
    { name: 'SELECT', traceId: 'a'.repeat(32) },
    { name: 'GET /api/markets', traceId: 'a'.repeat(32) },
  ]);
  expect([spans[0]?.parentSpanId, spans[1]?.parentSpanId]).toEqual([spans[1]?.spanId, 'b'.repeat(16)]);
});
