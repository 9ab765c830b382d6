import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { setDesignation } from '../people/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket, buildRoute, buildStop, buildUser } from '../testing/factories.ts';
import { nobody, type TestApp, testApp } from '../testing/test-app.ts';
import { publish } from './hub.ts';

onEachDatabase('the live stream', (open) => {
  let test: TestApp;
  let address = '';
  beforeAll(async () => {
    test = await testApp(open);
    await test.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = test.app.server.address() as AddressInfo;
    address = `http://127.0.0.1:${port}/api/events`;
  });
  afterAll(() => test.close());

  const driver = (routeDesignation: string | null) =>
    buildUser(test.deps.db, { role: 'field_worker', routeDesignation });
  const stock = (id: number, routes: string[]) => publish(test.deps.db, { topic: 'stock', ids: [id], routes });

  /** An open stream; `next` waits for the next event that says what changed. */
  async function listen(userId: number, asked = '') {
    const { cookie } = await test.as(userId);
    const stop = new AbortController();
    const reply = await fetch(`${address}${asked}`, { headers: { cookie }, signal: stop.signal });
    const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const next = async (pattern: RegExp): Promise<string> => {
      for (;;) {
        const found = pattern.exec(text);
        if (found) {
          text = text.slice(found.index + found[0].length);
          return found[1] ?? found[0];
        }
        const part = await reader?.read();
        if (!part || part.done) throw new Error(`the stream ended before ${pattern}: ${text}`);
        text += part.value;
      }
    };
    await next(/event: ready\n/);
    return { next, cookie, close: () => stop.abort() };
  }
  const change = /data: (\{"topic".*\})\n/;

  it('tells a driver of the own designation and of nothing else', async () => {
    const person = await driver('101');
    const stream = await listen(person.id);
    await stock(1, ['202']);
    await stock(2, ['101']);
    expect(JSON.parse(await stream.next(change))).toEqual({ topic: 'stock', ids: [2] });
    stream.close();
  });

  it('tells a driver of stock at the stops of the designation’s routes, wherever they are', async () => {
    const { db } = test.deps;
    const person = await driver('404');
    const { id: marketId } = await buildMarket(db, { routeDesignation: '909' });
    const [near, far] = [await buildItem(db, marketId), await buildItem(db, (await buildMarket(db)).id)];
    const { id: routeId } = await buildRoute(db, { date: '2026-03-12', routeDesignation: '404' });
    await buildStop(db, routeId, { marketId });
    const manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    const stream = await listen(person.id);
    for (const { id } of [far, near]) {
      expect((await manager.call('PUT', `/api/inventory/${id}`, { body: { currentQuantity: 3 } })).statusCode).toBe(
        200,
      );
    }
    await stock(0, ['404']);
    const { ids } = JSON.parse(await stream.next(change));
    expect(ids).toContain(near.id);
    expect(ids).not.toContain(far.id);
    stream.close();
  });

  it('tells the office each half minute to look at what is measured, and drivers never', async () => {
    const manager = await buildUser(test.deps.db, { role: 'route_manager' });
    const person = await driver('101');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [office, road] = [await listen(manager.id), await listen(person.id)];
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    expect(JSON.parse(await office.next(change))).toEqual({ topic: 'performance', ids: [] });
    await stock(3, ['101']);
    expect(JSON.parse(await road.next(change))).toEqual({ topic: 'stock', ids: [3] });
    office.close();
    road.close();
  });

  it('does not beat at the same moment as one that was opened with it', async () => {
    const person = await driver('101');
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.9);
    const early = await listen(person.id);
    random.mockReturnValue(0.1);
    const late = await listen(person.id);
    random.mockRestore();
    vi.advanceTimersByTime(13_000);
    vi.useRealTimers();
    await early.next(/event: beat\n/);
    await stock(4, ['101']);
    expect(await late.next(/event: beat|"stock"/)).toBe('"stock"');
    early.close();
    late.close();
  });

  it('follows a new designation without a new connection', async () => {
    const person = await driver('101');
    const manager = await buildUser(test.deps.db, { role: 'route_manager' });
    const stream = await listen(person.id);
    await setDesignation(test.deps.db, { userId: manager.id, address: '' }, { id: person.id, routeDesignation: '303' });
    expect(JSON.parse(await stream.next(change)).topic).toBe('settings');
    // The new scope is read after the note; until then a change is not for this person.
    const asked = setInterval(() => void stock(7, ['303']), 50);
    expect(JSON.parse(await stream.next(change))).toEqual({ topic: 'stock', ids: [7] });
    clearInterval(asked);
    stream.close();
  });

  it('tells a screen what changed between reading its lists and opening the stream, within its route', async () => {
    const person = await driver('808');
    // A process that has just begun knows nothing of the time that is asked about, and would say so instead.
    await expect.poll(() => test.deps.live.toldWithin(3_000), { timeout: 10_000 }).not.toBeNull();
    await publish(test.deps.db, { topic: 'routes', ids: [5], routes: ['909'] });
    await stock(3, ['808']);
    const stream = await listen(person.id, '?age=400');
    expect(JSON.parse(await stream.next(change))).toEqual({ topic: 'stock', ids: [3] });
    stream.close();
  });

  it('asks a screen that has been reading for longer than is known here to read again', async () => {
    const stream = await listen((await driver('808')).id, '?age=99999999');
    expect(await stream.next(/event: (gap)\n/)).toBe('gap');
    stream.close();
  });

  it('ends with the session', async () => {
    const person = await driver('101');
    const stream = await listen(person.id);
    await fetch(address.replace('/api/events', '/api/auth/sign-out'), {
      method: 'POST',
      headers: { cookie: stream.cookie },
    });
    expect(await stream.next(/event: end\n/)).toContain('end');
    stream.close();
  });

  it('is not opened without a session', async () => {
    expect((await nobody(test.app).call('GET', '/api/events')).statusCode).toBe(401);
  });
});
