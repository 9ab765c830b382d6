import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { firstRow } from '../db/database.ts';
import { clearingOf } from '../db/dead-rows.ts';
import { openPostgres } from '../db/postgres/postgres.ts';
import { parseEnv } from '../env.ts';
import { recordSales, type Sale } from '../sales/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildUser } from '../testing/factories.ts';
import { onServer } from '../testing/on-server.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import type { Patient } from './finding.ts';
import { type Diagnosis, diagnose, diagnoseAgain, repair } from './service.ts';
import { deadRows, limits, memoryFor, roomLeft } from './system-checks.ts';

const sale: Sale = {
  ...{ source: 'import', transactionId: 'T1', line: null, machineId: null, marketId: null, slotNumber: null },
  ...{ productName: 'Water', productCode: null, category: null, quantity: 2, price: '1.50', totalAmount: '3.00' },
  ...{ currency: 'USD', paymentMethod: 'cash', soldAt: new Date('2026-03-02T17:00:00Z'), successful: true },
  ...{ refunded: false, flags: null },
};

onEachDatabase('the doctor', (open) => {
  let test: TestApp;
  let patient: Patient;
  let itemId = 0;
  let marketId = 0;
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-doctor-'));

  beforeEach(async () => {
    test = await testApp(open, { MILKRUN_DATA: folder });
    patient = { database: test.database, env: test.deps.env, now: new Date() };
    const market = await buildMarket(test.deps.db, { routeDesignation: '101' });
    marketId = market.id;
    itemId = (await buildItem(test.deps.db, market.id)).id;
    const driver = await test.as((await buildUser(test.deps.db, { routeDesignation: '101' })).id);
    const headers = { 'idempotency-key': randomUUID() };
    const reply = await driver.call('PUT', `/api/inventory/${itemId}`, { body: { currentQuantity: 7 }, headers });
    expect(reply.statusCode).toBe(200);
  });
  afterEach(async () => {
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const named = (found: readonly Diagnosis[], name: string) => found.find((one) => one.name === name);

  it('finds nothing broken where nothing is', async () => {
    const found = await diagnose(patient);
    expect(found.filter(({ state }) => state === 'broken')).toEqual([]);
    expect(named(found, 'Stock')?.message).toBe('1 balance equals the fold of the ledger.');
  });

  it('says which of mail server and gateway does not answer, and why', async () => {
    const set = async (settings: Record<string, string>) => {
      const env = { ...patient.env, ...parseEnv(settings), dataFolder: patient.env.dataFolder };
      return named(await diagnose({ ...patient, env }), 'Messages');
    };
    expect(await set({})).toMatchObject({ state: 'good' });
    const found = await set({
      SMTP_URL: 'smtp://ann:secret@127.0.0.1:1',
      SMS_GATEWAY_URL: 'http://127.0.0.1:1/?key=secret',
    });
    expect(found).toMatchObject({ state: 'warning' });
    expect(found?.message).toContain('SMTP_URL does not answer as it should (ESOCKET)');
    expect(found?.message).toContain('SMS_GATEWAY_URL does not answer as it should (ECONNREFUSED)');
    expect(found?.message).not.toContain('secret');
  });

  it('sends one message where it is asked to, and says why none goes out', async () => {
    let calls = 0;
    const gateway = createServer((_, reply) => {
      calls += 1;
      reply.writeHead(401).end();
    });
    await new Promise<void>((resolve) => void gateway.listen(0, '127.0.0.1', resolve));
    const { port } = gateway.address() as AddressInfo;
    const set = parseEnv({ SMS_GATEWAY_URL: `http://127.0.0.1:${port}` });
    const env = { ...patient.env, ...set, dataFolder: patient.env.dataFolder };
    const asked = async (sendTo?: string) => named(await diagnose({ ...patient, env, sendTo }), 'Messages');
    expect((await asked())?.message).toContain('--send-to');
    expect(await asked('+1 415 555 0123')).toMatchObject({
      state: 'broken',
      message: expect.stringContaining('takes nothing from here (gateway answered 401)'),
    });
    expect((await asked('ann@example.test'))?.message).toContain('SMTP_URL is not set');
    expect(calls).toBe(1);
    const trial = { ...patient, env, sendTo: '+1 415 555 0123' };
    const found = await diagnose(trial);
    const again = await diagnoseAgain(trial, found);
    expect([calls, named(again, 'Messages')]).toEqual([2, named(found, 'Messages')]);
    await new Promise((resolve) => gateway.close(resolve));
  });

  it('says who clears the rows that nobody needs any more', async () => {
    const found = named(await diagnose(patient), 'Dead rows');
    const { isAutomatic } = await clearingOf(test.database);
    const sentences = {
      embedded: 'The server clears them.',
      postgres: isAutomatic ? 'PostgreSQL clears them itself.' : expect.stringContaining('Turn autovacuum on.'),
    };
    expect(found?.message).toEqual(sentences[test.database.kind]);
    expect(await deadRows.repair?.(patient)).toBe('All rows were frozen.');
  });

  it('names a balance that differs from the ledger, and sets it to the ledger', async () => {
    await test.deps.db.execute(sql`update item_balances set quantity = 99 where item_id = ${itemId}`);
    await test.deps.db.execute(sql`update inventory_items set current_quantity = 99 where id = ${itemId}`);
    const found = await diagnose(patient);
    expect(named(found, 'Stock')).toMatchObject({ state: 'broken' });
    expect(named(found, 'Stock')?.message).toContain(`market_item ${itemId} has 99, the ledger says 7`);
    expect(await repair(patient, found)).toEqual(['1 balance was set to what the ledger says.']);
    expect(named(await diagnose(patient), 'Stock')?.state).toBe('good');
    const item = sql`select current_quantity as n from inventory_items where id = ${itemId}`;
    expect(await firstRow(test.deps.db, item)).toEqual({ n: 7 });
  });

  it('tells a wrong balance that nobody is shown by its own number, and a wrong start in words', async () => {
    const { db } = test.deps;
    await db.execute(sql`update item_balances set quantity = 99 where item_id = ${itemId}`);
    expect(named(await diagnose(patient), 'Stock')?.message).toContain('has 99, the ledger says 7');
    await db.execute(sql`update item_balances set quantity = 7, anchor_event_id = null where item_id = ${itemId}`);
    expect(named(await diagnose(patient), 'Stock')?.message).toContain('starts from another count than the ledger');
  });

  it.each([
    ['sales_daily is missing', sql`delete from sales_daily`],
    ['sales_by_product is missing', sql`delete from sales_by_product`],
    ['sales_by_route is wrong', sql`update sales_by_route set amount = amount + 1`],
  ])('has the daily sums of sales made anew when a row of %s', async (_, damage) => {
    const { db } = test.deps;
    await db.transaction((tx) => recordSales(tx, [{ ...sale, marketId }], sale.soldAt));
    expect(named(await diagnose(patient), 'Sales')?.state).toBe('good');
    await db.execute(damage);
    const found = await diagnose(patient);
    expect(named(found, 'Sales')).toMatchObject({ state: 'broken' });
    expect(await repair(patient, found)).toEqual(['The daily sums of sales were made anew.']);
    expect(named(await diagnose(patient), 'Sales')?.state).toBe('good');
    const kept = sql`select (select sum(amount) from sales_daily)::text as daily, (select sum(amount) from sales_by_product)::text as product,
      (select sum(amount) from sales_by_route)::text as route`;
    expect(await firstRow(db, kept)).toEqual({ daily: '3.00', product: '3.00', route: '3.00' });
  });

  it.each([
    ['by day is missing', sql`delete from payment_days`],
    ['by day has another fee', sql`update payment_days set fee = fee + 0.01`],
    ['by hour is missing', sql`delete from payment_hours`],
    ['by place and day is wrong', sql`update payment_places set revenue = revenue + 1 where grain = 'day'`],
    ['by place and week is missing', sql`delete from payment_places where grain = 'week'`],
    ['by place and four weeks is wrong', sql`update payment_blocks set failed = failed + 1`],
    ['of nothing is there', sql`insert into payment_hours values ('2026-03-03', 5, 'import', 'USD', 1, 1, 1)`],
  ])('has the sums of payments made anew when one %s', async (_, damage) => {
    const { db } = test.deps;
    await db.transaction((tx) => recordSales(tx, [{ ...sale, marketId }], sale.soldAt));
    expect(named(await diagnose(patient), 'Payments')?.state).toBe('good');
    await db.execute(damage);
    const found = await diagnose(patient);
    expect(named(found, 'Payments')).toMatchObject({ state: 'broken' });
    expect(await repair(patient, found)).toEqual(['The sums of payments were made anew.']);
    expect(named(await diagnose(patient), 'Payments')?.state).toBe('good');
    const kept = sql`select (select sum(revenue) from payment_days)::text as day, (select sum(revenue) from payment_hours)::text as hour,
      (select sum(revenue) from payment_places)::text as place, (select sum(revenue) from payment_blocks)::text as block`;
    expect(await firstRow(db, kept)).toEqual({ day: '3.00', hour: '3.00', place: '6.00', block: '3.00' });
  });

  it.each([
    ['what is low', 'update markets set low_stock_count = 42'],
    ['its stock', 'update markets set stocked_units = stocked_units + 1'],
    ['the items of a market without any', 'update markets set item_count = 3'],
    ['the stock of a machine without slots', 'update vending_machines set current_stock = 5'],
  ])('has the sums of a location made anew that are wrong of %s', async (_, damage) => {
    const { db } = test.deps;
    await buildMachine(db);
    await buildMarket(db);
    await db.execute(sql.raw(damage));
    const found = await diagnose(patient);
    expect(named(found, 'Sums')?.state).toBe('broken');
    await repair(patient, found);
    expect(named(await diagnose(patient), 'Sums')?.state).toBe('good');
  });

  const strayStretch = `insert into place_stretches (first_day, location_type, location_id, units, amount, cost, costed, empty_seconds,
    emptied, filled, filled_on) values (stretch_of(date '2026-03-02'), 'market', 1, 1, 0, 0, 0, 0, 0, 0, 0)`;

  const strayBlock = `insert into place_blocks (days, first_day, location_type, location_id, units, amount, cost, costed, empty_seconds,
    emptied, filled, filled_on) values (64, first_of_days(date '2026-03-02', 64), 'market', 1, 1, 0, 0, 0, 0, 0, 0, 0)`;

  const strayKind = `insert into kind_stretches (first_day, product_id, product_name, category, own_cost, units, amount, empty_seconds,
    emptied, filled, filled_on) values (stretch_of(date '2026-03-02'), 1, 'x', '', -1, 1, 0, 0, 0, 0, 0)`;

  it.each([
    ['sums by day', 'update place_days set items = items + 1'],
    ['sums of sixteen days', strayStretch],
    ['sums of 64 days', strayBlock],
    ['sums of kinds of sixteen days', strayKind],
  ])('has the %s made anew', async (_, written) => {
    await test.deps.db.execute(sql.raw(written));
    const found = await diagnose(patient);
    expect(named(found, 'Days')).toMatchObject({ state: 'broken' });
    await repair(patient, found);
    expect(named(await diagnose(patient), 'Days')?.state).toBe('good');
  });

  it('has the numbers of machines made anew', async () => {
    await test.deps.db.execute(
      sql`insert into machine_counts (route_designation, status, machines) values ('909', 'active', 3)`,
    );
    const found = await diagnose(patient);
    expect(named(found, 'Counts')).toMatchObject({ state: 'broken' });
    await repair(patient, found);
    expect(named(await diagnose(patient), 'Counts')?.state).toBe('good');
  });

  it('has days of items made anew that leave out what was never paid back', async () => {
    await test.deps.db.execute(sql`update item_days set refunded = 2, units = units - 2 where item_id = ${itemId}`);
    const found = await diagnose(patient);
    expect(named(found, 'Refunds')).toMatchObject({ state: 'broken' });
    await repair(patient, found);
    expect(named(await diagnose(patient), 'Refunds')?.state).toBe('good');
    const day = sql`select units, refunded from item_days where item_id = ${itemId}`;
    expect(await firstRow(test.deps.db, day)).toEqual({ units: 0, refunded: 0 });
  });

  it('has days made anew that nothing sold in no slot', async () => {
    await test.deps.db.execute(
      sql`insert into item_days (item_type, item_id, day, units) values ('slotless', 1, '2026-03-02', 1)`,
    );
    const found = await diagnose(patient);
    expect(named(found, 'History')).toMatchObject({ state: 'broken' });
    await repair(patient, found);
    expect(named(await diagnose(patient), 'History')?.state).toBe('good');
  });

  it('says that there is no backup, that one is old, or of when it is', async () => {
    expect(named(await diagnose(patient), 'Backups')?.message).toContain('No nightly backup');
    const day = patient.now.toISOString().slice(0, 10);
    const backups = path.join(folder, 'backups');
    mkdirSync(backups, { recursive: true });
    writeFileSync(path.join(backups, 'nightly-2020-01-01.zip'), '');
    expect(named(await diagnose(patient), 'Backups')?.message).toContain('newest nightly backup is of 2020-01-01');
    writeFileSync(path.join(backups, `nightly-${day}.zip`), '');
    expect(named(await diagnose(patient), 'Backups')?.state).toBe('good');
    rmSync(path.join(backups, 'nightly-2020-01-01.zip'));
    expect(named(await diagnose(patient), 'Backups')?.message).toMatch(/^1 nightly backup, of .* Copy it /);
  });

  it('judges the room on the disk as the server does, which writes on while a large one has much left', () => {
    expect(roomLeft({ usedShare: 0.96, freeBytes: 80e9 }, '/data')).toMatchObject({ state: 'good' });
    expect(roomLeft({ usedShare: 0.9, freeBytes: 30e9 }, '/data')).toMatchObject({ state: 'warning' });
    expect(roomLeft({ usedShare: 0.96, freeBytes: 5e9 }, '/data')).toMatchObject({ state: 'broken' });
  });

  it('warns of a large database for which PostgreSQL has little memory', () => {
    const mb = 1024 * 1024;
    expect(memoryFor({ memory: 128 * mb, size: 6_000 * mb })).toMatchObject({
      state: 'warning',
      message: expect.stringMatching(/^The database takes 6,000 MB, .* 128 MB of memory\. Set shared_buffers/),
    });
    expect(memoryFor({ memory: 128 * mb, size: 900 * mb }).state).toBe('good');
    expect(memoryFor({ memory: 256 * mb, size: 60_000 * mb }).state).toBe('warning');
    expect(memoryFor({ memory: 2_048 * mb, size: 60_000 * mb }).state).toBe('good');
  });

  it('tells of a clock that is apart from that of the database', async () => {
    const late = { ...patient, now: new Date(Date.now() - 60_000) };
    expect(named(await diagnose(late), 'Clock')).toMatchObject({ state: 'warning' });
    expect(named(await diagnose({ ...patient, now: new Date() }), 'Clock')?.state).toBe('good');
  });
});

const server = process.env.TEST_DATABASE_URL;

it.runIf(server)('warns of a PostgreSQL that ends nothing that hangs, as behind a pooler', async () => {
  const name = `milkrun_test_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(server ?? ''), { pathname: name }).href;
  const look = async (directUrl: string | null) => {
    const database = await openPostgres({ url, directUrl, adminUrl: null, backups: null, onError: () => {} });
    return limits.look({ database, env: parseEnv({}), now: new Date() }).finally(database.close);
  };
  await onServer(server ?? '', `create database ${name}`);
  try {
    expect(await look(null)).toMatchObject({ state: 'good' });
    const found = await look(url);
    expect(found).toMatchObject({
      state: 'warning',
      message: expect.stringContaining('no statement_timeout and idle_in_transaction_session_timeout'),
    });
    // What it advises, for this database only: the role is that of other tests too.
    const advised = [...found.message.matchAll(/ALTER ROLE \S+ (SET .+?);/g)];
    expect(advised).toHaveLength(2);
    for (const [, set] of advised) await onServer(server ?? '', `alter database ${name} ${set}`);
    expect(await look(url)).toMatchObject({ state: 'good' });
  } finally {
    await onServer(server ?? '', `drop database ${name} with (force)`);
  }
});
