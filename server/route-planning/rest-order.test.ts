import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';

import { allDay, squareOfMarkets } from './testing/square-of-markets.ts';

onEachDatabase('Another order for the rest of a route', (open) => {
  const square = squareOfMarkets(open);
  const { report, save, read, offers } = square;

  /** An order that crosses the square: much is gained by any better one. */
  const crossing = () => [
    square.corners[1] ?? 0,
    square.corners[3] ?? 0,
    square.corners[2] ?? 0,
    square.corners[0] ?? 0,
  ];

  it('offers another order of the rest when it saves more than two minutes, to those who see the route', async () => {
    const saved = await save(crossing());
    expect(await offers()).toEqual([]);
    const { id } = await report({ latitude: '40.73', longitude: '-74.00', ...allDay });
    const [offer] = await offers();
    expect(offer).toMatchObject({ routeId: saved.id, routeDesignation: '101', incidents: [{ id, title: 'Jam' }] });
    expect(offer.gainMin).toBeGreaterThan(2);
    expect(offer.given).toEqual(saved.stops.map((stop: { id: number }) => stop.id));
    expect(offer.order.toSorted()).toEqual(offer.given.toSorted());
    expect(await offers(square.stranger)).toEqual([]);
  });

  it('tells what an incident costs from what the order costs on clear roads too', async () => {
    await save(crossing());
    await report({ latitude: '40.70', longitude: '-74.04', ...allDay, severity: 'low', radius: 0.2 });
    const [poor] = await offers();
    expect(poor.gainMin).toBeGreaterThan(2);
    expect(poor.trafficMin).toBe(0);
    await report({ latitude: '40.73', longitude: '-74.00', ...allDay });
    const [both] = await offers();
    expect(both.gainMin).toBeGreaterThan(poor.gainMin);
    expect(both.trafficMin).toBeGreaterThan(0);
    expect(Math.abs(both.gainMin - both.trafficMin - poor.gainMin)).toBeLessThanOrEqual(1);
  });

  it('an offer names first what slows the way ahead most, and nothing that is behind the driver', async () => {
    const saved = await save(crossing());
    const minor = { ...allDay, severity: 'low', radius: 0.5 };
    await report({ ...minor, title: 'Behind', latitude: '40.73', longitude: '-74.02' });
    await report({ ...minor, title: 'Minor', latitude: '40.70', longitude: '-74.02' });
    await report({ title: 'Burst main', latitude: '40.73', longitude: '-74.00', ...allDay });
    const titles = async () => (await offers())[0].incidents.map(({ title }: { title: string }) => title);
    expect((await titles())[0]).toBe('Burst main');
    expect((await titles()).toSorted()).toEqual(['Behind', 'Burst main', 'Minor']);
    const [first] = saved.stops;
    await square.t.deps.db.execute(
      sql`update route_stops set actual_arrival = ${square.t.deps.clock.now()} where id = ${first.id}`,
    );
    expect(await titles()).toEqual(['Burst main', 'Minor']);
  });

  it('does not offer what saves nothing', async () => {
    await save(square.corners);
    await report({ latitude: '40.70', longitude: '-74.04', ...allDay, severity: 'low', radius: 0.2 });
    expect(await offers()).toEqual([]);
  });

  it('the rest is put in another order with one call, and back with another', async () => {
    const saved = await save(crossing());
    await report({ latitude: '40.73', longitude: '-74.00', ...allDay });
    const during = await read(saved.id);
    const [offer] = await offers();
    const put = (stopIds: number[]) =>
      square.worker.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds } });
    const applied = await put(offer.order);
    expect(applied.json()).toMatchObject({ routeId: saved.id, previous: offer.given, savedMin: offer.gainMin });
    const reordered = await read(saved.id);
    expect(reordered.stops.map((stop: { id: number }) => stop.id)).toEqual(offer.order);
    expect(reordered.stops.map((stop: { stopOrder: number }) => stop.stopOrder)).toEqual([1, 2, 3, 4]);
    expect(reordered.drivingMin).toBeLessThan(during.drivingMin);
    expect(await offers()).toEqual([]);
    expect((await put(applied.json().previous)).statusCode).toBe(200);
    const undone = await read(saved.id);
    expect(undone.stops.map((stop: { id: number }) => stop.id)).toEqual(offer.given);
    expect(undone.stops.map((stop: { delay: number }) => stop.delay)).toEqual(
      during.stops.map((stop: { delay: number }) => stop.delay),
    );
    const audit = await rows<{ action: string }>(
      square.t.deps.db,
      sql`select action from audit_log where object_type = 'route' and object_id = ${String(saved.id)} and action = 'route.reorder'`,
    );
    expect(audit).toHaveLength(2);
  });

  it('done stops and the one being driven to stay where they are', async () => {
    const saved = await save(crossing());
    const ids = saved.stops.map((stop: { id: number }) => stop.id);
    await square.worker.call('PATCH', `/api/routes/${saved.id}`, { body: { status: 'in_progress' } });
    await square.worker.call('PATCH', `/api/route-stops/${ids[0]}`, { body: { completed: true } });
    const put = (stopIds: number[]) =>
      square.worker.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds } });
    expect((await put([ids[2], ids[1], ids[3]])).statusCode).toBe(409);
    expect((await put([ids[3], ids[2]])).statusCode).toBe(200);
    const after = await read(saved.id);
    expect(after.stops.map((stop: { id: number }) => stop.id)).toEqual([ids[0], ids[1], ids[3], ids[2]]);
  });

  it.each([
    ['a stop that is not of the route', (ids: number[]) => [...ids.slice(1), 999_999], 409],
    ['a stop twice', (ids: number[]) => [ids[0] ?? 0, ...ids.slice(0, 3)], 409],
    ['a stop left out', (ids: number[]) => ids.slice(1), 409],
    ['no stop', () => [], 400],
  ])('an order with %s is refused and changes nothing', async (_title, wrong, code) => {
    const saved = await save();
    const ids = saved.stops.map((stop: { id: number }) => stop.id);
    const reply = await square.worker.call('PUT', `/api/routes/${saved.id}/rest-order`, {
      body: { stopIds: wrong(ids) },
    });
    expect(reply.statusCode).toBe(code);
    expect((await read(saved.id)).stops).toEqual(saved.stops);
  });

  it('the rest of a route out of scope is unknown', async () => {
    const saved = await save();
    const stopIds = saved.stops.map((stop: { id: number }) => stop.id);
    const reply = await square.stranger.call('PUT', `/api/routes/${saved.id}/rest-order`, { body: { stopIds } });
    expect(reply.statusCode).toBe(404);
  });
});
