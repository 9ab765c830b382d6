import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstRow } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { purgeExpired } from './purge.ts';

onEachDatabase('what makes something new and is sent again', (open) => {
  let test: TestApp;
  let manager: Person;
  beforeAll(async () => {
    test = await testApp(open);
    manager = await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id);
  });
  afterAll(() => test.close());

  const make = (name: string, key?: string, who = manager) =>
    who.call('POST', '/api/vehicles', { body: { name }, headers: key ? { 'idempotency-key': key } : {} });
  const made = async (name: string) =>
    (await firstRow<{ n: number }>(test.deps.db, sql`select count(*)::int as n from vehicles where name = ${name}`))?.n;

  it('is made once for a key, also by calls that come together, and the second time says what to do', async () => {
    const key = randomUUID();
    const together = await Promise.all([1, 2, 3, 4].map(() => make('Van', key)));
    expect(together.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409, 409]);
    expect((await make('Van', key)).json()).toMatchObject({
      status: 409,
      detail:
        'This was sent before, and may be saved. Look whether it is in the list already; if it is not, send it again.',
    });
    expect(await made('Van')).toBe(1);
  });

  it('is another one with another key, without any, and of another person', async () => {
    const other = await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id);
    const key = randomUUID();
    for (const reply of [await make('Truck', key), await make('Truck', randomUUID()), await make('Truck')])
      expect(reply.statusCode).toBe(201);
    expect((await make('Truck', key, other)).statusCode).toBe(201);
    expect(await made('Truck')).toBe(4);
  });

  it('a key is an id, and is forgotten after a day', async () => {
    expect((await make('Car', 'mine')).json()).toMatchObject({
      status: 400,
      detail: 'The Idempotency-Key must be a UUID.',
    });
    const key = randomUUID();
    await make('Car', key);
    test.setNow(new Date(test.deps.clock.now().getTime() + 25 * 3_600_000));
    await purgeExpired(test.deps);
    const left = await firstRow(test.deps.db, sql`select from rate_limits where key like 'once:%'`);
    expect(left).toBeUndefined();
  });
});
