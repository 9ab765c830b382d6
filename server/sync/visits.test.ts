import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildSlot, buildUser } from '../testing/factories.ts';
import type { Person } from '../testing/test-app.ts';

import { type Fields, fieldPhone } from './testing/field-phone.ts';

onEachDatabase('visits and their photos', (open) => {
  const phone = fieldPhone(open);
  const { ago, dayOf, event, push } = phone;

  const visit = (fields: Fields = {}) =>
    event({
      type: 'visit',
      visitId: randomUUID(),
      location: { type: 'vending_machine', id: phone.machineId },
      routeId: null,
      stopId: null,
      openedAtClient: ago(30),
      closedAtClient: ago(18),
      note: 'Door sticks',
      bagNumber: 'B-104',
      refunds: '1.50',
      photoIds: [],
      position: { latitude: 40.71239, longitude: -74.00611 },
      ...fields,
    });
  const visitsOf = async (who: Person) =>
    (await who.call('GET', `/api/visits?type=vending_machine&id=${phone.machineId}`)).json();

  it('a visit is kept with its counts as five numbers, its minutes, and the place to about 100 m', async () => {
    const slot = await buildSlot(phone.test.deps.db, phone.machineId, { maxQuantity: 20 });
    const kept = visit();
    const stock = (fields: Fields) =>
      event({ itemType: 'machine_slot', itemId: slot.id, shown: 4, visitId: kept.visitId, reason: 'fill', ...fields });
    const results = await push(phone.driver, [
      stock({ kind: 'count', quantity: 3, reason: 'manual_count', occurredAtClient: ago(28) }),
      stock({ kind: 'spoilage', quantity: -1, reason: 'expired', occurredAtClient: ago(27) }),
      stock({ kind: 'restock', quantity: 8, occurredAtClient: ago(26) }),
      kept,
    ]);
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied', 'applied', 'applied']);
    const { visits } = await visitsOf(phone.driver);
    const found = visits.find((one: { id: string }) => one.id === kept.visitId);
    expect(found).toMatchObject({
      note: 'Door sticks',
      bagNumber: 'B-104',
      refunds: '1.50',
      minutes: 12,
      latitude: '40.712',
    });
    expect(found.lines).toMatchObject([
      { beginning: 3, adds: 8, spoiled: 1, spoiledBy: { expired: 1 }, ending: 10, reasons: ['manual_count'] },
    ]);
  });

  it('what was counted keeps the name of the product of that hour, and a filling that of the planned one', async () => {
    const { db } = phone.test.deps;
    const machine = await buildMachine(db, { routeDesignation: '101' });
    const product = async (name: string): Promise<number> => {
      const body = { name, category: 'Snacks', unitPrice: '1.00' };
      const reply = await phone.manager.call('POST', '/api/products', { body });
      expect(reply.statusCode, reply.body).toBeLessThan(300);
      return reply.json().id;
    };
    const [cola, tea] = [await product('Hour Cola'), await product('Hour Tea')];
    const named = { productId: cola, productName: 'Hour Cola', currentQuantity: 4 };
    const replaced = await buildSlot(db, machine.id, { ...named, slotNumber: 'A1' });
    const planned = { productName: 'Hour Tea', price: '1.00' };
    const awaited = await buildSlot(db, machine.id, {
      ...{ ...named, slotNumber: 'A2', planned },
      plannedAt: new Date(ago(60)),
    });
    const location = { type: 'vending_machine', id: machine.id };
    const at = visit({ location });
    const stock = (itemId: number, fields: Fields) =>
      event({
        ...{ itemType: 'machine_slot', itemId, productId: cola, shown: 4, visitId: at.visitId, location },
        ...{ occurredAtClient: ago(20), ...fields },
      });
    const events = [
      stock(replaced.id, { kind: 'count', quantity: 3, reason: 'manual_count' }),
      stock(awaited.id, { kind: 'removal', quantity: -4, reason: 'other' }),
      stock(awaited.id, { kind: 'restock', quantity: 6, reason: 'fill' }),
    ];
    const results = await push(phone.driver, [...events, at], randomUUID());
    expect(results.map(({ status }) => status)).toEqual(events.map(() => 'applied').concat('applied'));
    await db.execute(
      sql`update vending_machine_inventory set product_id = ${tea}, product_name = 'Hour Tea' where id = ${replaced.id}`,
    );
    const date = await dayOf(events[0]);
    const work = (await phone.driver.call('GET', `/api/day-work?date=${date}`)).json();
    const names = new Map(
      work.movements.map((one: { eventId: string; productName: string }) => [one.eventId, one.productName]),
    );
    expect(events.map(({ eventId }) => names.get(String(eventId)))).toEqual(['Hour Cola', 'Hour Cola', 'Hour Tea']);
    const shown = (await phone.driver.call('GET', `/api/visits?type=vending_machine&id=${machine.id}`)).json();
    expect(shown.visits[0].lines).toMatchObject([
      { slotNumber: 'A1', productName: 'Hour Cola' },
      { slotNumber: 'A2', productName: 'Hour Tea', removed: 4, adds: 6 },
    ]);
  });

  it('a later state of a visit replaces an older one, never the other way round', async () => {
    const first = visit({ note: 'first' });
    const second = visit({ visitId: first.visitId, note: 'second' });
    await push(phone.driver, [second]);
    await push(phone.driver, [first]);
    const { visits } = await visitsOf(phone.driver);
    expect(visits.find((one: { id: string }) => one.id === first.visitId)).toMatchObject({ note: 'second' });
  });

  it("the visits of another route's location are nobody else's business", async () => {
    const stranger = await phone.test.as((await buildUser(phone.test.deps.db, { routeDesignation: '505' })).id);
    const query = `/api/visits?type=vending_machine&id=${phone.machineId}`;
    expect((await stranger.call('GET', query)).statusCode).toBe(404);
    const [refused] = await push(stranger, [visit()], randomUUID());
    expect(refused?.status).toBe('rejected');
  });

  let shade = 0;
  const photo = async () =>
    sharp({ create: { width: 2400, height: 1200, channels: 3, background: { r: shade++ % 255, g: 80, b: 40 } } })
      .withExif({ IFD3: { GPSLatitude: '40/1 42/1 0/1' } })
      .jpeg()
      .toBuffer();
  const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
  const put = (who: Person, hash: string, bytes: Buffer, type = 'image/jpeg') =>
    phone.test.app.inject({
      method: 'PUT',
      url: `/api/photos/${hash}`,
      headers: { cookie: who.cookie, 'content-type': type },
      payload: bytes,
    });

  it('a photo is drawn anew within 1600 px, without what hides in the file, and is shown with its visit', async () => {
    const bytes = await photo();
    const hash = hashOf(bytes);
    const missing = async () =>
      (await phone.driver.call('POST', '/api/photos/missing', { body: { hashes: [hash] } })).json().missing;
    expect(await missing()).toEqual([hash]);
    expect((await put(phone.driver, hash, bytes)).statusCode).toBe(204);
    expect((await put(phone.driver, hash, bytes)).statusCode).toBe(204);
    expect(await missing()).toEqual([]);
    await push(phone.driver, [visit({ photoIds: [hash] })]);
    const shown = await phone.test.app.inject({
      method: 'GET',
      url: `/api/photos/${hash}`,
      headers: { cookie: phone.manager.cookie },
    });
    const { width, height, exif } = await sharp(shown.rawPayload).metadata();
    expect([width, height, exif]).toEqual([1600, 800, undefined]);
  });

  it('what is no picture, too large or damaged on the way is refused with a sentence', async () => {
    const pdf = Buffer.from('%PDF-1.7 not a picture at all');
    const asPicture = await put(phone.driver, hashOf(pdf), pdf);
    expect([asPicture.statusCode, asPicture.json().detail]).toEqual([400, expect.stringContaining('not a picture')]);
    const huge = Buffer.alloc(8_000_001);
    const tooLarge = await put(phone.driver, hashOf(huge), huge);
    expect([tooLarge.statusCode, tooLarge.json().detail]).toEqual([413, expect.stringContaining('at most 8 MB')]);
    const bytes = await photo();
    expect((await put(phone.driver, hashOf(pdf), bytes)).json().detail).toContain('arrived damaged');
  });

  it('another driver does not see a photo of a location that is not theirs', async () => {
    const bytes = await photo();
    const hash = hashOf(bytes);
    await put(phone.driver, hash, bytes);
    await push(phone.driver, [visit({ photoIds: [hash] })]);
    const stranger = await phone.test.as((await buildUser(phone.test.deps.db, { routeDesignation: '505' })).id);
    const seen = (who: Person) =>
      phone.test.app.inject({ method: 'GET', url: `/api/photos/${hash}`, headers: { cookie: who.cookie } });
    expect((await seen(stranger)).statusCode).toBe(404);
    expect((await seen(phone.driver)).statusCode).toBe(200);
  });
});
