import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { ReconciliationReport } from '../../contract/reconciliation.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('payout files', (open) => {
  let t: TestApp;
  let manager: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    await t.deps.db.execute(sql`delete from payout_lines`);
  });

  const read = async (name: string, content: string) => {
    const body = { system: 'cantaloupe', name, content };
    const reply = await manager.call('POST', '/api/reconciliation/payouts', { body });
    expect(reply.statusCode, reply.body).toBe(201);
    return reply.json();
  };
  const paidOut = () =>
    rows(
      t.deps.db,
      sql`select reference, count(*)::int as lines, sum(amount)::text as amount from payout_lines group by 1 order by 1`,
    );
  const tell = (id: string, amount: string, status: string, { vendorId = id, outcome = 'booked' } = {}) =>
    t.deps.db.execute(sql`insert into vendor_sales (config_id, system, vendor_id, ledger_source, ledger_id, device_id, quantity,
        unit_price, amount, currency, payment_method, status, sold_at, moves_stock, content_hash, outcome, details)
      values (1, 'cantaloupe', ${vendorId}, 'cantaloupe', ${id}, 'VK1', 1, ${amount}, ${amount}, 'USD', 'credit', ${status},
        '2026-03-05T16:00:00Z', true, 'x', ${outcome}, '{}'::jsonb)`);

  const unnamed = 'Reference,Amount,Date\nA,1.50,2026-03-12\nB,2.00,2026-03-12\nB,2.00,2026-03-12\n';

  it('a file without payout names counts once, whatever it is called, and lines alike within it count each', async () => {
    expect(await read('march.csv', unnamed)).toMatchObject({ added: 3, known: 0 });
    expect(await read('march (1).csv', unnamed)).toMatchObject({ added: 0, known: 3 });
    expect(await paidOut()).toEqual([
      { reference: 'A', lines: 1, amount: '1.50' },
      { reference: 'B', lines: 2, amount: '4.00' },
    ]);
  });

  it('what a later file has more is taken: another line of a known sale, a third one alike, another day', async () => {
    await read('march.csv', unnamed);
    const more = `${unnamed}B,2.00,2026-03-12\nA,-1.50,2026-03-12\nA,1.50,2026-03-13\n`;
    // Under the name of before as well as under another.
    expect(await read('march.csv', more)).toMatchObject({ added: 3, known: 3 });
    expect(await read('april.csv', more)).toMatchObject({ added: 0, known: 6 });
    expect(await paidOut()).toEqual([
      { reference: 'A', lines: 3, amount: '1.50' },
      { reference: 'B', lines: 3, amount: '6.00' },
    ]);
  });

  it.each([
    ['before fees', 'Reference,Gross,Fee,Date\nA,3.00,0.10,2026-03-12\n'],
    ['before and after them', 'Reference,Gross,Fee,Net,Date\nA,3.00,-0.10,2.90,2026-03-12\n'],
    [
      'before and after them, the first called the amount',
      'Reference,Amount,Fee,Net,Date\nA,3.00,0.10,2.90,2026-03-12\n',
    ],
    ['after them', 'Reference,Amount,Fee,Date\nA,2.90,0.10,2026-03-12\n'],
  ])('of a file with amounts %s, what arrived is kept beside the fee', async (_amounts, content) => {
    await read('fees.csv', content);
    expect(await rows(t.deps.db, sql`select amount::text, fee::text from payout_lines`)).toEqual([
      { amount: '2.90', fee: '0.10' },
    ]);
  });

  it('a payment made at a place called Total is a payment, and a sum of the file is none', async () => {
    const content = `Location,Reference,Amount,Date
Total Fitness,A,1.50,2026-03-12
Total Fitness,Total,1.50,
Total,,1.50,2026-03-12
Grand total,,1.50,
`;
    expect(await read('places.csv', content)).toEqual({ added: 1, known: 0, refused: [] });
    expect(await paidOut()).toEqual([{ reference: 'A', lines: 1, amount: '1.50' }]);
  });

  it('a line that is refused is named by where it stands in the file', async () => {
    const content = 'Reference,Note,Amount,Date\r\nA,"two\r\nlines",1.50,2026-03-12\r\n\r\nB,,(2.00,2026-03-12\r\n';
    expect(await read('lines.csv', `\ufeff${content}`)).toEqual({
      ...{ added: 1, known: 0 },
      refused: [{ line: 5, reason: 'has an amount that cannot be read' }],
    });
  });

  it('two files of one content that come at the same moment count once', async () => {
    const both = await Promise.all([read('one.csv', unnamed), read('two.csv', unnamed)]);
    expect(both.map(({ added }) => added).sort()).toEqual([0, 3]);
    expect(await rows(t.deps.db, sql`select 1 from payout_lines`)).toHaveLength(3);
  });

  it('two payouts that have names are two, though they say the same', async () => {
    const named = (payout: string) => `Payout,Reference,Amount,Date\n${payout},A,1.50,2026-03-12\n`;
    expect(await read('a.csv', named('P1'))).toMatchObject({ added: 1 });
    expect(await read('b.csv', named('P2'))).toMatchObject({ added: 1 });
    expect(await read('c.csv', named('P2'))).toMatchObject({ added: 0, known: 1 });
    expect(await read('d.csv', 'Reference,Amount,Date\nA,1.50,2026-03-12\n')).toMatchObject({ added: 0, known: 1 });
  });

  it('of lines alike in one file, the one without a payout counts beside the one that has it', async () => {
    const both = 'Payout,Reference,Amount,Date\nP1,A,1.50,2026-03-12\n,A,1.50,2026-03-12\n';
    expect(await read('march.csv', both)).toMatchObject({ added: 2, known: 0 });
    expect(await read('march (1).csv', both)).toMatchObject({ added: 0, known: 2 });
  });

  it('a payout of a payment that was refunded since is not one of an unknown payment', async () => {
    await tell('R1', '3.00', 'refunded');
    await tell('R2', '-4.00', 'refunded');
    await read('refunds.csv', 'Reference,Amount,Date\nR1,3.00,2026-03-07\nR2,4.00,2026-03-07\nodd,9.00,2026-03-07\n');
    const reply = await manager.call('GET', '/api/reconciliation?range=month');
    const { differences, payments } = reply.json() as ReconciliationReport;
    expect(differences.map(({ kind, reference }) => [kind, reference])).toEqual([['payout-unknown', 'odd']]);
    expect(payments).toBe(0);
  });

  it('a payment of which a part was refunded and waits for a person is compared by what is left of it', async () => {
    await tell('H1', '3.00', 'completed');
    await tell('H1', '2.00', 'refunded', { vendorId: 'H1-2', outcome: 'held' });
    await read('held.csv', 'Reference,Amount,Date\nH1,2.50,2026-03-07\n');
    const { differences } = (
      await manager.call('GET', '/api/reconciliation?range=month')
    ).json() as ReconciliationReport;
    expect(differences.map(({ kind, reference, amount }) => [kind, reference, amount])).toEqual([
      ['payout-differs', 'H1', '-0.50'],
    ]);
  });

  it('a surcharge for paying by card, which is in no price, is no difference of the payout', async () => {
    for (const id of ['F1', 'F2']) await tell(id, '3.00', 'completed');
    await t.deps.db.execute(
      sql`update vendor_sales set details = '{"surcharge": "0.10"}'::jsonb where ledger_id in ('F1', 'F2')`,
    );
    await read('fees-on-top.csv', 'Reference,Amount,Date\nF1,3.10,2026-03-07\nF2,2.50,2026-03-07\n');
    const { differences } = (
      await manager.call('GET', '/api/reconciliation?range=month')
    ).json() as ReconciliationReport;
    expect(differences.map(({ kind, reference, amount }) => [kind, reference, amount])).toEqual([
      ['payout-differs', 'F2', '-0.60'],
    ]);
  });

  it('a refund that has the reference of its sale is taken off what is expected, whatever days are compared', async () => {
    const give = (id: string, amount: string) =>
      t.deps.db.execute(sql`insert into vendor_sales (config_id, system, vendor_id, ledger_source, ledger_id, device_id, quantity,
          unit_price, amount, currency, payment_method, status, sold_at, moves_stock, content_hash, outcome)
        values (1, 'cantaloupe', ${`${id}:refund-1`}, 'cantaloupe', ${id}, 'VK1', 1, ${amount}, ${amount}, 'USD', 'credit', 'refunded',
          '2026-03-07T16:00:00Z', false, 'x', 'booked')`);
    for (const id of ['G1', 'G2', 'G3']) await tell(id, '3.00', 'completed');
    await give('G1', '-3.00');
    await give('G2', '-1.00');
    await give('G3', '-1.00');
    const content =
      'Reference,Amount,Date\nG1,3.00,2026-03-07\nG1,-3.00,2026-03-09\nG2,2.00,2026-03-09\nG3,3.00,2026-03-07\nG3,-1.50,2026-03-09\n';
    await read('given-back.csv', content);
    for (const days of ['range=month', 'from=2026-03-05&to=2026-03-05']) {
      const reply = await manager.call('GET', `/api/reconciliation?${days}`);
      const differences = (reply.json() as ReconciliationReport).differences.filter(({ kind }) => /payout/.test(kind));
      expect(differences.map(({ kind, reference, amount }) => [kind, reference, amount])).toEqual([
        ['payout-differs', 'G3', '-0.50'],
      ]);
    }
  });
});
