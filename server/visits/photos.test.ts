import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { photoDays } from '../../domain/field-event.ts';
import { firstRow } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { purgeVisits } from './service.ts';

const dayMs = 24 * 3_600_000;

onEachDatabase('photos of visits', (open) => {
  let test: TestApp;
  let driver: Person;
  beforeAll(async () => {
    test = await testApp(open);
    driver = await test.as((await buildUser(test.deps.db)).id);
  });
  afterAll(() => test.close());

  const put = (bytes: Buffer, hash = createHash('sha256').update(bytes).digest('hex')) =>
    test.app.inject({
      method: 'PUT',
      url: `/api/photos/${hash}`,
      headers: { cookie: driver.cookie, 'content-type': 'image/jpeg' },
      payload: bytes,
    });

  it('is gone the day after its time, and not on the day itself', async () => {
    const bytes = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'green' } })
      .jpeg()
      .toBuffer();
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect((await put(bytes)).statusCode).toBe(204);
    const isThere = async () => {
      const reply = await driver.call('POST', '/api/photos/missing', { body: { hashes: [hash] } });
      return reply.json().missing.length === 0;
    };
    const taken = Date.now();
    await purgeVisits({ ...test.deps, clock: { now: () => new Date(taken + (photoDays - 1) * dayMs) } });
    expect(await isThere()).toBe(true);
    await purgeVisits({ ...test.deps, clock: { now: () => new Date(taken + (photoDays + 1) * dayMs) } });
    expect(await isThere()).toBe(false);
  });

  it('where a visit was is forgotten after 90 days, and the visit stays', async () => {
    const { db } = test.deps;
    const machine = await buildMachine(db);
    const id = randomUUID();
    const openedAt = new Date();
    await db.execute(
      sql`insert into visits (id, vending_machine_id, device_seq, opened_at, latitude, longitude)
          values (${id}, ${machine.id}, 1, ${openedAt.toISOString()}, 40.712, -74.006)`,
    );
    const after = async (days: number) => {
      await purgeVisits({ ...test.deps, clock: { now: () => new Date(openedAt.getTime() + days * dayMs) } });
      return firstRow(db, sql`select latitude::text, longitude::text from visits where id = ${id}`);
    };
    expect(await after(89)).toEqual({ latitude: '40.712', longitude: '-74.006' });
    expect(await after(91)).toEqual({ latitude: null, longitude: null });
  });

  it('a document named as a picture and a file too large have their sentences', async () => {
    const document = await put(Buffer.from('%PDF-1.4 named photo.jpg'));
    expect(document.json()).toMatchObject({ status: 400, detail: expect.stringContaining('not a picture') });
    const large = await put(Buffer.alloc(9_000_000, 1));
    expect(large.json()).toMatchObject({ status: 413, detail: expect.stringContaining('too large: at most 8 MB') });
  });
});
