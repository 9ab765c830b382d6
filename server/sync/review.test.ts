import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FieldNotices } from '../../contract/stock-review.ts';
import { auditLog } from '../audit/tables.ts';
import { firstRow, rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildRoute, buildSlot, buildStop, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

type Fields = Record<string, unknown>;
type Held = { eventId: string; kind: string; quantity: number | null; place: string | null; reason: string };
type Conflict = {
  id: number;
  itemId: number;
  moved: number;
  first: { quantity: number };
  second: { quantity: number };
};

onEachDatabase('what phones sent and a manager decides', (open) => {
  let test: TestApp;
  let ann: Person;
  let ben: Person;
  let manager: Person;
  let machineId: number;
  const phones = { ann: randomUUID(), ben: randomUUID() };
  let seq = 0;
  beforeAll(async () => {
    test = await testApp(open);
    // Entitlement begins when the person was made, by the database's own clock.
    test.setNow(new Date(Date.now() + 3_600_000));
    const { db } = test.deps;
    ann = await test.as((await buildUser(db, { routeDesignation: '101', firstName: 'Ann' })).id);
    ben = await test.as((await buildUser(db, { routeDesignation: '101', firstName: 'Ben' })).id);
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    machineId = (await buildMachine(db, { routeDesignation: '101' })).id;
  });
  afterAll(() => test.close());

  const ago = (minutes: number): string => new Date(test.deps.clock.now().getTime() - minutes * 60_000).toISOString();
  const slot = async (fields: Fields = {}, of = machineId) =>
    (await buildSlot(test.deps.db, of, { maxQuantity: 50, ...fields })).id;
  const count = (itemId: number, quantity: number, fields: Fields = {}): Fields => ({
    eventId: randomUUID(),
    schemaVersion: 1,
    itemType: 'machine_slot',
    itemId,
    kind: 'count',
    quantity,
    reason: 'manual_count',
    shown: null,
    occurredAtClient: ago(1),
    deviceSeq: ++seq,
    lastServerTime: null,
    ...fields,
  });
  const push = async (who: Person, device: string, events: Fields[]) => {
    const body = { deviceId: device, sentAtClient: test.deps.clock.now().toISOString(), events };
    const reply = await who.call('POST', '/api/sync/events', { body });
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json().results as { status: string; reason: string | null; quantity: number | null }[];
  };
  const review = async () => (await manager.call('GET', '/api/stock-review')).json();
  const conflictOf = async (itemId: number): Promise<Conflict | undefined> =>
    (await review()).conflicts.rows.find((one: Conflict) => one.itemId === itemId);
  const heldOf = async (eventId: unknown): Promise<Held | undefined> =>
    (await review()).held.rows.find((one: Held) => one.eventId === eventId);
  const notices = async (who: Person): Promise<FieldNotices> => (await who.call('GET', '/api/field-notices')).json();
  const notice = async (who: Person, id: number | undefined) =>
    (await notices(who)).conflicts.find((one) => one.id === id);
  const shown = async (slotId: number) =>
    (
      await firstRow<{ q: number }>(
        test.deps.db,
        sql`select current_quantity as q from vending_machine_inventory where id = ${slotId}`,
      )
    )?.q;
  const settle = (id: number | undefined, keep: string, who = manager) =>
    who.call('POST', `/api/stock-review/conflicts/${id}/settle`, { body: { keep } });
  const reopen = (id: number | undefined, who = manager) =>
    who.call('POST', `/api/stock-review/conflicts/${id}/reopen`);
  const decide = (eventId: unknown, verb: string, who = manager) =>
    who.call('POST', `/api/stock-review/held/${eventId}/${verb}`);
  const audited = (objectId: unknown) =>
    test.deps.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.objectId, String(objectId)));

  /** Ann counts 12, Ben ten minutes later 7: nothing explains it. */
  const differing = async (fields: Fields = {}) => {
    const slotId = await slot(fields);
    // Devices of their own: the events of one device never go back in time.
    await push(ann, randomUUID(), [count(slotId, 12, { occurredAtClient: ago(20) })]);
    await push(ben, randomUUID(), [count(slotId, 7, { occurredAtClient: ago(10) })]);
    return slotId;
  };

  it('two people who count one slot differently within half an hour are both told, and so is the manager', async () => {
    const slotId = await differing();
    expect(await conflictOf(slotId)).toMatchObject({
      first: { quantity: 12, person: expect.stringContaining('Ann') },
      second: { quantity: 7, person: expect.stringContaining('Ben') },
      moved: 0,
      quantityNow: 7,
      location: { type: 'vending_machine', id: machineId },
    });
    const id = (await conflictOf(slotId))?.id;
    const toAnn = await notice(ann, id);
    expect(toAnn).toMatchObject({ mine: { quantity: 12 }, other: { quantity: 7 }, resolution: null });
    expect(toAnn?.other.person).toContain('Ben');
    expect(await notice(ben, id)).toMatchObject({ mine: { quantity: 7 }, other: { quantity: 12 } });
  });

  it('units put in between explain a difference, and so does the own count after it', async () => {
    const slotId = await slot();
    await push(ann, randomUUID(), [
      count(slotId, 3, { occurredAtClient: ago(20) }),
      count(slotId, 8, { kind: 'restock', reason: 'fill', occurredAtClient: ago(19) }),
    ]);
    await push(ben, randomUUID(), [count(slotId, 11, { occurredAtClient: ago(10) })]);
    expect(await conflictOf(slotId)).toBeUndefined();
    const again = await slot();
    await push(ann, randomUUID(), [
      count(again, 3, { occurredAtClient: ago(20) }),
      count(again, 11, { occurredAtClient: ago(19) }),
    ]);
    await push(ben, randomUUID(), [count(again, 11, { occurredAtClient: ago(10) })]);
    expect(await conflictOf(again)).toBeUndefined();
  });

  it('the earlier count can be made to hold; what moved since stays counted', async () => {
    const slotId = await differing();
    await push(ben, randomUUID(), [
      count(slotId, -2, { kind: 'spoilage', reason: 'expired', occurredAtClient: ago(2) }),
    ]);
    const conflict = await conflictOf(slotId);
    expect((await settle(conflict?.id, 'first')).json()).toEqual({ quantity: 10 });
    expect(await shown(slotId)).toBe(10);
    expect(await conflictOf(slotId)).toBeUndefined();
    expect(await notice(ann, conflict?.id)).toMatchObject({ resolution: 'first', mineHolds: true });
    expect(await notice(ben, conflict?.id)).toMatchObject({ resolution: 'first', mineHolds: false });
    expect((await settle(conflict?.id, 'second')).statusCode).toBe(409);
    expect((await audited(slotId)).map((line) => line.action)).toContain('stock.settle-difference');
  });

  it('the later count can be confirmed, and nothing changes', async () => {
    const slotId = await differing();
    expect((await settle((await conflictOf(slotId))?.id, 'second')).json()).toEqual({ quantity: 7 });
    expect(await shown(slotId)).toBe(7);
  });

  it('a choice can be taken back, and made anew either way', async () => {
    const slotId = await differing();
    await push(ben, randomUUID(), [
      count(slotId, -2, { kind: 'spoilage', reason: 'expired', occurredAtClient: ago(2) }),
    ]);
    const id = (await conflictOf(slotId))?.id;
    // Each decision is after the one before it, whatever their ids: as often as chance would put one of them wrong.
    for (const _ of Array.from({ length: 4 })) {
      expect((await settle(id, 'first')).json()).toEqual({ quantity: 10 });
      expect((await reopen(id)).json()).toEqual({ id });
      expect(await conflictOf(slotId)).toMatchObject({ id, quantityNow: 5 });
      expect(await notice(ann, id)).toMatchObject({ resolution: null, mineHolds: null });
      expect((await settle(id, 'second')).json()).toEqual({ quantity: 5 });
      expect((await reopen(id)).json()).toEqual({ id });
      expect(await shown(slotId)).toBe(5);
    }
    expect((await reopen(id)).statusCode).toBe(409);
    expect((await audited(slotId)).map((line) => line.action)).toContain('stock.reopen-difference');
  });

  it('a choice is not taken back once somebody counted again', async () => {
    const slotId = await differing();
    const id = (await conflictOf(slotId))?.id;
    await settle(id, 'first');
    await push(ann, phones.ann, [count(slotId, 9)]);
    const refused = await reopen(id);
    expect(refused.statusCode).toBe(409);
    expect(refused.json().detail).toContain('counted again since');
    expect(await shown(slotId)).toBe(9);
    expect(await notice(ann, id)).toMatchObject({ resolution: 'first' });
  });

  it('a choice taken back says no longer that the slot holds less', async () => {
    const slotId = await differing({ maxQuantity: 10 });
    const id = (await conflictOf(slotId))?.id;
    const alerts = () =>
      rows(
        test.deps.db,
        sql`select id from vending_machine_alerts where slot_id = ${slotId} and resolved_at is null
            and alert_type = 'over_capacity'`,
      );
    await settle(id, 'first');
    expect(await alerts()).toHaveLength(1);
    await reopen(id);
    expect(await alerts()).toEqual([]);
  });

  it('a count that is made to hold and is more than its slot does has somebody look at the planogram until it fits', async () => {
    const slotId = await differing({ maxQuantity: 10 });
    const alerts = () =>
      rows<{ message: string }>(
        test.deps.db,
        sql`select message from vending_machine_alerts where slot_id = ${slotId} and resolved_at is null
            and alert_type = 'over_capacity'`,
      );
    expect(await alerts()).toEqual([]);
    await settle((await conflictOf(slotId))?.id, 'first');
    expect(await alerts()).toEqual([
      { message: expect.stringContaining('12 where the slot holds 10. Check the planogram.') },
    ]);
    await push(ben, randomUUID(), [count(slotId, 7, { occurredAtClient: ago(5) })]);
    await push(ann, randomUUID(), [count(slotId, 12, { occurredAtClient: ago(4) })]);
    expect(await alerts()).toHaveLength(1);
    await settle((await conflictOf(slotId))?.id, 'first');
    expect(await alerts()).toEqual([]);
  });

  it('a count after both ends the difference', async () => {
    const slotId = await differing();
    const conflict = await conflictOf(slotId);
    await push(ann, phones.ann, [count(slotId, 7)]);
    expect(await conflictOf(slotId)).toBeUndefined();
    expect(await notice(ben, conflict?.id)).toMatchObject({ resolution: 'recounted', mineHolds: null });
  });

  const foreign = async () => {
    const other = await buildMachine(test.deps.db, { routeDesignation: '909' });
    const slotId = await slot({}, other.id);
    const event = count(slotId, 9, { occurredAtClient: ago(30) });
    const [result] = await push(ann, randomUUID(), [event]);
    expect(result?.status).toBe('rejected');
    return { slotId, event };
  };

  it('a refused count is seen with its reason and can be booked as of when it was made', async () => {
    const { slotId, event } = await foreign();
    expect(await heldOf(event.eventId)).toMatchObject({
      kind: 'count',
      quantity: 9,
      reason: expect.stringContaining('not on your route'),
    });
    // Counted by the office since: the older count stays history.
    const since = await manager.call('PUT', `/api/vending-machine-inventory/${slotId}`, {
      body: { currentQuantity: 4 },
    });
    expect(since.statusCode).toBe(200);
    expect((await decide(event.eventId, 'accept')).statusCode).toBe(200);
    expect(await shown(slotId)).toBe(4);
    expect(await heldOf(event.eventId)).toBeUndefined();
    expect((await notices(ann)).decided).toContainEqual({ eventId: event.eventId, resolution: 'accepted' });
    const [again] = await push(ann, randomUUID(), [event]);
    expect(again).toMatchObject({ status: 'duplicate', quantity: 4 });
    expect((await audited(event.eventId)).map((line) => line.action)).toEqual(['stock.accept-held']);
  });

  it('an accepted count is the author’s and moves the stock', async () => {
    const { slotId, event } = await foreign();
    await decide(event.eventId, 'accept');
    expect(await shown(slotId)).toBe(9);
    const movement = await firstRow<{ name: string }>(
      test.deps.db,
      sql`select u.first_name as name from stock_movements m join users u on u.id = m.actor_id where m.event_id = ${event.eventId}`,
    );
    expect(movement?.name).toBe('Ann');
  });

  it('of a count above what its slot holds both are said before it is accepted, and somebody is told to look after', async () => {
    const foreign = await buildMachine(test.deps.db, { routeDesignation: '202' });
    const slotId = await slot({ maxQuantity: 14 }, foreign.id);
    const sent = count(slotId, 9_999);
    await push(ann, randomUUID(), [sent]);
    expect(await heldOf(sent.eventId)).toMatchObject({ quantity: 9_999, capacity: 14 });
    expect((await decide(sent.eventId, 'accept')).statusCode).toBe(200);
    const alert = await firstRow<{ message: string }>(
      test.deps.db,
      sql`select message from vending_machine_alerts where slot_id = ${slotId} and alert_type = 'over_capacity'`,
    );
    expect(alert?.message).toContain('9999 where the slot holds 14. Check the planogram.');
  });

  it('a dismissed change leaves the list, says so to the phone, and can be put back', async () => {
    const { slotId, event } = await foreign();
    expect((await decide(event.eventId, 'dismiss')).statusCode).toBe(200);
    expect(await heldOf(event.eventId)).toBeUndefined();
    const leftOut = async () => (await review()).leftOut.rows.map((one: Held) => one.eventId);
    expect(await leftOut()).toContain(event.eventId);
    const [again] = await push(ann, randomUUID(), [event]);
    expect(again).toMatchObject({ status: 'rejected', reason: 'A manager looked at this change and left it out.' });
    expect((await decide(event.eventId, 'accept')).statusCode).toBe(409);
    expect((await decide(event.eventId, 'reopen')).statusCode).toBe(200);
    expect(await heldOf(event.eventId)).toBeDefined();
    expect(await leftOut()).not.toContain(event.eventId);
    expect(await shown(slotId)).toBe(0);
  });

  it('what nobody can book says why and stays', async () => {
    const unknown = count(999_999, 1);
    const odd = { eventId: randomUUID(), what: 'ever' };
    await push(ann, phones.ann, [unknown, odd]);
    const answers = [];
    for (const one of [unknown, odd]) answers.push((await decide(one.eventId, 'accept')).json().detail);
    expect(answers).toEqual([expect.stringContaining('not known'), expect.stringContaining('could not be read')]);
    expect(await heldOf(odd.eventId)).toMatchObject({ kind: 'unreadable', quantity: null });
    expect((await decide(randomUUID(), 'accept')).statusCode).toBe(404);
  });

  it('steps and visits of somebody else’s route can be booked as well', async () => {
    const { db } = test.deps;
    const other = await buildMachine(db, { routeDesignation: '909' });
    const route = await buildRoute(db, { date: ago(0).slice(0, 10), routeDesignation: '909' });
    const stop = await buildStop(db, route.id, { vendingMachineId: other.id, locationName: 'Lobby' });
    const base = { schemaVersion: 1, occurredAtClient: ago(5), lastServerTime: null };
    const done = { ...base, eventId: randomUUID(), deviceSeq: ++seq, type: 'stop-completed' };
    const visit = {
      ...{ ...base, eventId: randomUUID(), deviceSeq: ++seq, type: 'visit', visitId: randomUUID() },
      location: { type: 'vending_machine', id: other.id },
      ...{ routeId: null, stopId: null, openedAtClient: ago(25), closedAtClient: ago(5) },
      ...{ note: 'Key stuck', bagNumber: null, refunds: null, photoIds: [], position: null },
    };
    const results = await push(ann, phones.ann, [{ ...done, routeId: route.id, stopId: stop.id }, visit]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await heldOf(done.eventId)).toMatchObject({ kind: 'stop-completed', place: expect.any(String) });
    for (const one of [done, visit]) expect((await decide(one.eventId, 'accept')).statusCode).toBe(200);
    expect((await manager.call('GET', `/api/routes/${route.id}`)).json()).toMatchObject({ completedStops: 1 });
    const found = (await manager.call('GET', `/api/visits?type=vending_machine&id=${other.id}`)).json();
    expect(found.visits).toMatchObject([
      { note: 'Key stuck', minutes: 20, personName: expect.stringContaining('Ann') },
    ]);
  });

  it('drivers neither see nor decide; a choice must be one of the two', async () => {
    const { event } = await foreign();
    expect((await ann.call('GET', '/api/stock-review')).statusCode).toBe(403);
    expect((await decide(event.eventId, 'accept', ann)).statusCode).toBe(403);
    const conflict = await conflictOf(await differing());
    expect((await settle(conflict?.id, 'first', ann)).statusCode).toBe(403);
    expect((await settle(conflict?.id, 'third')).statusCode).toBe(400);
    expect((await settle(999_999, 'first')).statusCode).toBe(404);
    expect((await reopen(conflict?.id, ann)).statusCode).toBe(403);
    expect((await reopen(999_999)).statusCode).toBe(404);
  });
});
