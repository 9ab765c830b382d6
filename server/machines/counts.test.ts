import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine } from '../testing/factories.ts';
import { countWrongCounts, remakeCounts } from './counts.ts';
import { countKept } from './queries.ts';

const designations = [null, '', '101', '202'] as const;
const statuses = ['active', 'maintenance', 'inactive'] as const;

const step = fc.record({
  what: fc.constantFrom('build', 'route', 'status', 'remove', 'restore', 'rename', 'destroy', 'all'),
  which: fc.nat(20),
  n: fc.nat(3),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

onEachDatabase('counts of machines', (open) => {
  let database: Database;
  const ids: number[] = [];
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  async function happen({ what, which, n }: Step): Promise<void> {
    const { db } = database;
    const route = designations[n] ?? null;
    const status = statuses[n % 3];
    const id = ids[which % Math.max(1, ids.length)] ?? 0;
    if (what === 'build') ids.push((await buildMachine(db, { routeDesignation: route, status })).id);
    if (what === 'route')
      await db.execute(sql`update vending_machines set route_designation = ${route} where id = ${id}`);
    if (what === 'status') await db.execute(sql`update vending_machines set status = ${status} where id = ${id}`);
    if (what === 'remove') await db.execute(sql`update vending_machines set deleted_at = now() where id = ${id}`);
    if (what === 'restore') await db.execute(sql`update vending_machines set deleted_at = null where id = ${id}`);
    if (what === 'rename') await db.execute(sql`update vending_machines set name = name || 'x' where id = ${id}`);
    if (what === 'destroy') await db.execute(sql`delete from vending_machines where id = ${id}`);
    if (what === 'all')
      await db.execute(sql`update vending_machines set route_designation = '101', status = ${status}`);
  }

  const told = async (filter: { status?: string; route?: string }) =>
    (await firstRow<{ n: number }>(database.db, sql`select (${countKept(filter)}) as n`))?.n;
  const real = async (condition = sql`true`) =>
    (
      await firstRow<{ n: number }>(
        database.db,
        sql`select count(*)::int as n from vending_machines where deleted_at is null and ${condition}`,
      )
    )?.n;

  it('equal the machines, whatever becomes of them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 20 }), async (steps) => {
        for (const one of steps) await happen(one);
        expect(await countWrongCounts(database.db)).toBe(0);
        expect(await told({})).toBe(await real());
        expect(await told({ route: '101' })).toBe(await real(sql`route_designation = '101'`));
        const both = sql`route_designation = '202' and status = 'active'`;
        expect(await told({ route: '202', status: 'active' })).toBe(await real(both));
      }),
      { numRuns: process.env.MILKRUN_LONG === '1' ? 90 : 30 },
    );
  });

  it('are found wrong, and made anew', async () => {
    await buildMachine(database.db, { routeDesignation: '303' });
    await database.db.execute(sql`update machine_counts set machines = machines + 1 where route_designation = '303'`);
    await database.db.execute(sql`insert into machine_counts values ('404', 'active', 2)`);
    expect(await countWrongCounts(database.db)).toBe(2);
    await remakeCounts(database.db);
    expect(await countWrongCounts(database.db)).toBe(0);
    expect(await told({ route: '303' })).toBe(1);
  });
});
