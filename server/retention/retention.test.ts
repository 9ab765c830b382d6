import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { firstRow, rows } from '../db/database.ts';
import { diagnose } from '../doctor/service.ts';
import { findWrongBalances, writeOpenings } from '../inventory/service.ts';
import { recordSales, type Sale } from '../sales/service.ts';
import { atOnce } from '../testing/at-once.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { writeMonth } from './month-file.ts';
import { borderOf, rollUpOldMonths } from './service.ts';

it('the border is the first of the month so many months ago', () => {
  expect(borderOf(new Date('2026-03-12T15:00:00Z'), 25)).toBe('2024-02-01');
  expect(borderOf(new Date('2026-01-01T00:00:00Z'), 14)).toBe('2024-11-01');
});

onEachDatabase('months that are older than wanted', (open) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-months-'));
  let test: TestApp;
  let manager: Person;
  let [counted, restocked, machineId, slotId] = [0, 0, 0, 0];
  const now = new Date('2026-03-12T15:00:00Z');

  const put = async (id: number, quantity: number, at: string): Promise<void> => {
    test.setNow(new Date(at));
    await test.deps.db.execute(sql`select ensure_month_partition('stock_movements', ${at}::timestamptz)`);
    const headers = { 'idempotency-key': randomUUID() };
    const reply = await manager.call('PUT', `/api/inventory/${id}`, { body: { currentQuantity: quantity }, headers });
    expect(reply.statusCode, reply.body).toBe(200);
    test.setNow(now);
  };
  const sell = async (at: string, receivedAt = now, refunded = false): Promise<void> => {
    const sale: Sale = {
      ...{ source: 'import', transactionId: randomUUID(), line: null, machineId, marketId: null, slotNumber: 'A1' },
      ...{ productName: 'Water', productCode: null, category: null, quantity: 1, price: '1.50', totalAmount: '1.50' },
      ...{
        currency: 'USD',
        paymentMethod: 'cash',
        soldAt: new Date(at),
        successful: true,
        refunded,
        flags: null,
      },
    };
    await test.deps.db.transaction((tx) => recordSales(tx, [sale], receivedAt));
  };
  const balances = () =>
    rows(test.deps.db, sql`select item_type, item_id, quantity from item_balances order by item_type, item_id`);
  const days = () =>
    rows<{ item_id: number; day: string }>(
      test.deps.db,
      sql`select item_type, item_id, day::text as day, units, amount, sold_out_seconds, closing, spoiled, missing from item_days
          order by item_type, item_id, day`,
    );
  const partitions = async (parent: string): Promise<string[]> => {
    const found = await rows<{ name: string }>(
      test.deps.db,
      sql`select inhrelid::regclass::text as name from pg_inherits where inhparent = ${parent}::regclass order by 1`,
    );
    return found.map(({ name }) => name).filter((name) => name < `${parent}_2024_02`);
  };
  const months = path.join(folder, 'months');
  const linesIn = (file: string): string[] =>
    gunzipSync(readFileSync(path.join(months, file)))
      .toString()
      .trim()
      .split('\n');
  const doctorSays = async (name: string) => {
    const patient = { database: test.database, env: test.deps.env, now: test.deps.clock.now() };
    return (await diagnose(patient)).find((one) => one.name === name);
  };

  beforeEach(async () => {
    test = await testApp(open, { MILKRUN_DATA: folder, LEDGER_MONTHS: '25' });
    const { db } = test.deps;
    const market = await buildMarket(db, { routeDesignation: '101' });
    counted = (await buildItem(db, market.id)).id;
    restocked = (await buildItem(db, market.id)).id;
    machineId = (await buildMachine(db)).id;
    slotId = (await buildSlot(db, machineId, { slotNumber: 'A1', productName: 'Water', maxQuantity: 20 })).id;
    manager = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    await put(counted, 7, '2023-11-10T10:00:00Z');
    await put(counted, 9, '2023-12-24T10:00:00Z');
    await put(counted, 5, '2026-02-01T10:00:00Z');
    await put(restocked, 4, '2024-01-31T23:59:59Z');
    for (const at of ['2023-11-11T10:00:00Z', '2024-01-05T10:00:00Z', '2024-02-01T00:00:00Z', '2026-03-01T10:00:00Z']) {
      await sell(at);
    }
  });
  afterEach(async () => {
    await test.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('go into files, and balances, days and sums stay as they were', async () => {
    const before = { balances: await balances(), days: await days() };
    expect(before.balances).toContainEqual({ item_type: 'machine_slot', item_id: slotId, quantity: -4 });
    expect(await partitions('stock_movements')).toHaveLength(3);
    await rollUpOldMonths(test.deps);
    expect(await partitions('stock_movements')).toEqual([]);
    expect(await partitions('sales')).toEqual([]);
    expect({ balances: await balances(), days: await days() }).toEqual(before);
    expect(await findWrongBalances(test.deps.db)).toEqual([]);
    expect(readdirSync(months).sort()).toEqual([
      ...['sales_2023_11.jsonl.gz', 'sales_2024_01.jsonl.gz'],
      ...['stock_movements_2023_11.jsonl.gz', 'stock_movements_2023_12.jsonl.gz', 'stock_movements_2024_01.jsonl.gz'],
    ]);
    const november = linesIn('stock_movements_2023_11.jsonl.gz').map((line) => JSON.parse(line));
    expect(november.map(({ kind, quantity }) => [kind, quantity]).sort()).toEqual([
      ['count', 7],
      ['sale', -1],
    ]);
    for (const name of ['Stock', 'Ledger', 'Sums', 'Payments', 'Months']) {
      expect([name, (await doctorSays(name))?.state]).toEqual([name, 'good']);
    }
  });

  it('written by two at once are whole, and what a process that died left behind goes', async () => {
    const write = (id: string) =>
      writeMonth(test.deps.db, { parent: 'sales', month: '2023-11-01' }, { file: path.join(months, 'x'), id });
    const [first, second] = await Promise.all([write('first'), write('second')]);
    expect([second?.sha256, second?.rowCount]).toEqual([first?.sha256, 1]);
    for (const { unfinished } of [first, second]) {
      expect(linesIn(path.basename(unfinished))).toHaveLength(1);
      rmSync(unfinished);
    }
    const [left, underWay] = ['left.unfinished', 'new.unfinished'].map((name) => path.join(months, name));
    for (const name of [left, underWay]) writeFileSync(name ?? '', '');
    utimesSync(left ?? '', new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T00:00:00Z'));
    await rollUpOldMonths(test.deps);
    expect(readdirSync(months).filter((name) => name.endsWith('.unfinished'))).toEqual(['new.unfinished']);
  });

  it('rolled up by two at the same moment are each in a file that is whole', async () => {
    const rollUp = () =>
      rollUpOldMonths(test.deps).then(
        (done) => done,
        () => [],
      );
    const done = await atOnce(test, 'rolled_up_months', [rollUp, rollUp]);
    expect(done.flat()).toHaveLength(new Set(done.flat()).size);
    await rollUpOldMonths(test.deps);
    expect(await doctorSays('Months')).toMatchObject({ state: 'good' });
    expect(readdirSync(months).filter((name) => !name.endsWith('.jsonl.gz'))).toEqual([]);
  });

  it('are rolled up once: a second run finds nothing, and the next month goes on from the opening counts', async () => {
    const before = await balances();
    await rollUpOldMonths(test.deps);
    expect(await rollUpOldMonths(test.deps)).toEqual([]);
    test.setNow(new Date('2026-04-02T15:00:00Z'));
    expect(await rollUpOldMonths(test.deps)).toContain('stock_movements_2024_02');
    expect(await balances()).toEqual(before);
    expect(await findWrongBalances(test.deps.db)).toEqual([]);
    const openings = sql`select count(*)::int as n from stock_movements where reason = 'opening'`;
    expect(await firstRow(test.deps.db, openings)).toEqual({ n: 3 });
  });

  it('come back from their file, and go into another part when they are rolled up again', async () => {
    await rollUpOldMonths(test.deps);
    const before = await balances();
    const daysBefore = await days();
    await test.deps.db.execute(sql`select ensure_month_partition('stock_movements', '2023-11-01T00:00:00Z')`);
    const lines = `[${linesIn('stock_movements_2023_11.jsonl.gz').join(',')}]`;
    await test.deps.db.execute(
      sql`insert into stock_movements select * from jsonb_populate_recordset(null::stock_movements, ${lines}::jsonb)`,
    );
    expect(await days()).toEqual(daysBefore);
    expect(await findWrongBalances(test.deps.db)).toEqual([]);
    await rollUpOldMonths(test.deps);
    expect(await balances()).toEqual(before);
    expect(readdirSync(months)).toContain('stock_movements_2023_11-2.jsonl.gz');
  });

  it('take a late sale: its day goes up by it, and the month is rolled up again', async () => {
    await rollUpOldMonths(test.deps);
    const before = await days();
    const changed = async () => {
      const known = new Set(before.map((row) => JSON.stringify(row)));
      return (await days()).filter((row) => !known.has(JSON.stringify(row)));
    };
    const dayBefore = { ...before.find((row) => row.item_id === slotId && row.day.startsWith('2024-01-05')) };
    expect(dayBefore).toMatchObject({ units: 1 });
    await sell('2024-01-05T12:00:00Z', new Date('2026-03-13T09:00:00Z'));
    expect(await changed()).toEqual([{ ...dayBefore, units: 2, amount: '3.00' }]);
    await rollUpOldMonths(test.deps);
    expect(await partitions('stock_movements')).toEqual([]);
    expect(await changed()).toEqual([{ ...dayBefore, units: 2, amount: '3.00' }]);
    expect(await findWrongBalances(test.deps.db)).toEqual([]);
  });

  it('take a late sale that was paid back: its day sells no more than before', async () => {
    await rollUpOldMonths(test.deps);
    const before = await days();
    await sell('2024-01-05T12:00:00Z', new Date('2026-03-13T09:00:00Z'), true);
    expect(await days()).toEqual(before);
    await rollUpOldMonths(test.deps);
    expect(await days()).toEqual(before);
    expect((await doctorSays('Refunds'))?.state).toBe('good');
  });

  it('leave no losses behind: what came in before an opening count is not missing at it', async () => {
    const lost = sql`select sum(missing)::int as n from item_days where day >= '2024-01-31'`;
    const before = await firstRow(test.deps.db, lost);
    await writeOpenings(test.deps.db, '2024-02-01');
    await put(counted, 12, '2023-12-25T10:00:00Z');
    expect(await firstRow(test.deps.db, lost)).toEqual(before);
  });

  it.each([
    ['Asia/Tokyo', '2024-02-02'],
    ['America/Chicago', '2024-02-01'],
    ['UTC', '2024-02-01'],
  ])('leave the days that are whole in the ledger, in %s from %s on', async (zone, day) => {
    await rollUpOldMonths(test.deps);
    await test.deps.db.execute(sql`update operator set time_zone = ${zone}`);
    const kept = sql`select first_kept_day('stock_movements')::text as day`;
    expect(await firstRow(test.deps.db, kept)).toEqual({ day });
  });

  it('hold up no booking while they are written, and a run that broke off is taken up again', async () => {
    const before = await days();
    mkdirSync(months, { recursive: true });
    // Nobody reads from this pipe: the writing stands still.
    const pipe = path.join(months, 'stock_movements_2023_11.jsonl.gz.slow.unfinished');
    execFileSync('mkfifo', [pipe]);
    const newId = () => 'slow';
    const rolling = rollUpOldMonths({ ...test.deps, newId }).then(
      () => 'done',
      () => 'broken off',
    );
    const openings = sql`select count(*)::int as n from stock_movements where reason = 'opening'`;
    await expect.poll(() => firstRow(test.deps.db, openings)).toEqual({ n: 3 });
    await put(counted, 3, '2026-03-12T15:00:00Z');
    await test.deps.db.execute(sql`select ensure_month_partition('stock_movements', '2030-01-01T00:00:00Z')`);
    createReadStream(pipe).resume();
    expect(await rolling).toBe('broken off');
    expect(await partitions('stock_movements')).toHaveLength(3);
    await rollUpOldMonths(test.deps);
    expect(await partitions('stock_movements')).toEqual([]);
    expect(await firstRow(test.deps.db, openings)).toEqual({ n: 3 });
    expect(await findWrongBalances(test.deps.db)).toEqual([]);
    expect(await days()).toEqual(expect.arrayContaining(before));
  });

  it('stay when they hold a row of an item that has no opening count', async () => {
    await test.deps.db.execute(
      sql`insert into rolled_up_months (parent, month, part, row_count, file, sha256)
          values ('stock_movements', '2024-01-01', 1, 2, 'x', 'x')`,
    );
    const drop = test.deps.db.execute(sql`select drop_rolled_up_month('stock_movements', '2024-01-01', 1)`);
    await expect(drop).rejects.toMatchObject({
      cause: { message: expect.stringContaining('without a count after it') },
    });
  });

  it('keep the days before them when the operator changes the time zone', async () => {
    await rollUpOldMonths(test.deps);
    const early = sql`select * from item_days where day < '2024-01-31' order by item_type, item_id, day`;
    const before = await rows(test.deps.db, early);
    expect(before.length).toBeGreaterThan(2);
    await test.deps.db.execute(sql`update operator set time_zone = 'America/Chicago'`);
    expect(await rows(test.deps.db, early)).toEqual(before);
    expect(await findWrongBalances(test.deps.db)).toEqual([]);
  });

  it('are missed by the doctor when their file is gone or changed', async () => {
    await rollUpOldMonths(test.deps);
    const file = path.join(months, 'sales_2024_01.jsonl.gz');
    writeFileSync(file, 'something else');
    expect(await doctorSays('Months')).toMatchObject({ state: 'broken' });
    rmSync(file);
    expect((await doctorSays('Months'))?.message).toContain('sales_2024_01.jsonl.gz is not in');
  });

  it('stay when the database holds a row more than was written, or when nothing is to go', async () => {
    await expect(
      test.deps.db.transaction(async (tx) => {
        await tx.execute(sql`insert into rolled_up_months values ('sales', '2023-11-01', 1, 7, 'x', 'x', now())`);
        await tx.execute(sql`select drop_rolled_up_month('sales', '2023-11-01', 1)`);
      }),
    ).rejects.toThrow();
    expect(await rollUpOldMonths({ ...test.deps, env: { ...test.deps.env, ledgerMonths: 0 } })).toEqual([]);
    expect(await partitions('sales')).toHaveLength(2);
  });
});
