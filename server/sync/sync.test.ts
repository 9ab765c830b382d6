import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { firstRow, rows } from '../db/database.ts';
import { users } from '../people/tables.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import {
  buildItem,
  buildMachine,
  buildMarket,
  buildRoute,
  buildSlot,
  buildStop,
  buildUser,
} from '../testing/factories.ts';

import { driverOf, type Fields, stockEvent } from './testing/driver.ts';

onEachDatabase('sync', (open) => {
  const crew = driverOf(open);
  const { push, shown } = crew;

  it('books a batch, one result per event, and says duplicate to a replay', async () => {
    const item = await buildItem(crew.test.deps.db, crew.marketId);
    const event = stockEvent(item.id, { quantity: 12 });
    const first = await push(crew.driver, [event]);
    expect(first.results).toMatchObject([{ eventId: event.eventId, status: 'applied', quantity: 12, version: 1 }]);
    const again = await push(crew.driver, [event]);
    expect(again.results).toMatchObject([{ status: 'duplicate', quantity: 12 }]);
    expect(await shown(item.id)).toBe(12);
  });

  it('books an event whatever offset from UTC its time is written with', async () => {
    const item = await buildItem(crew.test.deps.db, crew.marketId);
    const event = stockEvent(item.id, { occurredAtClient: '2026-03-13T08:59:00+18:00', quantity: 4 });
    expect((await push(crew.driver, [event])).results).toMatchObject([{ status: 'applied', quantity: 4 }]);
    const found = await firstRow<{ at: string }>(
      crew.test.deps.db,
      sql`select (occurred_at_client at time zone 'UTC')::text as at from stock_movements where event_id = ${String(event.eventId)}::uuid`,
    );
    expect(found?.at).toBe('2026-03-12 14:59:00');
  });

  it('an event that comes after a later one of its device counts as before it, however late and wherever its clock stood', async () => {
    const item = await buildItem(crew.test.deps.db, crew.marketId);
    const phone = randomUUID();
    const send = (deviceSeq: number, fields: Fields) =>
      crew.driver.call('POST', '/api/sync/events', {
        body: {
          deviceId: phone,
          sentAtClient: '2026-03-12T15:00:00Z',
          events: [stockEvent(item.id, { deviceSeq, ...fields })],
        },
      });
    await send(5, { quantity: 12, occurredAtClient: '2026-03-12T14:50:00Z' });
    const late = await send(4, { quantity: 14, occurredAtClient: '2026-03-12T14:49:00Z' });
    expect(late.json().results).toMatchObject([{ status: 'superseded', quantity: 12 }]);
    // Its clock was set back between the two.
    await send(3, { quantity: 15, occurredAtClient: '2026-03-12T14:59:00Z' });
    await send(2, { quantity: 16, occurredAtClient: '2026-03-12T14:59:30Z' });
    expect(await shown(item.id)).toBe(12);
    await send(6, { quantity: 11, occurredAtClient: '2026-03-12T14:40:00Z' });
    expect(await shown(item.id)).toBe(11);
    const order = await rows<{ seq: number }>(
      crew.test.deps.db,
      sql`select device_seq::int as seq from stock_movements where item_id = ${item.id} and device_id = ${phone} order by effective_at`,
    );
    expect(order.map(({ seq }) => seq).slice(-2)).toEqual([5, 6]);
  });

  it.each([
    ['U+0000', '\u0000'],
    ['half an emoji', '\ud83d'],
  ])('refuses a text with %s, which no database keeps, says so and books the rest', async (_name, character) => {
    const [one, other] = [
      await buildItem(crew.test.deps.db, crew.marketId),
      await buildItem(crew.test.deps.db, crew.marketId),
    ];
    const bad = stockEvent(one.id, { note: `Door${character} sticks`, [`odd${character}name`]: 1 });
    const { results } = await push(crew.driver, [bad, stockEvent(other.id, { quantity: 6 })]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: expect.stringContaining('cannot be kept') },
      { status: 'applied' },
    ]);
    const [held] = await rows<{ note: string }>(
      crew.test.deps.db,
      sql`select event->>'note' as note from held_events where event_id = ${String(bad.eventId)}`,
    );
    expect(held?.note).toBe('Door sticks');
    expect((await push(crew.driver, [bad])).results).toMatchObject([{ status: 'rejected' }]);
  });

  it('books a change whose note turns letters around, without what turns them', async () => {
    const item = await buildItem(crew.test.deps.db, crew.marketId);
    const event = stockEvent(item.id, { quantity: 7, note: 'Door \u202esticks\u2069' });
    expect((await push(crew.driver, [event])).results).toMatchObject([{ status: 'applied' }]);
    expect((await push(crew.driver, [event])).results).toMatchObject([{ status: 'duplicate' }]);
    const kept = await rows<{ note: string }>(
      crew.test.deps.db,
      sql`select note from stock_movements where item_id = ${item.id} and note is not null`,
    );
    expect(kept).toEqual([{ note: 'Door sticks' }]);
  });

  it('refuses an id that was used for another change', async () => {
    const item = await buildItem(crew.test.deps.db, crew.marketId);
    const event = stockEvent(item.id, { quantity: 3 });
    await push(crew.driver, [event]);
    const { results } = await push(crew.driver, [{ ...event, quantity: 4 }]);
    expect(results[0].status).toBe('rejected');
    expect(await shown(item.id)).toBe(3);
  });

  it('books the good events of a batch and holds the bad one with its reason', async () => {
    const item = await buildItem(crew.test.deps.db, crew.marketId);
    const bad = stockEvent(999_999);
    const unreadable = { eventId: randomUUID(), what: 'ever' };
    const { results } = await push(crew.driver, [bad, stockEvent(item.id, { quantity: 6 }), unreadable]);
    expect(results.map((r: { status: string }) => r.status)).toEqual(['rejected', 'applied', 'rejected']);
    expect(results[0].reason).toContain('not known');
    const held = await rows(
      crew.test.deps.db,
      sql`select 1 from held_events where event_id in (${bad.eventId}, ${unreadable.eventId})`,
    );
    expect(held).toHaveLength(2);
    expect((await push(crew.driver, [bad])).results[0]).toMatchObject({
      status: 'rejected',
      reason: results[0].reason,
    });
  });

  it('holds what names a number beyond any row, and books the rest of the batch', async () => {
    const item = await buildItem(crew.test.deps.db, crew.marketId, { minimumQuantity: 2 });
    const beyond = 3_000_000_000;
    const step = { eventId: randomUUID(), schemaVersion: 1, type: 'route-started', routeId: beyond, deviceSeq: 1 };
    const { status, results } = await push(crew.driver, [
      stockEvent(beyond),
      stockEvent(item.id, { productId: beyond }),
      stockEvent(item.id, { position: { latitude: 4070, longitude: -74 } }),
      { ...step, occurredAtClient: '2026-03-12T14:59:00Z', lastServerTime: null },
      stockEvent(item.id, { quantity: 6 }),
    ]);
    expect(status).toBe(200);
    expect(results.map((r: { status: string }) => r.status)).toEqual([
      ...['rejected', 'rejected', 'rejected', 'rejected', 'applied'],
    ]);
  });

  it('takes nothing for a location of another route', async () => {
    const other = await buildMarket(crew.test.deps.db, { routeDesignation: '909' });
    const item = await buildItem(crew.test.deps.db, other.id);
    const { results } = await push(crew.driver, [stockEvent(item.id)]);
    expect(results[0].status).toBe('rejected');
    expect(await shown(item.id)).toBe(0);
  });

  it('takes a stop of a route assigned to the person, whatever its designation', async () => {
    const other = await buildMarket(crew.test.deps.db, { routeDesignation: '909' });
    const item = await buildItem(crew.test.deps.db, other.id);
    const route = await buildRoute(crew.test.deps.db, { driverId: crew.driverId, date: '2026-03-12' });
    await buildStop(crew.test.deps.db, route.id, { marketId: other.id });
    const { results } = await push(crew.driver, [stockEvent(item.id, { quantity: 2 })]);
    expect(results[0].status).toBe('applied');
  });

  it('takes a stop of a route of the own designation that nobody is assigned to, whatever the designation of the place', async () => {
    const other = await buildMarket(crew.test.deps.db, { routeDesignation: '909' });
    const item = await buildItem(crew.test.deps.db, other.id);
    const far = await buildItem(
      crew.test.deps.db,
      (await buildMarket(crew.test.deps.db, { routeDesignation: '909' })).id,
    );
    const route = await buildRoute(crew.test.deps.db, { routeDesignation: '101', date: '2026-03-13' });
    await buildStop(crew.test.deps.db, route.id, { marketId: other.id });
    const late = await buildRoute(crew.test.deps.db, { routeDesignation: '101', date: '2026-03-16' });
    await buildStop(crew.test.deps.db, late.id, { marketId: far.marketId });
    const { results } = await push(crew.driver, [stockEvent(item.id, { quantity: 2 }), stockEvent(far.id)]);
    expect(results.map((one: { status: string }) => one.status)).toEqual(['applied', 'rejected']);
    const changes = (await crew.driver.call('GET', '/api/sync/changes')).json();
    expect(changes.items.map((one: { id: number }) => one.id)).toContain(item.id);
  });

  it('keeps what was counted while entitled, after the person got another route', async () => {
    crew.test.setNow(new Date());
    const person = await buildUser(crew.test.deps.db, { routeDesignation: '101' });
    const item = await buildItem(crew.test.deps.db, crew.marketId);
    const session = await crew.test.as(person.id);
    const before = new Date(Date.now() - 60_000).toISOString();
    await crew.test.deps.db.update(users).set({ routeDesignation: '303' }).where(eq(users.id, person.id));
    const sent = new Date().toISOString();
    const counted = stockEvent(item.id, { occurredAtClient: before, quantity: 4 });
    const body = { deviceId: randomUUID(), sentAtClient: sent, events: [counted] };
    const reply = await session.call('POST', '/api/sync/events', { body });
    crew.test.setNow(new Date('2026-03-12T15:00:00Z'));
    expect(reply.json().results[0].status).toBe('applied');
  });

  it('orders counts of two phones by when they happened, not by when they arrived', async () => {
    const item = await buildItem(crew.test.deps.db, crew.marketId);
    const later = stockEvent(item.id, { quantity: 9, occurredAtClient: '2026-03-12T14:50:00Z' });
    const earlier = stockEvent(item.id, { quantity: 2, occurredAtClient: '2036-01-01T00:00:00Z' });
    const phone = { deviceId: randomUUID(), sentAtClient: '2026-03-12T15:00:00Z', events: [later] };
    // This phone's clock is ten years ahead; its count is half an hour old.
    const wrong = { deviceId: randomUUID(), sentAtClient: '2036-01-01T00:30:00Z', events: [earlier] };
    await crew.driver.call('POST', '/api/sync/events', { body: phone });
    const reply = await crew.driver.call('POST', '/api/sync/events', { body: wrong });
    expect(reply.json().results[0].status).toBe('superseded');
    expect(await shown(item.id)).toBe(9);
  });

  it('opens an alert when a slot is counted empty and closes it when it is filled', async () => {
    const machine = await buildMachine(crew.test.deps.db, { routeDesignation: '101' });
    const slot = await buildSlot(crew.test.deps.db, machine.id, { currentQuantity: 5 });
    const open = () =>
      rows(
        crew.test.deps.db,
        sql`select 1 from vending_machine_alerts where slot_id = ${slot.id} and resolved_at is null`,
      );
    await push(crew.driver, [stockEvent(slot.id, { itemType: 'machine_slot', quantity: 0, reason: 'empty_slot' })]);
    expect(await open()).toHaveLength(1);
    const full = { itemType: 'machine_slot', quantity: 10, reason: 'full_restock', deviceSeq: 9 };
    await push(crew.driver, [stockEvent(slot.id, full)]);
    expect(await open()).toHaveLength(0);
  });

  it('keeps the events of a deactivated person for review', async () => {
    const person = await buildUser(crew.test.deps.db, { routeDesignation: '101' });
    const item = await buildItem(crew.test.deps.db, crew.marketId);
    const session = await crew.test.as(person.id);
    await crew.test.deps.db.update(users).set({ isActive: false }).where(eq(users.id, person.id));
    const { status } = await push(session, [stockEvent(item.id)]);
    // The session is dead at once; the device credential, tested with sign-in, delivers to the review.
    expect(status).toBe(401);
    expect(await shown(item.id)).toBe(0);
  });

  it('refuses more than 200 events at a time', async () => {
    const { status, body } = await push(
      crew.driver,
      Array.from({ length: 201 }, () => stockEvent(1)),
    );
    expect(status).toBe(413);
    expect(body.detail).toBe('Send at most 200 events at a time.');
  });

  it('gives a phone its scope first and then only what changed', async () => {
    const item = await buildItem(crew.test.deps.db, crew.marketId, { productName: 'Salted Nuts' });
    const read = async (cursor = '') =>
      (await crew.driver.call('GET', `/api/sync/changes${cursor ? `?cursor=${cursor}` : ''}`)).json();
    const first = await read();
    expect(first).toMatchObject({ reset: true, more: false });
    expect(first.items.map((i: { id: number }) => i.id)).toContain(item.id);
    await push(crew.driver, [stockEvent(item.id, { quantity: 31 })]);
    const next = await read(first.cursor);
    expect(next.reset).toBe(false);
    expect(next.items.find((i: { id: number }) => i.id === item.id)).toMatchObject({ currentQuantity: 31, version: 1 });
  });

  it('begins anew when the person may see other locations than before', async () => {
    const first = (await crew.driver.call('GET', '/api/sync/changes')).json();
    await buildMarket(crew.test.deps.db, { routeDesignation: '101' });
    const next = (await crew.driver.call('GET', `/api/sync/changes?cursor=${first.cursor}`)).json();
    expect(next.reset).toBe(true);
  });

  it('counts the person’s day', async () => {
    const day = (await crew.driver.call('GET', '/api/field-day')).json();
    expect(day.routesAssigned).toBe(1);
    expect(day.todaysUpdates).toBeGreaterThan(5);
  });
});
