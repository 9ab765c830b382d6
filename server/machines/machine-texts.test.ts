import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { vendingMachines } from './tables.ts';

onEachDatabase('What searches read of machines', (open) => {
  let t: TestApp;
  let admin: Person;
  beforeAll(async () => {
    t = await testApp(open);
    ({ admin } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  const kept = () => rows(t.deps.db, sql`select machine_id, living, name, plain from machine_texts order by 1`);
  const recomputed = () =>
    rows(
      t.deps.db,
      sql`select id as machine_id, deleted_at is null as living, name, search_text as plain from vending_machines order by 1`,
    );

  it('is what their rows say after whatever happens to them', async () => {
    const { db } = t.deps;
    const first = await buildMachine(db, { name: 'Échoppe', location: 'Old Hall' });
    const second = await buildMachine(db, { name: 'Second' });
    const third = await buildMachine(db, { name: 'Third' });
    expect(await kept()).toEqual(await recomputed());
    await db.update(vendingMachines).set({ location: 'New Hall' }).where(eq(vendingMachines.id, first.id));
    await db.update(vendingMachines).set({ name: 'SECOND' }).where(eq(vendingMachines.id, second.id));
    await db.delete(vendingMachines).where(eq(vendingMachines.id, third.id));
    expect((await admin.call('DELETE', `/api/vending-machines/${second.id}`)).statusCode).toBeLessThan(300);
    const now = await kept();
    expect(now).toEqual(await recomputed());
    expect(now).toMatchObject([
      { name: 'Échoppe', living: true },
      { name: 'SECOND', living: false },
    ]);
  });

  it('has all its words among those that a search looks through, before and after a change of the name', async () => {
    const { db } = t.deps;
    const machine = await buildMachine(db, { name: 'Quarry Annexe' });
    await db.update(vendingMachines).set({ name: 'Zephyr Gym' }).where(eq(vendingMachines.id, machine.id));
    const missing = await rows(
      db,
      sql`select word from machine_texts, unnest(string_to_array(plain, ' ')) word
          where word <> '' and word not in (select w.word from machine_words w)`,
    );
    expect(missing).toEqual([]);
    const found = async (q: string) =>
      (await admin.call('GET', `/api/search?q=${q}`)).json().filter(({ id }: { id: number }) => id === machine.id);
    expect(await found('ephy')).toHaveLength(1);
    expect(await found('zephir')).toHaveLength(1);
    expect(await found('zephyr-gym')).toHaveLength(1);
    expect(await found('phyr-g')).toHaveLength(1);
    for (const q of ['zephyr-nowhere', 'nowhere-gym', 'zephyr-9999999', 'gym-zephyr'])
      expect([q, await found(q)]).toEqual([q, []]);
    expect(await found('quarry')).toEqual([]);
  });

  it('stands in the index at once, not in a list that every search would walk', async () => {
    const { db } = t.deps;
    for (const name of ['Orchard', 'Harbour', 'Meadow']) await buildMachine(db, { name });
    const waiting = sql`select gin_clean_pending_list('machine_texts_words')::int as pages`;
    expect(await rows(db, waiting)).toEqual([{ pages: 0 }]);
  });

  it('is not written by a movement of stock', async () => {
    const { db } = t.deps;
    const before = await rows(db, sql`select machine_id, xmin::text from machine_texts order by 1`);
    await db.update(vendingMachines).set({ currentStock: 7, lastSeen: new Date() });
    expect(await rows(db, sql`select machine_id, xmin::text from machine_texts order by 1`)).toEqual(before);
  });
});
