import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMarket, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { type Fields, stockEvent } from './testing/driver.ts';

type Event = { eventId: string; itemId: number; quantity: number } & Record<string, unknown>;

const count = (itemId: number, quantity: number, fields: Fields = {}) =>
  ({ ...stockEvent(itemId, { quantity, ...fields }), itemId, quantity, eventId: randomUUID() }) satisfies Event;

onEachDatabase('uploads of several phones at once', (open) => {
  let test: TestApp;
  let drivers: (Person & { deviceId: string })[];
  let marketId: number;
  beforeAll(async () => {
    test = await testApp(open);
    marketId = (await buildMarket(test.deps.db, { routeDesignation: '101' })).id;
    drivers = [];
    for (let n = 0; n < 6; n++) {
      const { id } = await buildUser(test.deps.db, { routeDesignation: '101' });
      drivers.push({ ...(await test.as(id)), deviceId: randomUUID() });
    }
  });
  afterAll(() => test.close());
  afterEach(() => test.deps.db.execute(sql`drop trigger if exists refuse_note on stock_movements`));

  const push = async ({ call, deviceId }: (typeof drivers)[number], events: readonly object[]) => {
    const body = { deviceId, sentAtClient: '2026-03-12T15:00:00Z', events };
    const reply = await call('POST', '/api/sync/events', { body });
    return { status: reply.statusCode, results: reply.json().results };
  };
  const items = async (most: number) => {
    const built: { id: number }[] = [];
    while (built.length < most) built.push(await buildItem(test.deps.db, marketId));
    return built;
  };
  const driver = (n: number) => {
    const found = drivers[n % drivers.length];
    if (!found) throw new Error('no driver');
    return found;
  };

  it('gives each phone the results of its own events, under its own name, with a line of its own in the audit log', async () => {
    const stock = await items(6);
    const sent = stock.map(({ id }, n) => [count(id, 10 + n), count(id, 20 + n, { deviceSeq: 2 })]);
    const answers = await Promise.all(sent.map((events, n) => push(driver(n), events)));
    for (const [n, { status, results }] of answers.entries()) {
      expect(status).toBe(200);
      expect(results).toMatchObject(
        (sent[n] ?? []).map(({ eventId }) => ({ eventId, status: 'applied', quantity: 20 + n })),
      );
    }
    const ids = sent.flat().map(({ eventId }) => eventId);
    const booked = await rows<{ eventId: string; deviceId: string }>(
      test.deps.db,
      sql`select event_id as "eventId", device_id as "deviceId" from stock_movements
          where event_id in (select value::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`,
    );
    const deviceOf = new Map(booked.map(({ eventId, deviceId }) => [eventId, deviceId]));
    for (const [n, events] of sent.entries())
      expect(events.map(({ eventId }) => deviceOf.get(eventId))).toEqual([driver(n).deviceId, driver(n).deviceId]);
    const lines = await rows<{ device: string; events: number }>(
      test.deps.db,
      sql`select object_id as device, (detail ->> 'events')::int as events from audit_log where action = 'stock.sync'`,
    );
    expect(lines).toHaveLength(drivers.length);
    expect(lines).toEqual(expect.arrayContaining(drivers.map(({ deviceId }) => ({ device: deviceId, events: 2 }))));
  });

  it('lets no phone pay for an upload that cannot be stored', async () => {
    await test.deps.database.script(`
      create or replace function refuse_note() returns trigger language plpgsql as $$
        begin if new.note = 'refuse me' then raise exception 'refused'; end if; return new; end $$;
      create trigger refuse_note before insert on stock_movements for each row execute function refuse_note();`);
    const stock = await items(6);
    const answers = await Promise.all(
      stock.map(({ id }, n) => push(driver(n), [count(id, 7, n === 3 ? { note: 'refuse me' } : {})])),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 500, 200, 200]);
    const shown = await rows<{ q: number }>(
      test.deps.db,
      sql`select current_quantity as q from inventory_items
          where id in (select value::int from jsonb_array_elements_text(${JSON.stringify(stock.map(({ id }) => id))}::jsonb)) order by id`,
    );
    expect(shown.map(({ q }) => q === 7)).toEqual([true, true, true, false, true, true]);
  });

  it('books an id once that several phones bring at the same moment', async () => {
    const [item] = await items(1);
    const event = count(item?.id ?? 0, 3);
    const reused = { ...event, quantity: 4 };
    const answers = await Promise.all([event, event, reused, event].map((one, n) => push(driver(n), [one])));
    const said = answers.map(({ results }): string => results[0].status);
    expect(said.filter((status) => status === 'applied')).toHaveLength(1);
    const isReusedFirst = said[2] === 'applied';
    expect(said.filter((status) => status === 'rejected')).toHaveLength(isReusedFirst ? 3 : 1);
    const booked = await rows(test.deps.db, sql`select 1 from stock_movements where event_id = ${event.eventId}`);
    expect(booked).toHaveLength(1);
  });

  it('compares counts that came together, of items nobody counted for long too', async () => {
    const [item, other] = await items(2);
    const itemId = item?.id ?? 0;
    await Promise.all(
      [5, 9].map((quantity, n) => push(driver(n), [count(itemId, quantity), count(other?.id ?? 0, 4)])),
    );
    const conflicts = await rows<{ itemId: number }>(
      test.deps.db,
      sql`select item_id as "itemId" from count_conflicts where item_type = 'market_item' order by 1`,
    );
    expect(conflicts).toEqual([{ itemId }]);
  });

  it('knows an id again however its letters are written', async () => {
    const [item] = await items(1);
    const event = count(item?.id ?? 0, 8);
    const loud = { ...event, eventId: event.eventId.toUpperCase() };
    expect((await push(driver(0), [loud])).results).toMatchObject([{ eventId: event.eventId, status: 'applied' }]);
    const phone = { ...driver(0), deviceId: driver(0).deviceId.toUpperCase() };
    expect((await push(phone, [loud])).results).toMatchObject([{ eventId: event.eventId, status: 'duplicate' }]);
    expect((await push(driver(1), [event])).results).toMatchObject([{ status: 'duplicate' }]);
  });
});
