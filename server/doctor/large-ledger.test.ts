import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, firstRow } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { findSomeWrongBalances } from '../inventory/service.ts';
import { databaseUpkeep } from '../performance/maintenance.ts';
import { onEachDatabase, openAt, openTestPostgres } from '../testing/databases/databases.ts';
import { buildItem, buildMarket, buildUser } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { diagnose, repair, watchLedger } from './service.ts';

const serverUrl = process.env.TEST_DATABASE_URL ?? '';
const longestMs = 1_000;

// The embedded database ends no statement for its length.
describe.runIf(serverUrl)('work on the whole ledger that takes longer than a call may', () => {
  let test: TestApp;
  let hurried: Database;
  let deps: Deps;
  beforeAll(async () => {
    test = await testApp((onQuery) => openTestPostgres(serverUrl, onQuery));
    const named = await firstRow<{ name: string }>(test.deps.db, sql`select current_database() as name`);
    const url = new URL(serverUrl);
    url.pathname = `/${named?.name}`;
    url.searchParams.set('statement_timeout', String(longestMs));
    hurried = await openAt({ url: url.href })();
    deps = { ...test.deps, database: hurried, db: hurried.db };
  });
  afterAll(async () => {
    await hurried.close();
    await test.close();
  });

  const waitsLong = sql`select exists (select from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and clock_timestamp() - query_start > ${`${longestMs + 300} ms`}::interval) as yes`;

  /** What the work answers whose statement had to wait for a table. */
  async function heldUp<T>(table: string, work: () => Promise<T>): Promise<T> {
    const [running] = await test.deps.db.transaction(async (tx) => {
      await tx.execute(sql.raw(`lock table ${table} in access exclusive mode`));
      let isOver = false;
      const begun = work().finally(() => {
        isOver = true;
      });
      begun.catch(() => {});
      const hasWaited = async () => isOver || (await firstRow<{ yes: boolean }>(test.deps.db, waitsLong))?.yes;
      await expect.poll(hasWaited, { timeout: 8_000 }).toBe(true);
      return [begun];
    });
    return running;
  }

  it('is done by the watch over the ledger and its repair', async () => {
    await heldUp('stock_movements', () => watchLedger(deps));
    const broken = [{ name: 'Stock', state: 'broken', message: '' }] as const;
    const done = await heldUp('stock_movements', () =>
      repair({ database: hurried, env: deps.env, now: new Date() }, broken),
    );
    expect(done).toEqual(['0 balances were set to what the ledger says.']);
  });

  it('is done by the doctor', async () => {
    const found = await heldUp('event_keys', () => diagnose({ database: hurried, env: deps.env, now: new Date() }));
    expect(found.filter(({ message }) => message.startsWith('Could not be checked'))).toEqual([]);
  });

  it('is done by the comparison of daily sums', async () => {
    const comparison = databaseUpkeep.find(({ name }) => name === 'Daily sums');
    expect(await heldUp('sales_daily', async () => comparison?.run(deps))).toContain('agree with the sales');
  });
});

onEachDatabase('a sample of the balances', (open) => {
  it('shows those of it that differ from the fold of the ledger, and no others', async () => {
    const test = await testApp(open);
    const { db } = test.deps;
    const { id: marketId } = await buildMarket(db, { routeDesignation: '101' });
    const driver = await test.as((await buildUser(db, { routeDesignation: '101' })).id);
    const ids: number[] = [];
    for (const quantity of [7, 3, 4, 0]) {
      const { id } = await buildItem(db, marketId);
      ids.push(id);
      for (const currentQuantity of [quantity + 1, quantity]) {
        // Counts of one moment have no order that a test could know.
        test.setNow(new Date(test.deps.clock.now().getTime() + 1_000));
        const headers = { 'idempotency-key': randomUUID() };
        const reply = await driver.call('PUT', `/api/inventory/${id}`, { body: { currentQuantity }, headers });
        expect(reply.statusCode).toBe(200);
      }
    }
    const sample = () => findSomeWrongBalances(db, { every: 2, limit: 20 });
    expect(await sample()).toEqual([]);
    await db.execute(sql`update item_balances set quantity = quantity + 5`);
    const found = await sample();
    const even = ids.filter((id) => id % 2 === 0);
    expect(found.map(({ itemId }) => itemId)).toEqual(even);
    expect(found.map(({ folded }) => folded)).toEqual(even.map((id) => [7, 3, 4, 0][ids.indexOf(id)]));
    await test.close();
  });
});
