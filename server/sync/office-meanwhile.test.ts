import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { placedOf } from '../../domain/planogram-change.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot, buildUser } from '../testing/factories.ts';

import { driverOf, stockEvent } from './testing/driver.ts';

onEachDatabase('counts beside what the office does', (open) => {
  const crew = driverOf(open);
  const { push, shown } = crew;

  it('takes a count above what a slot holds as the driver saw it, and tells both sides until it fits again', async () => {
    const machine = await buildMachine(crew.test.deps.db, { routeDesignation: '101' });
    const slot = await buildSlot(crew.test.deps.db, machine.id, {
      maxQuantity: 8,
      slotNumber: 'A1',
      productName: 'Cola',
    });
    const alerts = () =>
      rows<{ message: string }>(
        crew.test.deps.db,
        sql`select message from vending_machine_alerts where slot_id = ${slot.id} and resolved_at is null
            and alert_type = 'over_capacity'`,
      );
    const event = stockEvent(slot.id, { itemType: 'machine_slot', quantity: 9 });
    const { results } = await push(crew.driver, [event]);
    expect(results[0]).toMatchObject({
      status: 'applied',
      quantity: 9,
      reason: 'More than the slot holds: check the planogram.',
    });
    expect(await alerts()).toEqual([{ message: 'A1 Cola: 9 where the slot holds 8. Check the planogram.' }]);
    await push(crew.driver, [stockEvent(slot.id, { itemType: 'machine_slot', quantity: 8 })]);
    expect(await alerts()).toEqual([]);
    await push(crew.driver, [stockEvent(slot.id, { itemType: 'machine_slot', quantity: 9 })]);
    expect(await alerts()).toHaveLength(1);
    const manager = await crew.test.as((await buildUser(crew.test.deps.db, { role: 'route_manager' })).id);
    await manager.call('PUT', `/api/vending-machine-inventory/${slot.id}`, { body: { maxQuantity: 12 } });
    expect(await alerts()).toEqual([]);
    await push(crew.driver, [stockEvent(slot.id, { itemType: 'machine_slot', quantity: 13 })]);
    expect(await alerts()).toHaveLength(1);
    const planogram = `/api/vending-machines/${machine.id}/planogram`;
    const { version, slots } = (await manager.call('GET', planogram)).json();
    const wider = slots.map((one: Parameters<typeof placedOf>[0]) => ({ ...placedOf(one), maxQuantity: 20 }));
    expect((await manager.call('PUT', planogram, { body: { version, slots: wider } })).statusCode).toBe(200);
    expect(await alerts()).toEqual([]);
  });

  it('keeps a count of a product that the office has replaced since, and says so to both', async () => {
    const machine = await buildMachine(crew.test.deps.db, { routeDesignation: '101' });
    const slot = await buildSlot(crew.test.deps.db, machine.id, { slotNumber: 'B2', productName: 'Cola' });
    const manager = await crew.test.as((await buildUser(crew.test.deps.db, { role: 'route_manager' })).id);
    const now = await manager.call('PUT', `/api/vending-machine-inventory/${slot.id}`, {
      body: { productName: 'Water' },
    });
    const productId = now.json().productId;
    const counted = { itemType: 'machine_slot', quantity: 4, productId: productId + 1000 };
    const first = stockEvent(slot.id, counted);
    const { results } = await push(crew.driver, [first]);
    expect(results[0]).toMatchObject({ status: 'applied', quantity: 4 });
    expect(results[0].reason).toBe(
      'The office has put Water into this slot since. Your number is kept; tell your route manager what is in it.',
    );
    const alerts = () =>
      rows<{ message: string }>(
        crew.test.deps.db,
        sql`select message from vending_machine_alerts where slot_id = ${slot.id} and resolved_at is null
            and alert_type = 'other_product'`,
      );
    expect(await alerts()).toEqual([
      { message: 'B2: a driver counted another product than Water. Check what is in the slot.' },
    ]);
    const { results: repeated } = await push(crew.driver, [first]);
    expect(repeated[0]).toMatchObject({ status: 'duplicate', reason: results[0].reason });
    expect(await alerts()).toHaveLength(1);
    const { results: again } = await push(crew.driver, [stockEvent(slot.id, { ...counted, productId })]);
    expect(again[0]).toMatchObject({ status: 'applied', reason: null });
    expect(await alerts()).toEqual([]);
    await push(crew.driver, [stockEvent(slot.id, counted)]);
    expect(await alerts()).toHaveLength(1);
    await manager.call('PUT', `/api/vending-machine-inventory/${slot.id}`, { body: { productName: 'Juice' } });
    expect(await alerts()).toEqual([]);
  });

  it('tells a manager of two people who counted one item differently within half an hour', async () => {
    const item = await buildItem(crew.test.deps.db, crew.marketId);
    const colleague = await crew.test.as((await buildUser(crew.test.deps.db, { routeDesignation: '101' })).id);
    await push(crew.driver, [stockEvent(item.id, { quantity: 9 })]);
    const body = {
      deviceId: randomUUID(),
      sentAtClient: '2026-03-12T15:00:00Z',
      events: [stockEvent(item.id, { quantity: 4 })],
    };
    await colleague.call('POST', '/api/sync/events', { body });
    const found = await rows(crew.test.deps.db, sql`select 1 from count_conflicts where item_id = ${item.id}`);
    expect(found).toHaveLength(1);
  });

  it('tells nobody of a difference to what an item was created with', async () => {
    const manager = await crew.test.as((await buildUser(crew.test.deps.db, { role: 'route_manager' })).id);
    const body = { marketId: crew.marketId, productName: 'Cold Brew', currentQuantity: 4, minimumQuantity: 2 };
    const itemId = (await manager.call('POST', '/api/inventory', { body })).json().id;
    crew.test.setNow(new Date('2026-03-12T15:10:00Z'));
    const events = [stockEvent(itemId, { quantity: 8, occurredAtClient: '2026-03-12T15:09:00Z' })];
    const phone = { deviceId: randomUUID(), sentAtClient: '2026-03-12T15:10:00Z', events };
    await crew.driver.call('POST', '/api/sync/events', { body: phone });
    crew.test.setNow(new Date('2026-03-12T15:00:00Z'));
    expect(await rows(crew.test.deps.db, sql`select 1 from count_conflicts where item_id = ${itemId}`)).toEqual([]);
    expect(await shown(itemId)).toBe(8);
  });

  it('keeps a count of a slot that the office has taken out since, and says so', async () => {
    const machine = await buildMachine(crew.test.deps.db, { routeDesignation: '101' });
    const slot = await buildSlot(crew.test.deps.db, machine.id);
    const manager = await crew.test.as((await buildUser(crew.test.deps.db, { role: 'route_manager' })).id);
    await manager.call('DELETE', `/api/vending-machine-inventory/${slot.id}`);
    const events = [stockEvent(slot.id, { itemType: 'machine_slot', quantity: 4 })];
    const body = { deviceId: randomUUID(), sentAtClient: '2026-03-12T15:00:00Z', events };
    const reply = await crew.driver.call('POST', '/api/sync/events', { body });
    const reason = 'The office has taken this item out since. Your number is kept.';
    expect(reply.json().results[0]).toMatchObject({ status: 'applied', quantity: 4, reason });
  });

  it('keeps what was counted at a place that the office has deleted since, and says so', async () => {
    const market = await buildMarket(crew.test.deps.db, { routeDesignation: '101' });
    const item = await buildItem(crew.test.deps.db, market.id);
    const admin = await crew.test.as((await buildUser(crew.test.deps.db, { role: 'admin' })).id);
    expect((await admin.call('DELETE', `/api/markets/${market.id}`)).statusCode).toBe(200);
    const events = [stockEvent(item.id, { itemType: 'market_item', quantity: 4 })];
    const body = { deviceId: randomUUID(), sentAtClient: '2026-03-12T15:00:00Z', events };
    const reply = await crew.driver.call('POST', '/api/sync/events', { body });
    const reason = 'The office has taken this item out since. Your number is kept.';
    expect(reply.json().results[0]).toMatchObject({ status: 'applied', quantity: 4, reason });
  });
});
