import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDex } from '../../connectors/dex/sample.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { recordRead } from './service.ts';

type Sold = Record<string, [cash: number, card: number]>;

/** A file of a machine that sells everything for 1.50; counts since the start by selection. */
function file(clock: string, sold: Sold, head: string[] = ['ID4*2*840*USD'], events: string[] = []): string {
  const all = Object.values(sold).reduce(([a, b], [c, d]) => [a + c, b + d], [0, 0]);
  const [cash, card] = all;
  return buildDex([
    'ID1*SN-1*M1',
    ...head,
    `ID5*${clock}`,
    `VA1*${(cash + card) * 150}*${cash + card}`,
    `CA2*${cash * 150}*${cash}`,
    `DA2*${card * 150}*${card}`,
    'CA17*1*25*40',
    'EA1*EGS*260310*0800',
    ...events,
    ...Object.entries(sold).flatMap(([id, [coins, cards]]) => [
      `PA1*${id}*150*COLA`,
      `PA2*${coins + cards}*${(coins + cards) * 150}`,
      `PA7*${id}*CA*1*150*${coins}*${coins * 150}`,
      `PA7*${id}*DA*1*150*${cards}*${cards * 150}`,
    ]),
  ]);
}

onEachDatabase('DEX files of a machine', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;
  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(t, '101'));
  }, 240_000);
  afterAll(() => t.close());

  const send = (id: number, content: string, more: object = {}, person = manager) =>
    person.call('POST', `/api/vending-machines/${id}/dex-reads`, { body: { content, ...more } });
  const outcome = async (id: number, content: string, more: object = {}) =>
    (await send(id, content, more)).json().outcome;
  const salesOf = (machineId: number) =>
    rows(
      t.deps.db,
      sql`select slot_number as slot, quantity, total_amount as amount, payment_method as method, flags from sales
          where machine_id = ${machineId} order by slot_number, payment_method`,
    );

  it('the first is a baseline, the next books what was sold since, the same again does nothing', async () => {
    const { id } = await buildMachine(t.deps.db, { routeDesignation: '101' });
    await buildSlot(t.deps.db, id, { slotNumber: '10' });
    expect(await outcome(id, file('260310*0900', { '10': [4, 6] }))).toBe('baseline');
    expect(await outcome(id, file('260311*0900', { '10': [6, 7] }))).toBe('sales');
    expect(await outcome(id, file('260311*0900', { '10': [6, 7] }))).toBe('duplicate');
    expect(await salesOf(id)).toEqual([
      { slot: '10', quantity: 2, amount: '3.00', method: 'cash', flags: null },
      { slot: '10', quantity: 1, amount: '1.50', method: 'cashless', flags: null },
    ]);
    const { reads, total } = (await worker.call('GET', `/api/vending-machines/${id}/dex-reads`)).json();
    expect([total, reads[0].soldVends, reads[1].soldVends]).toEqual([2, 3, null]);
    const detail = (await worker.call('GET', `/api/vending-machines/${id}/dex-reads/${reads[0].id}`)).json();
    expect(detail).toMatchObject({
      serial: 'SN-1',
      decimalPoint: 2,
      tubes: [{ coins: 40 }],
      events: [{ description: 'Door opened' }],
      selections: [{ id: '10', sold: { vends: 3, value: 450 } }],
      soldTotal: { cash: { vends: 2 }, cashless: { vends: 1 } },
    });
  });

  it('an older one and a damaged one are kept and never booked, and the next counts from the last accepted', async () => {
    const { id } = await buildMachine(t.deps.db);
    await outcome(id, file('260310*0900', { '1': [10, 0] }));
    expect(await outcome(id, file('260309*0900', { '1': [8, 0] }))).toBe('older');
    expect(await outcome(id, file('260310*1200', { '1': [11, 0] }).replace('PA2*11*', 'PA2*99*'))).toBe('damaged');
    expect(await salesOf(id)).toEqual([]);
    expect(await outcome(id, file('260311*0900', { '1': [12, 0] }))).toBe('sales');
    expect(await salesOf(id)).toMatchObject([{ quantity: 2 }]);
  });

  it('where a card system tells the card sales, only cash is booked', async () => {
    const { id } = await buildMachine(t.deps.db, { integrationSource: 'nayax', integrationId: 'nayax:77' });
    await outcome(id, file('260310*0900', { '1': [1, 1] }));
    await outcome(id, file('260311*0900', { '1': [3, 9] }));
    expect(await salesOf(id)).toMatchObject([{ quantity: 2, method: 'cash', amount: '3.00' }]);
  });

  it('where a system tells the cash sales too, nothing is booked from the counters', async () => {
    const { id } = await buildMachine(t.deps.db);
    const settings = sql`insert into integration_configs (system, name, public_id) values ('cantaloupe', 'C', ${`dex${id}`}) returning id`;
    const [config] = await rows<{ id: number }>(t.deps.db, settings);
    await t.deps.db.execute(sql`insert into vendor_devices (config_id, system, vendor_id, location_type, name, status, content_hash, link, machine_id)
      values (${config?.id}, 'cantaloupe', 'D', 'vending_machine', 'D', 'active', '', 'linked', ${id})`);
    await t.deps.db.execute(sql`insert into vendor_sales (config_id, system, vendor_id, ledger_source, ledger_id, device_id, quantity, unit_price, amount,
        currency, payment_method, status, sold_at, moves_stock, content_hash, outcome)
      values (${config?.id}, 'cantaloupe', 'S', 'c', 'S', 'D', 1, 1, 1, 'USD', 'cash', 'completed', '2026-03-10T00:00:00Z', true, '', 'booked')`);
    await outcome(id, file('260310*0900', { '1': [1, 1] }));
    expect(await outcome(id, file('260311*0900', { '1': [3, 9] }))).toBe('sales');
    expect(await salesOf(id)).toEqual([]);
  });

  it('of a file without a scale counts are booked and no money', async () => {
    const { id } = await buildMachine(t.deps.db);
    await outcome(id, file('260310*0900', { '1': [1, 0] }, []));
    await outcome(id, file('260311*0900', { '1': [5, 0] }, []));
    expect(await salesOf(id)).toMatchObject([{ quantity: 4, amount: '0.00', flags: 'dex: amount unknown' }]);
  });

  it('another currency is told, and its sales are booked in it', async () => {
    const { id } = await buildMachine(t.deps.db);
    await outcome(id, file('260310*0900', { '1': [1, 0] }, ['ID4*2*978*EUR']));
    await outcome(id, file('260311*0900', { '1': [2, 0] }, ['ID4*2*978*EUR']));
    expect(await rows(t.deps.db, sql`select currency from sales where machine_id = ${id}`)).toEqual([
      { currency: 'EUR' },
    ]);
    const { reads } = (await manager.call('GET', `/api/vending-machines/${id}/dex-reads`)).json();
    expect(reads[0].notes).toContain('The machine counts in EUR: its money is not added to sales in USD.');
  });

  it('counters that fell are a new baseline with an alert; two machines with one serial number are told', async () => {
    const { id } = await buildMachine(t.deps.db, { name: 'First of two' });
    await outcome(id, file('260310*0900', { '1': [50, 0] }));
    expect(await outcome(id, file('260311*0900', { '1': [2, 0] }))).toBe('baseline');
    const alerts = await rows(t.deps.db, sql`select message from vending_machine_alerts where machine_id = ${id}`);
    expect(alerts).toEqual([{ message: expect.stringContaining('Counters of 1 fell') }]);
    const other = await buildMachine(t.deps.db);
    await outcome(other.id, file('260311*0900', { '1': [2, 0] }));
    const { reads } = (await manager.call('GET', `/api/vending-machines/${other.id}/dex-reads`)).json();
    expect(reads[0].notes[0]).toContain('SN-1 also comes from');
  });

  it('faults that a file tells of are alerts of the machine until it says that they are over', async () => {
    const { id } = await buildMachine(t.deps.db, { routeDesignation: '101' });
    const sendWith = (clock: string, count: number, ...events: string[]) =>
      outcome(id, file(clock, { '1': [count, 0] }, ['ID4*2*840*USD'], events));
    const open = async () =>
      (
        await rows<{ type: string; severity: string; message: string }>(
          t.deps.db,
          sql`select alert_type as type, severity, message from vending_machine_alerts
              where machine_id = ${id} and resolved_at is null order by 1`,
        )
      ).map((one) => [one.type, one.severity, one.message]);
    const jam = ['dex_ejc', 'high', 'DEX: Coil jam (12). DEX: Coil jam (14).'];
    const hot = ['dex_ejh', 'critical', 'DEX: Health timer: food may not be sold.'];
    const jams = ['EA1*EJC_12*260310*0830', 'EA1*EJC_14*260310*0845'];
    await sendWith('260310*0900', 1, ...jams, 'EA1*ENK*260101*0900', 'EA2*EJH*1*1**1');
    expect(await open()).toEqual([jam, hot]);
    // What happened before the last file is known already.
    await t.deps.db.execute(sql`update vending_machine_alerts set resolved_at = now(), resolved_by = 'Ada' where machine_id = ${id}
      and alert_type = 'dex_ejc'`);
    await sendWith('260310*1000', 2, ...jams, 'EA2*EJH*1*1**1');
    expect(await open()).toEqual([hot]);
    await sendWith('260310*1100', 3, ...jams, 'EA1*EJC_12*260310*1030', 'EA2*EJH*1*1**0');
    expect(await open()).toEqual([['dex_ejc', 'high', 'DEX: Coil jam (12).']]);
  });

  it('a selection is the slot that a person says it is', async () => {
    const { id } = await buildMachine(t.deps.db, { routeDesignation: '101' });
    await buildSlot(t.deps.db, id, { slotNumber: 'A1', productName: 'Water' });
    await outcome(id, file('260310*0900', { '001': [1, 0] }));
    const url = `/api/vending-machines/${id}/dex-links`;
    expect((await worker.call('GET', url)).json().selections).toEqual([
      { selection: '001', name: 'COLA', slotNumber: null, chosen: false },
    ]);
    const links = [{ selection: '001', slotNumber: 'A1' }];
    expect((await manager.call('PUT', url, { body: { links } })).statusCode).toBe(200);
    expect((await worker.call('PUT', url, { body: { links } })).statusCode).toBe(403);
    const wrong = await manager.call('PUT', url, { body: { links: [{ selection: '001', slotNumber: 'Z9' }] } });
    expect(wrong.json()).toMatchObject({ status: 400, detail: expect.stringContaining('There is no slot Z9') });
    await outcome(id, file('260311*0900', { '001': [3, 0] }));
    expect(await salesOf(id)).toMatchObject([{ slot: 'A1', quantity: 2 }]);
  });

  it('a selection in other capitals is the slot, and its sales are of what stands there', async () => {
    const { id } = await buildMachine(t.deps.db);
    await buildSlot(t.deps.db, id, { slotNumber: 'A1', productName: 'Water', createdAt: new Date('2026-03-01') });
    await outcome(id, file('260310*0900', { a1: [1, 0] }));
    const links = await manager.call('GET', `/api/vending-machines/${id}/dex-links`);
    expect(links.json().selections).toMatchObject([{ selection: 'a1', slotNumber: 'A1', chosen: false }]);
    await outcome(id, file('260311*0900', { a1: [3, 0] }));
    expect(await salesOf(id)).toMatchObject([{ slot: 'A1', quantity: 2 }]);
    const named = await rows(t.deps.db, sql`select product_name as product from sales where machine_id = ${id}`);
    expect(named).toEqual([{ product: 'Water' }]);
  });

  it('a clock that is ahead is told, and the carrier’s time counts', async () => {
    const { id } = await buildMachine(t.deps.db);
    await t.deps.db.transaction((tx) =>
      recordRead(
        tx,
        {
          machineId: id,
          bytes: Buffer.from(file('260401*0900', { '1': [1, 0] })),
          readAt: new Date('2026-03-10T12:00:00Z'),
          origin: 'nama_vdi:3',
          receivedBy: null,
        },
        t.deps.clock.now(),
      ),
    );
    const { reads } = (await manager.call('GET', `/api/vending-machines/${id}/dex-reads`)).json();
    expect(reads[0]).toMatchObject({
      readAt: '2026-03-10T12:00:00.000Z',
      notes: expect.arrayContaining(['The machine’s clock is 22 days ahead.']),
    });
  });

  it('a machine whose file came by itself was heard of then; one that a person carried, or a damaged one, tells nothing of that', async () => {
    const { id } = await buildMachine(t.deps.db);
    const lastSeen = async () => (await manager.call('GET', `/api/vending-machines/${id}`)).json().lastSeen;
    const arrive = (bytes: Buffer, readAt: string) =>
      t.deps.db.transaction((tx) =>
        recordRead(
          tx,
          { machineId: id, bytes, readAt: new Date(readAt), origin: 'nama_vdi:3', receivedBy: null },
          t.deps.clock.now(),
        ),
      );
    await outcome(id, file('260310*0900', { '1': [1, 0] }));
    expect(await lastSeen()).toBe(null);
    const damaged = file('260310*1000', { '1': [2, 0] }).replace('PA2*2', 'PA2*3');
    await arrive(Buffer.from(damaged), '2026-03-10T14:00:00Z');
    expect(await lastSeen()).toBe(null);
    await arrive(Buffer.from(file('260310*1100', { '1': [3, 0] })), '2026-03-10T15:00:00Z');
    expect(await lastSeen()).toBe('2026-03-10T15:00:00.000Z');
  });

  it('takes base64, refuses what is no DEX file with a sentence, and hides other routes’ machines', async () => {
    const { id } = await buildMachine(t.deps.db, { routeDesignation: '202' });
    const content = Buffer.from(file('260310*0900', { '1': [1, 0] })).toString('base64');
    expect(await outcome(id, content, { encoding: 'base64' })).toBe('baseline');
    expect((await send(id, 'hello')).json()).toMatchObject({
      status: 400,
      fields: { content: expect.stringContaining('no DEX') },
    });
    expect((await send(id, '%%', { encoding: 'base64' })).statusCode).toBe(400);
    expect((await send(id, 'x'.repeat(900_001))).statusCode).toBe(400);
    expect((await send(id, content, { encoding: 'base64' }, worker)).statusCode).toBe(404);
    expect((await manager.call('GET', `/api/vending-machines/${id}/dex-reads/999999`)).statusCode).toBe(404);
  });
});
