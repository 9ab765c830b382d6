import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../../db/database.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../../testing/factories.ts';
import { oneOfEachRole, passSecond } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';
import { addReportedSlots, type ReportedSlot, saveImportedSlots } from '../service.ts';

const valid = { productName: 'Sea Salt Chips', slotNumber: 'A1', price: '2.5' };

onEachDatabase('Machine slots', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  const machine = () => buildMachine(t.deps.db, { routeDesignation: '101' });
  const create = (machineId: number, fields: object = {}) =>
    manager.call('POST', `/api/vending-machines/${machineId}/inventory`, { body: { ...valid, ...fields } });

  it('a created slot carries capacity, price as text and version; the machine counts its units', async () => {
    const { id } = await machine();
    const reply = await create(id, { currentQuantity: 4, cost: '1.1', category: '' });
    expect(reply.statusCode).toBe(201);
    expect(reply.json()).toMatchObject({
      price: '2.50',
      cost: '1.10',
      category: null,
      maxQuantity: 10,
      capacity: 10,
      currentQuantity: 4,
      version: 1,
    });
    const stock = (await worker.call('GET', `/api/vending-machine-inventory/${id}`)).json();
    expect(stock).toEqual([reply.json()]);
    expect((await worker.call('GET', `/api/vending-machines/${id}/inventory`)).json()).toEqual(stock);
    expect((await worker.call('GET', `/api/vending-machines/${id}`)).json().currentStock).toBe(4);
  });

  it('what may be left empty may be sent as empty text', async () => {
    const { id } = await machine();
    const empty = { productCode: '', cost: '', category: '', brand: '' };
    const reply = await create(id, empty);
    expect([reply.statusCode, reply.json()]).toMatchObject([
      201,
      { productCode: null, cost: null, category: null, brand: null },
    ]);
  });

  it('what may be left empty may be emptied in an edit as well', async () => {
    const slot = (await create((await machine()).id, { productCode: '7', cost: '1.10', category: 'Snacks' })).json();
    const emptied = { productCode: '', cost: '', category: '', brand: '' };
    const reply = await manager.call('PUT', `/api/vending-machine-inventory/${slot.id}`, { body: emptied });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      200,
      { productCode: null, cost: null, category: null, brand: null },
    ]);
  });

  it.each([
    [{ productName: '' }, 'productName', 'Product name is required'],
    [{ slotNumber: '' }, 'slotNumber', 'Slot number is required'],
    [{ price: '' }, 'price', 'Price is required'],
    [{ price: undefined }, 'price', 'Price is required'],
    [{ price: '2,50' }, 'price', 'Enter an amount such as 2.50'],
    [{ currentQuantity: -1 }, 'currentQuantity', 'Current quantity must be 0 or greater'],
    [{ currentQuantity: 11 }, 'currentQuantity', 'This slot holds at most 10.'],
    [{ maxQuantity: 0 }, 'maxQuantity', 'Max quantity must be at least 1'],
    [{ maxQuantity: 'ten' }, 'maxQuantity', 'Max quantity must be a whole number'],
    [{ maxQuantity: 10_001 }, 'maxQuantity', 'Max quantity is too large: at most 10,000'],
    [{ parQuantity: 0 }, 'parQuantity', 'Par must be at least 1'],
    [{ parQuantity: 11 }, 'parQuantity', 'This slot holds at most 10. Choose a par level up to that.'],
    [
      { minimumQuantity: 11 },
      'minimumQuantity',
      'A1 holds at most 10, so its minimum cannot be 11. Choose a minimum up to 10.',
    ],
  ])('a slot with %j is refused with a sentence', async (wrong, field, sentence) => {
    const reply = await create((await machine()).id, wrong);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ detail: sentence, fields: { [field]: sentence } });
  });

  it('a position holds one product', async () => {
    const { id } = await machine();
    await create(id);
    const second = await create(id);
    expect(second.statusCode).toBe(409);
    expect(second.json().detail).toBe('This machine already has a product in this slot. Choose another slot number.');
  });

  it('a number of other capitals is the same number, by a new slot and by an edit', async () => {
    const { id } = await machine();
    const first = (await create(id, { slotNumber: 'A1' })).json();
    const refusal = {
      status: 409,
      fields: {
        slotNumber: 'This machine has slot A1 already, and a1 is the same number. Choose another slot number.',
      },
    };
    expect((await create(id, { slotNumber: 'a1' })).json()).toMatchObject(refusal);
    const other = (await create(id, { slotNumber: 'b1' })).json();
    const put = async (slot: { id: number }, body: object) =>
      (await manager.call('PUT', `/api/vending-machine-inventory/${slot.id}`, { body })).json();
    expect(await put(other, { slotNumber: 'a1' })).toMatchObject(refusal);
    expect(await put(first, { slotNumber: 'a1' })).toMatchObject({ slotNumber: 'a1' });
    expect((await create((await machine()).id, { slotNumber: 'A1' })).statusCode).toBe(201);
  });

  it('a number of other capitals is the same number also by a partner and a file, at the same time as by a person', async () => {
    const { id: machineId } = await machine();
    await create(machineId, { slotNumber: 'A1' });
    const told = (slotNumber: string): ReportedSlot => ({
      ...{ machineId, slotNumber, productName: 'Gum', productCode: null, normalCode: null, price: '1.00', quantity: 1 },
      ...{ cost: null, category: null, brand: null, maxQuantity: null, parQuantity: null, minimumQuantity: null },
    });
    const { db, clock } = t.deps;
    const add = (slotNumber: string) => db.transaction((tx) => addReportedSlots(tx, [told(slotNumber)], clock.now()));
    expect(await add('a1')).toBe(0);
    const meanwhile: Promise<{ statusCode: number }>[] = [];
    await db.transaction(async (tx) => {
      await addReportedSlots(tx, [told('b1')], clock.now());
      await saveImportedSlots(tx, [told('c1')], clock.now());
      meanwhile.push(create(machineId, { slotNumber: 'B1' }), create(machineId, { slotNumber: 'C1' }));
      await new Promise((pass) => setTimeout(pass, 300));
    });
    expect((await Promise.all(meanwhile)).map(({ statusCode }) => statusCode)).toEqual([409, 409]);
  });

  it('two slots of one number from before go on, each with its own', async () => {
    const { id } = await machine();
    const first = await buildSlot(t.deps.db, id, { slotNumber: 'A1' });
    await buildSlot(t.deps.db, id, { slotNumber: 'a1' });
    const url = `/api/vending-machine-inventory/${first.id}`;
    for (const body of [{ slotNumber: 'A1', price: '3.10' }, { currentQuantity: 2 }, { slotNumber: 'A9' }])
      expect((await manager.call('PUT', url, { body })).json()).toMatchObject(body);
  });

  it('slots stand in the order of their numbers', async () => {
    const { id } = await machine();
    for (const slotNumber of ['A10', 'B1', 'A2', '7']) await create(id, { slotNumber });
    const list = (await manager.call('GET', `/api/vending-machine-inventory/${id}`)).json();
    expect(list.map((slot: { slotNumber: string }) => slot.slotNumber)).toEqual(['7', 'A2', 'A10', 'B1']);
  });

  it('a count changes slot and machine, up to the capacity and not below zero', async () => {
    const { id } = await machine();
    const slot = (await create(id, { maxQuantity: 8 })).json();
    const url = `/api/vending-machine-inventory/${slot.id}`;
    const headers = { 'idempotency-key': randomUUID() };
    passSecond(t);
    const reply = await worker.call('PUT', url, { body: { currentQuantity: 8 }, headers });
    expect(reply.json()).toMatchObject({ currentQuantity: 8, capacity: 8, eventId: headers['idempotency-key'] });
    const over = await worker.call('PUT', url, { body: { currentQuantity: 9 } });
    expect(over.json()).toMatchObject({ status: 400, detail: 'This slot holds at most 8.' });
    expect((await worker.call('PUT', url, { body: { currentQuantity: -1 } })).statusCode).toBe(400);
    expect((await worker.call('GET', `/api/vending-machines/${id}`)).json().currentStock).toBe(8);
  });

  it('another product in a slot leaves nothing behind that was known of the one before', async () => {
    const known = { productCode: '473100201118', brand: 'Larkmoor', category: 'Chips', cost: '0.84' };
    const slot = (await create((await machine()).id, { ...known, productName: 'Larkmoor Chips' })).json();
    const put = async (body: object) =>
      (await manager.call('PUT', `/api/vending-machine-inventory/${slot.id}`, { body })).json();
    expect(await put({ productName: 'LARKMOOR chips' })).toMatchObject(known);
    const nothing = { productCode: null, brand: null, category: null, cost: null, expirationDate: null };
    expect(await put({ productName: 'Corn Puffs' })).toMatchObject({ ...nothing, price: '2.50' });
    const told = { productCode: '5901234123457', category: 'Snacks' };
    expect(await put({ productName: 'Oat Bar', ...told })).toMatchObject({ ...nothing, ...told });
    // A form that sends the code it had read does not mean it for the next product.
    expect(await put({ productName: 'Nut Bar', ...told })).toMatchObject({ productCode: null, category: 'Snacks' });
  });

  it('a count sent twice with one Idempotency-Key is one ledger row, without a key two', async () => {
    const { id } = await machine();
    const slot = (await create(id, { maxQuantity: 8 })).json();
    const url = `/api/vending-machine-inventory/${slot.id}`;
    const rowsOf = () =>
      rows(t.deps.db, sql`select 1 from stock_movements where item_type = 'machine_slot' and item_id = ${slot.id}`);
    const before = (await rowsOf()).length;
    const headers = { 'idempotency-key': randomUUID() };
    passSecond(t);
    const first = await worker.call('PUT', url, { body: { currentQuantity: 6 }, headers });
    const again = await worker.call('PUT', url, { body: { currentQuantity: 6 }, headers });
    expect(again.json()).toEqual(first.json());
    expect(await rowsOf()).toHaveLength(before + 1);
    expect((await worker.call('PUT', url, { body: { currentQuantity: 5 }, headers })).statusCode).toBe(409);
    passSecond(t);
    await worker.call('PUT', url, { body: { currentQuantity: 6 } });
    await worker.call('PUT', url, { body: { currentQuantity: 6 } });
    expect(await rowsOf()).toHaveLength(before + 3);
  });

  it('counts of many slots at the same time all reach the sum of the machine', async () => {
    const { id } = await machine();
    const slots = [];
    for (let n = 1; n <= 8; n++) slots.push((await create(id, { slotNumber: `C${n}` })).json());
    passSecond(t);
    const count = (slot: { id: number }) =>
      worker.call('PUT', `/api/vending-machine-inventory/${slot.id}`, { body: { currentQuantity: 3 } });
    await Promise.all(slots.map(count));
    expect((await worker.call('GET', `/api/vending-machines/${id}`)).json()).toMatchObject({
      currentStock: 24,
      emptySlots: 0,
    });
  });

  it('a slot counted to zero raises one alert, and filling it resolves that', async () => {
    const { id } = await machine();
    const slot = (await create(id, { slotNumber: 'A3', currentQuantity: 5 })).json();
    const count = (currentQuantity: number) => {
      passSecond(t);
      return worker.call('PUT', `/api/vending-machine-inventory/${slot.id}`, { body: { currentQuantity } });
    };
    const messages = async () =>
      (await worker.call('GET', '/api/vending-machine-alerts'))
        .json()
        .filter((alert: { machineId: number }) => alert.machineId === id)
        .map((alert: { message: string }) => alert.message);
    await count(0);
    await count(0);
    expect(await messages()).toEqual(['A3 Sea Salt Chips is sold out']);
    await count(5);
    expect(await messages()).toEqual([]);
  });

  it('par and minimum are office data: a manager changes them, a worker does not', async () => {
    const { id } = await machine();
    const slot = (await create(id)).json();
    const url = `/api/vending-machine-inventory/${slot.id}`;
    expect((await worker.call('PUT', url, { body: { parQuantity: 8 } })).statusCode).toBe(403);
    const reply = await manager.call('PUT', url, { body: { parQuantity: 8, minimumQuantity: 2 } });
    expect(reply.json()).toMatchObject({ parQuantity: 8, minimumQuantity: 2, eventId: null });
    const stale = { body: { parQuantity: 9 }, headers: { 'if-match': String(slot.version) } };
    expect((await manager.call('PUT', url, stale)).statusCode).toBe(409);
  });

  it('too many are refused at the number that was changed: the count, or what the slot is said to hold', async () => {
    const slot = (await create((await machine()).id, { currentQuantity: 9 })).json();
    const url = `/api/vending-machine-inventory/${slot.id}`;
    const less = 'There are 9 in this slot. Choose a max quantity of at least 9.';
    for (const [body, field, sentence] of [
      [{ maxQuantity: 8 }, 'maxQuantity', less],
      [{ maxQuantity: 8, currentQuantity: 9 }, 'maxQuantity', less],
      [{ maxQuantity: 10, currentQuantity: 11 }, 'currentQuantity', 'This slot holds at most 10.'],
    ] as const) {
      const refusal = { status: 400, detail: sentence, fields: { [field]: sentence } };
      expect((await manager.call('PUT', url, { body })).json()).toMatchObject(refusal);
    }
  });

  it('an edit makes no minimum higher than what the slot holds, be it the minimum or the capacity that is changed', async () => {
    const slot = (await create((await machine()).id, { minimumQuantity: 6, currentQuantity: 2 })).json();
    const url = `/api/vending-machine-inventory/${slot.id}`;
    for (const [body, capacity, minimum] of [
      [{ minimumQuantity: 11 }, 10, 11],
      [{ maxQuantity: 5 }, 5, 6],
      [{ maxQuantity: 8, minimumQuantity: 9 }, 8, 9],
    ] as const) {
      const sentence = `A1 holds at most ${capacity}, so its minimum cannot be ${minimum}. Choose a minimum up to ${capacity}.`;
      const refusal = { status: 400, detail: sentence, fields: { minimumQuantity: sentence } };
      expect((await manager.call('PUT', url, { body })).json()).toMatchObject(refusal);
    }
    const both = { maxQuantity: 5, minimumQuantity: 5 };
    expect((await manager.call('PUT', url, { body: both })).json()).toMatchObject(both);
  });

  it('a slot from before whose minimum is above what it holds is read, counted and edited in all else', async () => {
    const { id } = await machine();
    const { id: slotId } = await buildSlot(t.deps.db, id, { slotNumber: 'A1', maxQuantity: 10, minimumQuantity: 12 });
    const url = `/api/vending-machine-inventory/${slotId}`;
    const levels = { maxQuantity: 10, minimumQuantity: 12 };
    expect((await manager.call('GET', `/api/vending-machine-inventory/${id}`)).json()).toMatchObject([levels]);
    for (const body of [{ price: '3.10' }, { ...levels, price: '3.20' }, { currentQuantity: 2 }])
      expect((await manager.call('PUT', url, { body })).json()).toMatchObject({ ...levels, ...body });
    expect((await manager.call('PUT', url, { body: { minimumQuantity: 11 } })).statusCode).toBe(400);
    expect((await manager.call('PUT', url, { body: { minimumQuantity: 10 } })).statusCode).toBe(200);
  });

  it('slots of another route are out of reach for a worker, who creates none', async () => {
    const other = await buildMachine(t.deps.db, { routeDesignation: '202' });
    const slot = (await create(other.id, { productName: 'Foreign' })).json();
    const url = `/api/vending-machine-inventory/${slot.id}`;
    expect((await worker.call('PUT', url, { body: { currentQuantity: 1 } })).statusCode).toBe(404);
    expect((await worker.call('GET', `/api/vending-machine-inventory/${other.id}`)).statusCode).toBe(404);
    expect((await worker.call('GET', '/api/vending-inventory')).body).not.toContain('Foreign');
    expect((await manager.call('GET', '/api/vending-inventory')).body).toContain('Foreign');
    const own = await machine();
    const refused = await worker.call('POST', `/api/vending-machines/${own.id}/inventory`, { body: valid });
    expect(refused.statusCode).toBe(403);
    expect((await create(999_999)).statusCode).toBe(404);
  });

  it('what stands in a slot can be changed by the office, with its version and within its capacity', async () => {
    const { id } = await machine();
    const slot = (await create(id, { currentQuantity: 6 })).json();
    const url = `/api/vending-machine-inventory/${slot.id}`;
    const body = { productName: 'Oat Bar', slotNumber: 'C4', price: '3', maxQuantity: 8, expirationDate: '2026-05-01' };
    const headers = { 'if-match': `"${slot.version}"` };
    const edited = await manager.call('PUT', url, { body, headers });
    expect(edited.json()).toMatchObject({ ...body, price: '3.00', currentQuantity: 6, version: slot.version + 1 });
    expect((await manager.call('PUT', url, { body, headers })).statusCode).toBe(409);
    const small = await manager.call('PUT', url, { body: { maxQuantity: 5 } });
    expect(small.json().fields).toEqual({
      maxQuantity: 'There are 6 in this slot. Choose a max quantity of at least 6.',
    });
    expect((await worker.call('PUT', url, { body: { price: '1' } })).statusCode).toBe(403);
  });

  it('sent back whole with another price, a slot is not counted; with another quantity it is', async () => {
    const made = (await create((await machine()).id, { currentQuantity: 4 })).json();
    const url = `/api/vending-machine-inventory/${made.id}`;
    passSecond(t);
    const priced = await manager.call('PUT', url, { body: { ...made, price: '3.00' } });
    expect(priced.json()).toMatchObject({ price: '3.00', eventId: null, lastRestocked: made.lastRestocked });
    const { eventId: _, ...whole } = priced.json();
    const counted = await manager.call('PUT', url, { body: { ...whole, price: '3.50', currentQuantity: 5 } });
    expect(counted.json()).toMatchObject({ price: '3.50', currentQuantity: 5, eventId: expect.any(String) });
    expect(counted.json().lastRestocked).not.toBe(made.lastRestocked);
    const { eventId: __, ...newest } = counted.json();
    const noted = await manager.call('PUT', url, { body: { ...newest, price: '3.60', note: 'Counted twice' } });
    expect(noted.json().eventId).not.toBeNull();
  });

  it('a note without a count is refused, not taken and lost', async () => {
    const slot = (await create((await machine()).id)).json();
    const url = `/api/vending-machine-inventory/${slot.id}`;
    const reply = await manager.call('PUT', url, { body: { price: '2.00', note: 'Spiral bent' } });
    const sentence = 'This is kept with a count: send currentQuantity too';
    expect(reply.json()).toMatchObject({ status: 400, detail: sentence, fields: { note: sentence } });
  });

  it('a product taken out is gone with its alert, and its position is free again', async () => {
    const { id } = await machine();
    const slot = (await create(id, { currentQuantity: 2 })).json();
    const url = `/api/vending-machine-inventory/${slot.id}`;
    await manager.call('PUT', url, { body: { currentQuantity: 0 } });
    expect((await worker.call('DELETE', url)).statusCode).toBe(403);
    expect((await manager.call('DELETE', url)).json()).toEqual({ id: slot.id });
    expect((await manager.call('DELETE', url)).statusCode).toBe(404);
    expect((await manager.call('GET', `/api/vending-machine-inventory/${id}`)).json()).toEqual([]);
    const alerts = (await manager.call('GET', '/api/vending-machine-alerts')).json();
    expect(alerts.filter((alert: { machineId: number }) => alert.machineId === id)).toEqual([]);
    expect((await create(id)).statusCode).toBe(201);
  });
});
