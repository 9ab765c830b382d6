import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReconciliationReport } from '../../contract/reconciliation.ts';
import { rows } from '../db/database.ts';
import { recordSales, type Sale } from '../sales/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildMarket, buildUser } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { hasDifference } from './comparison.ts';

/** Noon in New York on a day of March 2026; the clock stands at the 12th. */
const noon = (day: number): Date => new Date(Date.UTC(2026, 2, 0, 16) + day * 86_400_000);

onEachDatabase('reconciliation', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;
  let machineId = 0;
  const bag = randomUUID();

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(t, '101'));
    const { db } = t.deps;
    machineId = (await buildMachine(db, { name: 'Lobby', routeDesignation: '101' })).id;
    await config(1, 4);
    await device('VK1', { machineId });
    await sell('cantaloupe', 'A', '1.50');
    await sell('cantaloupe', 'B', '2.00');
    await sell('cantaloupe', 'gone', '3.00');
    await sell('import', 'offline', '1.25');
    await tell('A', '1.50');
    await tell('B', '2.25');
    await tell('more', '4.00');
    // Without a reference of the partner: found by machine, amount and a clock that is half a minute off.
    await tell('near', '1.25', { later: 30_000 });
    await cash('1.00', 4);
    await cash('2.50', 6);
    await visit(randomUUID(), 'BAG-1', 3);
    await visit(bag, 'BAG-2', 8);
  }, 180_000);
  afterAll(() => t.close());

  async function sell(source: string, id: string, amount: string, fields: Partial<Sale> = {}): Promise<void> {
    const sale: Sale = {
      ...{ source, transactionId: id, line: null, machineId, marketId: null, slotNumber: null, productName: 'Cola' },
      ...{ productCode: null, category: null, quantity: 1, price: amount, totalAmount: amount, currency: 'USD' },
      ...{ paymentMethod: 'credit', soldAt: noon(5), successful: true, refunded: false, flags: null, ...fields },
    };
    await t.deps.db.transaction((tx) => recordSales(tx, [sale], noon(12)));
  }
  const cash = (amount: string, day: number) =>
    sell('import', `cash-${day}`, amount, { paymentMethod: 'cash', soldAt: noon(day) });
  type Told = {
    later?: number;
    day?: number;
    configId?: number;
    deviceId?: string;
    type?: string;
    movesStock?: boolean;
  };
  async function tell(id: string, amount: string, told: Told = {}): Promise<void> {
    const { later = 0, day = 5, configId = 1, deviceId = 'VK1', type = null, movesStock = true } = told;
    const at = new Date(noon(day).getTime() + later).toISOString();
    const details = JSON.stringify(type === null ? {} : { transactionType: type });
    await t.deps.db.execute(sql`insert into vendor_sales (config_id, system, vendor_id, ledger_source, ledger_id, device_id,
        quantity, unit_price, amount, currency, payment_method, status, sold_at, moves_stock, content_hash, outcome, details)
      values (${configId}, 'cantaloupe', ${id}, 'cantaloupe', ${id}, ${deviceId}, 1, ${amount}, ${amount}, 'USD', 'credit', 'completed', ${at},
        ${movesStock}, 'x', 'booked', ${details}::jsonb)`);
  }
  const config = (id: number, connectedOn: number) =>
    t.deps.db.execute(sql`insert into integration_configs (id, system, name, public_id, created_at)
      values (${id}, 'cantaloupe', ${`Seed ${id}`}, ${`${id}`.padStart(32, '0')}, ${noon(connectedOn).toISOString()})`);
  const device = (id: string, place: { machineId?: number; marketId?: number; configId?: number }) =>
    t.deps.db.execute(sql`insert into vendor_devices (config_id, system, vendor_id, location_type, name, status, content_hash, link,
        machine_id, market_id)
      values (${place.configId ?? 1}, 'cantaloupe', ${id}, 'vending_machine', ${id}, 'active', 'x', ${place.machineId || place.marketId ? 'linked' : 'unsure'},
        ${place.machineId ?? null}, ${place.marketId ?? null})`);
  const visit = (id: string, number: string, day: number) =>
    t.deps.db.execute(sql`insert into visits (id, vending_machine_id, device_seq, opened_at, closed_at, bag_number)
      values (${id}, ${machineId}, 1, ${noon(day).toISOString()}, ${noon(day).toISOString()}, ${number})`);

  async function report(): Promise<ReconciliationReport> {
    const reply = await manager.call('GET', '/api/reconciliation?range=month');
    expect(reply.statusCode, reply.body).toBe(200);
    return reply.json() as ReconciliationReport;
  }
  const openOnes = async () =>
    (await report()).differences
      .filter((one) => one.settled === null)
      .map((one) => [one.kind, one.reference, one.amount]);

  it('books and card payments are matched by reference, else by machine, amount and time; the rest is told with its cause', async () => {
    const found = await report();
    expect(found).toMatchObject({ sales: 4, payments: 4, pairs: 3, payouts: 0, open: 3, openAmount: '1.25' });
    expect((await openOnes()).sort()).toEqual([
      ['amount-differs', 'B', '0.25'],
      ['payment-without-sale', 'more', '4.00'],
      ['sale-without-payment', 'gone', '-3.00'],
    ]);
    expect(found.differences[0]).toMatchObject({
      ageDays: 6,
      location: { type: 'vending_machine', name: 'Lobby' },
      cause: expect.any(String),
    });
  });

  it('payments that are not through yet, and those that came to nothing, are counted for what they are', async () => {
    const before = await report();
    await tell('waits', '2.00');
    await tell('fell', '2.00');
    await t.deps.db.execute(sql`update vendor_sales set status = 'pending' where ledger_id = 'waits'`);
    await t.deps.db.execute(sql`update vendor_sales set status = 'failed' where ledger_id = 'fell'`);
    const { payments, pairs, pending, failed, open } = before;
    expect([pending, failed]).toEqual([0, 0]);
    expect(await report()).toMatchObject({ payments: payments + 2, pairs, pending: 1, failed: 1, open });
    await t.deps.db.execute(sql`delete from vendor_sales where ledger_id in ('waits', 'fell')`);
  });

  it('money that bought nothing and payments of readers that are not linked are no difference; a market’s sales are matched', async () => {
    const before = await report();
    await tell('deposit', '20.00', { type: 'account_deposit', movesStock: false });
    await tell('corrected', '5.00', { type: 'adjustment', movesStock: false });
    await tell('collected', '81.25', { type: 'cash_collection', movesStock: false });
    await device('VK9', {});
    await tell('elsewhere', '6.00', { deviceId: 'VK9' });
    await tell('nowhere', '6.00', { deviceId: 'VK10' });
    const marketId = (await buildMarket(t.deps.db, { name: 'Plaza' })).id;
    await device('TILL', { marketId });
    await sell('cantaloupe', 'till-1', '7.00', { machineId: null, marketId });
    await sell('cantaloupe', 'till-2', '8.00', { machineId: null, marketId });
    await tell('till-1', '7.00', { deviceId: 'TILL' });
    const after = await report();
    expect(after).toMatchObject({ sales: before.sales + 2, payments: before.payments + 1, pairs: before.pairs + 1 });
    const added = after.differences.filter((one) => !before.differences.some(({ key }) => key === one.key));
    expect(added.map((one) => [one.kind, one.reference, one.location])).toEqual([
      ['sale-without-payment', 'till-2', { type: 'market', id: marketId, name: 'Plaza' }],
    ]);
  });

  it('a payout file is matched line by line, and taken once', async () => {
    const content =
      'Payout,Reference,Amount,Fee,Date\nP1,A,$1.42,0.08,03/12/2026\nP1,B,2.00,0.10,2026-03-12\nP1,odd,9.00,,2026-03-12\nP1,,1,,2026-03-12\nTotal,,12.42,,\n';
    const send = () =>
      manager.call('POST', '/api/reconciliation/payouts', { body: { system: 'cantaloupe', name: 'p.csv', content } });
    expect((await send()).json()).toEqual({ added: 3, known: 0, refused: [{ line: 5, reason: 'has no reference' }] });
    expect((await send()).json()).toMatchObject({ added: 0, known: 3 });
    const payouts = (await openOnes()).filter(([kind]) => /payout|paid-out/.test(String(kind)));
    expect(payouts.sort()).toEqual([
      ['not-paid-out', 'deposit', '-20.00'],
      ['not-paid-out', 'elsewhere', '-6.00'],
      ['not-paid-out', 'more', '-4.00'],
      ['not-paid-out', 'near', '-1.25'],
      ['not-paid-out', 'nowhere', '-6.00'],
      ['not-paid-out', 'till-1', '-7.00'],
      ['payout-differs', 'B', '-0.15'],
      ['payout-unknown', 'odd', '9.00'],
    ]);
  });

  it('a payout of a payment that was made on other days than those asked for is not one of an unknown payment', async () => {
    const unknownOf = async (from: string, to: string) => {
      const reply = await manager.call('GET', `/api/reconciliation?from=${from}&to=${to}`);
      const { differences } = reply.json() as ReconciliationReport;
      return differences.filter(({ kind }) => kind === 'payout-unknown').map(({ reference }) => reference);
    };
    expect(await unknownOf('2026-03-12', '2026-03-12')).toEqual(['odd']);
    expect(await unknownOf('2026-03-02', '2026-03-04')).toEqual(['odd']);
  });

  it.each(['12,34', '1.234,56', ',5', '1,2,3', '1,0000', '(', '$', '.', '', '12,345,678,901.00'])(
    'a payout of %j is refused: where its decimals begin is not known, or it is more than is paid out',
    async (amount) => {
      const content = `Payout,Reference,Amount,Date\nP9,comma,"${amount}",2026-03-12\n`;
      const body = { system: 'moma', name: 'c.csv', content };
      expect((await manager.call('POST', '/api/reconciliation/payouts', { body })).json()).toEqual({
        ...{ added: 0, known: 0 },
        refused: [{ line: 2, reason: 'has an amount that cannot be read' }],
      });
    },
  );

  it('payments of a system whose payout files nobody brought are not missed in those of another', async () => {
    await t.deps.db.execute(sql`insert into vendor_sales (config_id, system, vendor_id, ledger_source, ledger_id, device_id, quantity,
        unit_price, amount, currency, payment_method, status, sold_at, moves_stock, content_hash, outcome)
      values (9, 'nayax', 'N-1', 'nayax', 'N-1', 'VK10', 1, 3, 3, 'USD', 'credit', 'completed', ${noon(5).toISOString()}, true, 'x', 'booked')`);
    expect((await openOnes()).filter(([, reference]) => reference === 'N-1')).toEqual([]);
  });

  it('a difference is accepted with a note, and opened again', async () => {
    const [first] = (await report()).differences;
    const settle = { key: first?.key, kind: first?.kind, note: 'Reader was offline' };
    expect((await manager.call('POST', '/api/reconciliation/settle', { body: settle })).statusCode).toBe(200);
    const after = await report();
    expect([after.settled, after.differences.at(-1)?.settled?.note]).toEqual([1, 'Reader was offline']);
    const reopen = () => manager.call('POST', '/api/reconciliation/reopen', { body: { key: first?.key } });
    expect((await reopen()).statusCode).toBe(200);
    expect((await report()).settled).toBe(0);
    expect((await reopen()).statusCode).toBe(404);
  });

  it('what no difference is cannot be accepted, and nothing of it is kept', async () => {
    const [first, second] = (await report()).differences;
    const settle = (body: object) => manager.call('POST', '/api/reconciliation/settle', { body });
    const wrong = [
      { key: 'no-such-difference', kind: 'paid-twice' },
      { key: 'paid-twice||1|nobody|', kind: 'paid-twice', at: first?.at },
      { key: first?.key, kind: 'payout-unknown' },
      { key: second?.key, kind: second?.kind, at: '2025-01-01T00:00:00.000Z' },
    ];
    for (const body of wrong) {
      const reply = await settle(body);
      expect([reply.statusCode, reply.json().detail]).toEqual([404, expect.stringContaining('no such difference')]);
      expect(Object.keys(reply.json().fields)).toEqual(['key']);
    }
    expect(await rows(t.deps.db, sql`select key from settled_differences`)).toEqual([]);
    expect((await settle({ key: first?.key, kind: first?.kind, at: first?.at })).statusCode).toBe(200);
    await manager.call('POST', '/api/reconciliation/reopen', { body: { key: first?.key } });
  });

  it('a difference at the edge of the days that were compared can be accepted', async () => {
    const asked = '/api/reconciliation?from=2026-03-05&to=2026-03-05';
    const late = { soldAt: new Date('2026-03-06T04:58:00Z') };
    await sell('import', 'midnight', '9.75', late);
    await tell('midnight', '9.75', { later: 13 * 3_600_000 + 60_000 });
    const edge = ((await manager.call('GET', asked)).json() as ReconciliationReport).differences.find(
      ({ reference }) => reference === 'midnight',
    );
    expect(edge?.kind).toBe('sale-without-payment');
    const { key, kind, at } = edge ?? {};
    const reply = await manager.call('POST', '/api/reconciliation/settle', { body: { key, kind, at } });
    expect(reply.statusCode, reply.body).toBe(200);
    await manager.call('POST', '/api/reconciliation/reopen', { body: { key } });
    expect((await report()).differences.some((one) => one.key === key)).toBe(false);
  });

  it('who accepted a difference is told by name, or by address where there is none', async () => {
    const { id, email } = await buildUser(t.deps.db, { role: 'route_manager', firstName: '', lastName: '' });
    const nameless = await t.as(id);
    const [first] = (await report()).differences;
    const told: (string | null | undefined)[] = [];
    for (const who of [manager, nameless]) {
      await who.call('POST', '/api/reconciliation/settle', { body: { key: first?.key, kind: first?.kind } });
      told.push((await report()).differences.find(({ key }) => key === first?.key)?.settled?.by);
      await who.call('POST', '/api/reconciliation/reopen', { body: { key: first?.key } });
    }
    expect(told).toEqual(['Mary Manager', email]);
  });

  it('a bag is compared with the cash sold since the one before, by route and by driver', async () => {
    const put = (counted: string | null, id = bag) =>
      manager.call('PUT', `/api/reconciliation/cash/${id}`, { body: { counted } });
    expect((await put('3.25')).statusCode).toBe(200);
    const { bags, byRoute } = await report();
    expect(bags.map((one) => [one.bagNumber, one.expected, one.counted, one.difference])).toEqual([
      ['BAG-2', '3.50', '3.25', '-0.25'],
      ['BAG-1', null, null, null],
    ]);
    expect(byRoute).toEqual([{ name: 'Route 101', bags: 1, expected: '3.50', counted: '3.25', difference: '-0.25' }]);
    await put(null);
    expect((await report()).byDriver).toEqual([]);
    expect((await put('1.00', randomUUID())).statusCode).toBe(404);
    expect((await put('-1')).statusCode).toBe(400);
  });

  it.each([
    ['no columns', 'Name,Age\nAda,36\n', 'needs the columns'],
    ['no rows', 'Reference,Amount,Date\n', 'no payouts'],
    ['no CSV', 'Reference,Amount,Date\n"open', 'no CSV table'],
  ])('refuses a payout file with %s', async (_name, content, sentence) => {
    const body = { system: 'nayax', name: 'p.csv', content };
    const reply = await manager.call('POST', '/api/reconciliation/payouts', { body });
    expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining(sentence)]);
  });

  it('a sale from before a system was connected, or after it was switched off, misses no payment', async () => {
    const lateId = (await buildMachine(t.deps.db, { name: 'Late' })).id;
    await config(2, 7);
    await device('VK2', { machineId: lateId, configId: 2 });
    // The system tells of the days before it was connected too, as far as it kept them.
    await tell('kept', '2.00', { configId: 2, deviceId: 'VK2', day: 6 });
    await tell('last', '2.00', { configId: 2, deviceId: 'VK2', day: 10 });
    const sold = (id: string, day: number) => sell('import', id, '2.00', { machineId: lateId, soldAt: noon(day) });
    for (const [id, day] of [
      ['kept', 6],
      ['last', 10],
    ] as const)
      await sold(id, day);
    const before = (await report()).sales;
    for (const [id, day] of [
      ['early', 6.5],
      ['missed', 8],
      ['after', 11],
    ] as const)
      await sold(id, day);
    const missing = async () =>
      (await report()).differences.filter((one) => one.location?.id === lateId).map((one) => [one.kind, one.reference]);
    const all = [
      ['sale-without-payment', 'missed'],
      ['sale-without-payment', 'after'],
    ];
    expect(await missing()).toEqual(all);
    expect((await report()).sales).toBe(before + 2);
    await t.deps.db.execute(sql`update integration_configs set is_active = false where id = 2`);
    expect(await missing()).toEqual(all.slice(0, 1));
  });

  it('is for the office only', async () => {
    expect((await worker.call('GET', '/api/reconciliation')).statusCode).toBe(403);
    const body = { key: 'x', kind: 'paid-twice' };
    expect((await worker.call('POST', '/api/reconciliation/settle', { body })).statusCode).toBe(403);
  });

  it('where the days around it are too many to compare at once, a difference of a day can be accepted all the same', async () => {
    for (let nth = 0; nth < 31; nth += 1) await sell('import', `many-${nth}`, '9.00', { soldAt: noon(6) });
    const { key, kind, at } = (await report()).differences.find(({ reference }) => reference === 'gone') ?? {};
    const books = { timeZone: 'America/New_York', currency: 'USD', at: new Date(at ?? 0), most: 30 };
    const has = (named: string) => hasDifference(t.deps.db, { key: named, kind: kind ?? 'paid-twice' }, books);
    expect([await has(key ?? ''), await has('none')]).toEqual([true, false]);
    const full = hasDifference(t.deps.db, { key: 'none', kind: 'paid-twice' }, { ...books, at: noon(6) });
    await expect(full).rejects.toMatchObject({ message: expect.stringContaining('too many payments') });
  });
});
