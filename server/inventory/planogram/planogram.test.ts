import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MachinePlanogram, Slot } from '../../../contract/machines.ts';
import { placedOf, withMove, withTemplate } from '../../../domain/planogram-change.ts';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../../testing/factories.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';
import type { LedgerEvent } from '../ledger.ts';
import { recordEvents } from '../service.ts';

onEachDatabase('Planograms', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  const urlOf = (id: number): string => `/api/vending-machines/${id}/planogram`;
  const read = async (id: number): Promise<MachinePlanogram> => (await manager.call('GET', urlOf(id))).json();
  const save = (id: number, body: unknown, person = manager) => person.call('PUT', urlOf(id), { body });
  const machineWith = async (slots: object[], fields: object = {}): Promise<number> => {
    const { id } = await buildMachine(t.deps.db, { routeDesignation: '101', ...fields });
    for (const slot of slots) {
      const body = { price: '1.50', currentQuantity: 4, ...slot };
      expect((await manager.call('POST', `/api/vending-machines/${id}/inventory`, { body })).statusCode).toBe(201);
    }
    return id;
  };
  const chips = { slotNumber: 'A1', productName: 'Chips' };
  const cola = { slotNumber: 'A2', productName: 'Cola' };
  const front = ({ slots }: { slots: Slot[] }): string[] =>
    slots.map((slot) => `${slot.slotNumber} ${slot.productName} ${slot.currentQuantity}`);

  it('two slots change places with their units in one call, and the version rises', async () => {
    const id = await machineWith([chips, { ...cola, currentQuantity: 7 }]);
    const before = await read(id);
    const slots = withMove(before.slots.map(placedOf), 'A1', 'A2');
    const after = await save(id, { version: before.version, slots });
    expect(after.statusCode).toBe(200);
    expect(front(after.json())).toEqual(['A1 Cola 7', 'A2 Chips 4']);
    expect(after.json().version).toBe(before.version + 1);
    expect((await worker.call('GET', urlOf(id))).json()).toEqual(after.json());
  });

  it('a planogram saved on an older state is refused and changes nothing', async () => {
    const id = await machineWith([chips, cola]);
    const { version, slots } = await read(id);
    const wanted = slots.map(placedOf);
    expect((await save(id, { version, slots: withMove(wanted, 'A1', 'B1') })).statusCode).toBe(200);
    const second = await save(id, { version, slots: withMove(wanted, 'A2', 'B2') });
    expect(second.json()).toMatchObject({ status: 409, detail: expect.stringContaining('changed by someone else') });
    expect(front(await read(id))).toEqual(['A2 Cola 4', 'B1 Chips 4']);
  });

  it('a slot left out goes, one without an id is new, and the id of one that went brings it back with its units', async () => {
    const id = await machineWith([chips, cola]);
    const before = await read(id);
    const [first] = before.slots.map(placedOf);
    const water = { slotNumber: 'C1', productName: 'Water', price: '1.00', maxQuantity: 8, minimumQuantity: 1 };
    const after = (await save(id, { version: before.version, slots: [first, water] })).json();
    expect(front(after)).toEqual(['A1 Chips 4', 'C1 Water 0']);
    const undone = (await save(id, { version: after.version, slots: before.slots.map(placedOf) })).json();
    expect(front(undone)).toEqual(front(before));
    expect(undone.slots.map((slot: Slot) => slot.id)).toEqual(before.slots.map((slot) => slot.id));
  });

  it.each([
    ['a position named twice', (slot: object) => [slot, { ...slot, id: undefined }], 'Slot A1 is there twice'],
    [
      'a position named in other capitals',
      (slot: object) => [slot, { ...slot, id: undefined, slotNumber: 'a1' }],
      'This machine has slot A1 already, and a1 is the same number.',
    ],
    [
      'a par above the capacity',
      (slot: object) => [{ ...slot, parQuantity: 11 }],
      'Par cannot exceed the slot capacity',
    ],
    [
      'a minimum above the capacity',
      (slot: object) => [{ ...slot, minimumQuantity: 11 }],
      'A1 holds at most 10, so its minimum cannot be 11.',
    ],
    [
      'a new slot with a minimum above its capacity',
      (slot: object) => [slot, { ...slot, id: undefined, slotNumber: 'A2', maxQuantity: 4, minimumQuantity: 5 }],
      'A2 holds at most 4, so its minimum cannot be 5.',
    ],
    ['a capacity below what is there', (slot: object) => [{ ...slot, maxQuantity: 3 }], 'There are 4 in A1.'],
    ['a slot of another machine', (slot: object) => [{ ...slot, id: 999_999 }], 'is of another machine'],
  ])('%s is refused with a sentence', async (_, wanted, sentence) => {
    const id = await machineWith([chips]);
    const { version, slots } = await read(id);
    const [slot] = slots.map(placedOf);
    const reply = await save(id, { version, slots: wanted(slot ?? {}) });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().detail).toContain(sentence);
    expect(front(await read(id))).toEqual(['A1 Chips 4']);
  });

  it('a slot from before whose minimum is above its capacity moves, goes and comes back like any other', async () => {
    const id = await machineWith([chips]);
    await buildSlot(t.deps.db, id, { slotNumber: 'A2', productName: 'Gum', maxQuantity: 10, minimumQuantity: 12 });
    const { version, slots } = await read(id);
    const wanted = slots.map(placedOf);
    const moved = await save(id, { version, slots: withMove(wanted, 'A1', 'A2') });
    expect(front(moved.json())).toEqual(['A1 Gum 0', 'A2 Chips 4']);
    const [, stays] = wanted;
    const alone = { version: version + 1, slots: wanted.filter((slot) => slot !== stays) };
    expect(front((await save(id, alone)).json())).toEqual(['A1 Chips 4']);
    expect(front((await save(id, { version: version + 2, slots: wanted })).json())).toEqual(['A1 Chips 4', 'A2 Gum 0']);
  });

  it('two numbers that differ in their capitals alone stay where a machine has both', async () => {
    const id = await machineWith([chips, cola]);
    await buildSlot(t.deps.db, id, { slotNumber: 'a1', productName: 'Gum', currentQuantity: 4 });
    const { version, slots } = await read(id);
    const after = await save(id, { version, slots: withMove(slots.map(placedOf), 'A1', 'A2') });
    expect([after.statusCode, front(after.json()).toSorted()]).toEqual([200, ['A1 Cola 4', 'A2 Chips 4', 'a1 Gum 4']]);
  });

  it('a template of a model laid over another machine keeps units and plans other products for the next filling', async () => {
    const model = 'Combo 34';
    const from = await machineWith([{ ...chips, price: '2.00' }, cola], { model });
    const kept = (await manager.call('PUT', `${urlOf(from)}/template`)).json();
    expect(kept.template).toMatchObject({ model, savedBy: 'Mary Manager' });
    const to = await machineWith(
      [
        { ...chips, productName: 'Nuts' },
        { slotNumber: 'B9', productName: 'Gum' },
      ],
      {
        model: 'COMBO 34',
      },
    );
    const present = await read(to);
    const wanted = withTemplate(present.slots, present.template?.slots ?? []);
    const after = (await save(to, { version: present.version, slots: wanted })).json();
    expect(front(after)).toEqual(['A1 Nuts 4', 'A2 Cola 0']);
    expect(after.slots[0].planned).toMatchObject({ productName: 'Chips', price: '2.00' });
  });

  it('a machine without a model has no template to keep', async () => {
    const reply = await manager.call('PUT', `${urlOf(await machineWith([chips]))}/template`);
    expect(reply.json()).toMatchObject({ status: 400, detail: expect.stringContaining('Set its model first') });
  });

  it('a worker reads planograms of the own route only and saves none', async () => {
    const id = await machineWith([chips]);
    const { version, slots } = await read(id);
    expect((await save(id, { version, slots: slots.map(placedOf) }, worker)).statusCode).toBe(403);
    expect((await worker.call('PUT', `${urlOf(id)}/template`)).statusCode).toBe(403);
    const other = await machineWith([chips], { routeDesignation: '202' });
    expect((await worker.call('GET', urlOf(other))).statusCode).toBe(404);
  });

  type What = Pick<LedgerEvent, 'itemId' | 'kind' | 'quantity' | 'reason'>;

  /** A driver's movement, so many minutes from now. */
  const happened = (what: What, minutes: number): LedgerEvent => {
    const at = new Date(t.deps.clock.now().getTime() + minutes * 60_000);
    return {
      ...what,
      itemType: 'machine_slot',
      eventId: randomUUID(),
      effectiveAtUs: at.getTime() * 1000,
      receivedAt: at.toISOString(),
      source: 'field',
      payloadHash: String(minutes),
      shown: null,
      note: null,
      photoIds: [],
      actorId: null,
      deviceId: null,
      deviceSeq: null,
      occurredAtClient: null,
      latitude: null,
      longitude: null,
    };
  };

  it('what is filled in is dated by its shelf life; units that were left keep their earlier date', async () => {
    const yogurt = { name: 'Yogurt', shelfLifeDays: 10 };
    expect((await manager.call('POST', '/api/products', { body: yogurt })).statusCode).toBe(201);
    const id = await machineWith([{ slotNumber: 'A1', productName: 'Yogurt', currentQuantity: 0 }, cola]);
    const dates = async () => (await read(id)).slots.map((slot) => slot.expirationDate);
    const [slot, other] = (await read(id)).slots;
    const count = (currentQuantity: number, reason: string, of = slot) => {
      // Counts of one instant have no order that means anything.
      t.setNow(new Date(t.deps.clock.now().getTime() + 60_000));
      return manager.call('PUT', `/api/vending-machine-inventory/${of?.id}`, { body: { currentQuantity, reason } });
    };
    await count(3, 'manual_count');
    expect(await dates()).toEqual([null, null]);
    await count(0, 'manual_count');
    await count(8, 'full_restock');
    await count(8, 'full_restock', other);
    expect(await dates()).toEqual(['2026-03-22', null]);
    await manager.call('PUT', `/api/vending-machine-inventory/${slot?.id}`, {
      body: { expirationDate: '2026-03-15' },
    });
    await count(10, 'full_restock');
    expect(await dates()).toEqual(['2026-03-15', null]);
    await count(0, 'manual_count');
    await count(6, 'full_restock');
    expect(await dates()).toEqual(['2026-03-22', null]);
    const dated = { expirationDate: '2026-03-01' };
    for (const one of [slot, other]) {
      await manager.call('PUT', `/api/vending-machine-inventory/${one?.id}`, { body: dated });
    }
    // One save of a driver: what had gone by comes out, new units go in. The second takes out only a part.
    const save = (itemId: number, out: number) => [
      happened({ itemId, kind: 'spoilage', quantity: -out, reason: 'expired' }, 1),
      happened({ itemId, kind: 'restock', quantity: 8, reason: 'fill' }, 2),
    ];
    await recordEvents(t.deps.db, save(slot?.id ?? 0, 5), '2026-03-12');
    expect(await dates()).toEqual(['2026-03-01', '2026-03-01']);
    await recordEvents(t.deps.db, save(slot?.id ?? 0, 9), '2026-03-12');
    expect(await dates()).toEqual(['2026-03-22', '2026-03-01']);
    await recordEvents(t.deps.db, save(other?.id ?? 0, 8), '2026-03-12');
    expect(await dates()).toEqual(['2026-03-22', null]);
  });

  it('a planned product stands in its slot from the next filling on, not from a count or an earlier one', async () => {
    const id = await machineWith([chips]);
    const { version, slots } = await read(id);
    const [slot] = slots.map(placedOf);
    const planned = { productName: 'Water', price: '1.00', parQuantity: 6 };
    expect((await save(id, { version, slots: [{ ...slot, planned }] })).statusCode).toBe(200);
    const happen = (reason: string, minutes: number): Promise<unknown> => {
      const event = happened({ itemId: slot?.id ?? 0, kind: 'count', quantity: 9, reason }, minutes);
      return recordEvents(t.deps.db, [event], '2026-03-12');
    };
    await happen('fill', -5);
    await happen('manual_count', 5);
    expect(front(await read(id))).toEqual(['A1 Chips 9']);
    await happen('fill', 10);
    const after = await read(id);
    expect(front(after)).toEqual(['A1 Water 9']);
    expect(after.slots[0]).toMatchObject({ price: '1.00', parQuantity: 6, planned: null });
  });
});
