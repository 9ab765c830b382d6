import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { onEachDatabase } from '../../testing/databases/databases.ts';
import { firstRow } from '../database.ts';
import { isoInstant, writtenOnce } from './told.ts';

it.each([
  ['2026-03-12 15:00:00+00', '2026-03-12T15:00:00.000Z'],
  ['2026-03-12 15:00:00.5+00', '2026-03-12T15:00:00.500Z'],
  ['2026-03-12 15:00:00.123999+00', '2026-03-12T15:00:00.123Z'],
  ['2026-03-12 20:30:00.123456+05:30', '2026-03-12T15:00:00.123Z'],
  ['2026-03-12 11:00:00-04', '2026-03-12T15:00:00.000Z'],
])('the instant %s is %s', (text, iso) => expect(isoInstant(text)).toBe(iso));

it('a part of a statement with a value in it cannot be written once', () => {
  expect(() => writtenOnce(sql`name = ${'Cola'}`)).toThrow('A part with values cannot be written once');
});

onEachDatabase('instants of the database', (open) => {
  it('read the same in whatever time zone the database writes them', async () => {
    const database = await open();
    for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns']) {
      const read = await database.db.transaction(async (tx) => {
        await tx.execute(sql`select set_config('TimeZone', ${zone}, true)`);
        return firstRow<{ at: string }>(tx, sql`select '2026-07-04T10:20:30.456Z'::timestamptz as at`);
      });
      expect(isoInstant(read?.at ?? '')).toBe('2026-07-04T10:20:30.456Z');
    }
    await database.close();
  });
});
