import { once } from 'node:events';
import { request } from 'node:http';
import { sql } from 'drizzle-orm';
import { BasicAuthSecurity, createClientAsync } from 'soap';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildDex } from '../../connectors/dex/sample.ts';
import { writeCall } from '../../connectors/nama-vdi/envelope.ts';
import { firstRow, rows } from '../db/database.ts';
import { createConfig, updateConfig } from '../integrations/service.ts';
import { atOnce } from '../testing/at-once.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildMarket } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { untilQuiet } from '../vendor-sync/service.ts';
import { purgeDocuments } from './service.ts';

const root = (type: string, id: string, content: string): string =>
  `<VDITransaction VDIXMLVersion="1" VDIXMLType="${type}" ProviderID="365" ApplicationID="smartshop" ApplicationVersion="1902" OperatorID="46" TransactionID="${id}" TransactionTime="2026-03-12T09:00:00-05:00">${content}</VDITransaction>`;
const kiosks =
  '<KiosksCollection><Kiosk MarketID="M1" KioskID="K1" KioskSN="V1" LastSync="2026-03-12T09:00:00Z"/></KiosksCollection>';
const sales = (id: string) =>
  `<Sales><Sale MarketID="M1" KioskID="K1" SaleID="${id}" SaleTime="2026-03-12 09:30:00.0000000 -04:00"><Summary Price="3" Total="3"/><Items><Item ProductID="P1" Quantity="2" Price="1.50" Total="1.50"/></Items><Tenders><Tender Type="CARD" Amount="3"/></Tenders></Sale><Sale SaleID="bad" SaleTime="never"><Items/></Sale></Sales>`;

onEachDatabase('VDI service', (open) => {
  let t: TestApp;
  let configId: number;
  let origin: string;
  const settings = {
    vmsSystemId: 'Milkrun',
    mmsSystemId: '365/46',
    apiEndpoint: 'https://mms.example.test/vdi',
    apiKey: 'the key',
    version: '1.0',
    environment: 'production',
    enableDexData: true,
    enableTransactionData: true,
    enableOperationalData: true,
  };

  beforeAll(async () => {
    t = await testApp(open);
    ({ id: configId } = await createConfig(t.deps, null, { system: 'nama_vdi', name: 'Kiosks', settings }));
    origin = await t.app.listen({ port: 0, host: '127.0.0.1' });
  }, 240_000);
  afterAll(() => t.close());

  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const post = async (body: string, authorization = basic('Milkrun', 'the key')) => {
    const headers = { 'content-type': 'text/xml; charset=utf-8', authorization };
    const reply = await t.app.inject({ method: 'POST', url: '/vdi', headers, payload: body });
    const result = /<VDIDataExchangeResult>([\s\S]*)<\/VDIDataExchangeResult>|<faultstring>(.*)<\/faultstring>/.exec(
      reply.body,
    );
    return { status: reply.statusCode, result: result?.[1] ?? result?.[2] ?? null };
  };
  const send = (type: string, id: string, content: string) =>
    post(writeCall({ VDIXMLVersion: '1', VDIXMLType: type, TransactionID: id, VDIXML: root(type, id, content) }));
  const runs = () =>
    rows(
      t.deps.db,
      sql`select job_type as type, status, records_processed as records, error_count as errors, error_details as details
      from sync_runs where config_id = ${configId} order by id desc`,
    );
  const change = (fields: object) => updateConfig(t.deps, null, configId, { settings: { ...fields } });

  it('an independent SOAP client reads the description and sends a document', async () => {
    const client = await createClientAsync(`${origin}/vdi?wsdl`);
    client.setSecurity(new BasicAuthSecurity('Milkrun', 'the key'));
    const call = {
      VDIXMLVersion: '1',
      VDIXMLType: 'mms-kiosks',
      ProviderID: '365',
      TransactionID: 'C-1',
      VDIXML: root('mms-kiosks', 'C-1', kiosks),
    };
    const [answer] = await client.VDIDataExchangeAsync(call);
    expect(answer).toEqual({ VDIDataExchangeResult: 'SUCCESS' });
    const device = await firstRow(
      t.deps.db,
      sql`select vendor_id as id, serial_number as serial from vendor_devices where config_id = ${configId}`,
    );
    expect(device).toEqual({ id: 'K1', serial: 'V1' });
    client.setSecurity(new BasicAuthSecurity('Milkrun', 'wrong'));
    await expect(client.VDIDataExchangeAsync(call)).rejects.toThrow();
  });

  it('a sender without a sign-in is refused before any of its document is read', async () => {
    const headers = { 'content-type': 'text/xml; charset=utf-8', 'content-length': 5_000_000 };
    const call = request(`${origin}/vdi`, { method: 'POST', headers });
    call.flushHeaders();
    const [reply] = await once(call, 'response');
    expect(reply.statusCode).toBe(401);
    call.on('error', () => {}).destroy();
  });

  it('the same again is acknowledged without effect, the same id with other content is an error', async () => {
    expect(await send('mms-sales', 'S-1', sales('A1'))).toEqual({ status: 200, result: 'SUCCESS' });
    const before = await runs();
    expect(before[0]).toEqual({
      type: 'mms-sales',
      status: 'succeeded',
      records: 2,
      errors: 1,
      details: ['A sale whose SaleTime is no time (bad)'],
    });
    expect(await send('mms-sales', 'S-1', sales('A1'))).toEqual({ status: 200, result: 'SUCCESS' });
    expect(await send('mms-sales', 'S-1', sales('A2'))).toMatchObject({
      status: 200,
      result: expect.stringContaining('other content'),
    });
    expect(await runs()).toEqual(before);
    const kept = await firstRow<{ repeats: number; whole: boolean }>(
      t.deps.db,
      sql`select repeats, body is not null as whole from vdi_documents where transaction_id = 'S-1'`,
    );
    expect(kept).toEqual({ repeats: 2, whole: true });
    const [sale] = await rows(
      t.deps.db,
      sql`select vendor_id as id, quantity, amount::text as amount from vendor_sales where config_id = ${configId}`,
    );
    expect(sale).toEqual({ id: 'A1#1', quantity: 2, amount: '3.00' });
  });

  it('what is switched off is acknowledged and dropped, what is not for us is refused', async () => {
    await change({ enableTransactionData: false });
    expect((await send('mms-sales', 'OFF-1', sales('B1'))).result).toBe('SUCCESS');
    await change({ enableTransactionData: true });
    expect(await rows(t.deps.db, sql`select 1 from vendor_sales where vendor_id like 'B1%'`)).toEqual([]);
    expect((await send('mms-markets', 'M-1', '<MarketsCollection/>')).result).toContain('not taken here');
    const foreign = writeCall({
      VDIXML: root('mms-kiosks', 'F-1', kiosks).replace('ProviderID="365"', 'ProviderID="666"'),
    });
    expect((await post(foreign)).result).toContain('not expected');
    expect((await post(writeCall({ VDIXML: root('mms-kiosks', '', kiosks) }))).result).toContain(
      'TransactionID is missing',
    );
  });

  it('version 2.0 answers with a code and names what it could not take', async () => {
    await change({ version: '2.0' });
    const { result } = await send('mms-sales', 'TWO-1', sales('C1'));
    expect(result).toContain('<ResultCode>0</ResultCode>');
    expect(result).toContain('Reason="A sale whose SaleTime is no time (bad)"');
    expect((await send('mms-sales', 'TWO-1', sales('C2'))).result).toContain('<ResultCode>1</ResultCode>');
    await change({ version: '1.0' });
  });

  it('a DEX file by VDI goes to the machine with its serial number; one of an unknown machine is named', async () => {
    const { id } = await buildMachine(t.deps.db, { serialNumber: 'DEX-1' });
    const dex = (serial: string, transaction: string) =>
      root(
        'x-dex',
        transaction,
        `<DEXList><DexTransmission DeviceID="TELE"><DexCollection><DEX ReadDateTime="2026-03-12T09:00:00-05:00" ResponseCode="OK"><RawDEX>${buildDex([`ID1*${serial}*M`, 'PA1*1*100', 'PA2*1*100', 'EA2*EJJ*1*1**1']).replaceAll('\r\n', '\n')}</RawDEX></DEX></DexCollection></DexTransmission></DEXList>`,
      );
    expect((await post(dex('DEX-1', 'D-1'))).result).toBe('SUCCESS');
    expect(await rows(t.deps.db, sql`select crc, outcome, origin from dex_reads where machine_id = ${id}`)).toEqual([
      { crc: 'ok', outcome: 'baseline', origin: `nama_vdi:${configId}` },
    ]);
    const told = sql`select alert_code as code, message, severity, resolved from nama_vdi_alerts where device_id = 'TELE'`;
    expect(await rows(t.deps.db, told)).toEqual([
      { code: 'EJJ', message: 'DEX: Cooling fault.', severity: 'high', resolved: false },
    ]);
    expect(await rows(t.deps.db, sql`select alert_type from vending_machine_alerts where machine_id = ${id}`)).toEqual([
      { alert_type: 'dex_ejj' },
    ]);
    await post(dex('DEX-9', 'D-2'));
    expect((await runs())[0]).toMatchObject({
      errors: 1,
      details: ['TELE: No machine is linked to this device or has this serial number.'],
    });
  });

  it('a DEX file whose counters stood still is no transaction; what is booked of one is', async () => {
    const { id } = await buildMachine(t.deps.db, { serialNumber: 'DEX-STILL' });
    const read = async (hour: number, vends: number) => {
      const file = buildDex(['ID1*DEX-STILL*M', 'ID4*2*840*USD', `ID5*260312*0${hour}00`, ...counted(vends)]);
      const dex = `<DEX ReadDateTime="2026-03-12T0${hour}:00:00-05:00" ResponseCode="OK"><RawDEX>${file.replaceAll('\r\n', '\n')}</RawDEX></DEX>`;
      const list = `<DEXList><DexTransmission DeviceID="STILL"><DexCollection>${dex}</DexCollection></DexTransmission></DEXList>`;
      expect((await post(root('x-dex', `STILL-${hour}`, list))).result).toBe('SUCCESS');
    };
    const counted = (vends: number) => ['PA1*1*150', `PA2*${vends}*${vends * 150}`];
    const told = sql`select quantity, total_amount::text as amount, currency, status from nama_vdi_transactions
      where transaction_type = 'dex_sale' and config_id = ${configId}`;
    for (const hour of [1, 2, 3]) await read(hour, 4);
    const kept = await rows<{ outcome: string }>(
      t.deps.db,
      sql`select outcome from dex_reads where machine_id = ${id} order by id`,
    );
    expect(kept.map(({ outcome }) => outcome)).toEqual(['baseline', 'sales', 'sales']);
    expect(await rows(t.deps.db, told)).toEqual([]);
    await read(4, 6);
    expect(await rows(t.deps.db, told)).toEqual([
      { quantity: 2, amount: '3.00', currency: 'USD', status: 'completed' },
    ]);
  });

  it('hostile, malformed, foreign and oversized messages are faults of the sender, and leave nothing', async () => {
    const { failed } = t.deps.watch.flow.total();
    const count = async () =>
      (await firstRow<{ n: number }>(t.deps.db, sql`select count(*)::int as n from vdi_documents`))?.n;
    const before = await count();
    const bomb = '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;">]>';
    expect(await post(`${bomb}<a>&c;</a>`)).toMatchObject({
      status: 500,
      result: expect.stringContaining('not accepted'),
    });
    expect(await post(writeCall({ VDIXML: bomb + root('mms-kiosks', 'X', kiosks) }))).toMatchObject({
      status: 500,
      result: expect.stringContaining('not accepted'),
    });
    expect(
      await post(writeCall({ VDIXML: root('mms-kiosks', 'X', kiosks) }).replace('urn:VDIDataExchangeService', 'urn:x')),
    ).toMatchObject({ status: 500, result: expect.stringContaining('namespace') });
    expect((await post('<a>')).status).toBe(500);
    expect((await post(`<a>${'x'.repeat(9_000_000)}</a>`)).result).toContain('larger than 8 MB');
    expect((await post('x'.repeat(17_000_000))).result).toContain('larger than 8 MB');
    expect(await count()).toBe(before);
    expect(t.deps.watch.flow.total().failed).toBe(failed);
  });

  it.each([
    ['as a call', '/vdi'],
    ['as a message', ''],
  ])('a sale that is told again %s, also three times at once, counts once and is answered alike', async (way, own) => {
    const { manager } = await oneOfEachRole(t, '101');
    const market = await buildMarket(t.deps.db);
    const product = { marketId: market.id, productName: `Cola ${way}`, currentQuantity: 10, minimumQuantity: 1 };
    const item = (await manager.call('POST', '/api/inventory', { body: product })).json();
    await t.deps.db.execute(sql`update vendor_devices set link = 'linked', market_id = ${market.id}
      where config_id = ${configId} and vendor_id = 'K1'`);
    t.setNow(new Date(t.deps.clock.now().getTime() + 60_000));
    const sold = (id: string) =>
      sales(id)
        .replace('2026-03-12 09:30:00.0000000 -04:00', t.deps.clock.now().toISOString())
        .replace('ProductID="P1"', `ProductID="P ${way}" ProductName="${product.productName}"`);
    const { webhookPath } = (await manager.call('GET', `/api/integrations/configs/${configId}`)).json();
    const tell = (id: string) => async () => {
      const headers = { 'content-type': 'text/xml; charset=utf-8', authorization: basic('Milkrun', 'the key') };
      const payload = writeCall({ TransactionID: id, VDIXML: root('mms-sales', id, sold(id)) });
      const { statusCode, body } = await t.app.inject({ method: 'POST', url: own || webhookPath, headers, payload });
      return `${statusCode} ${body}`;
    };
    // Messages are stored together by themselves.
    const thrice = Array.from({ length: 3 }, () => tell(`2 ${way}`));
    const told = [
      await tell(`1 ${way}`)(),
      await tell(`1 ${way}`)(),
      ...(await (own ? atOnce(t, 'vdi_documents', thrice) : Promise.all(thrice.map((call) => call())))),
    ];
    expect(new Set(told).size).toBe(1);
    expect(told[0]).toMatch(/^200 /);
    await untilQuiet(t.deps);
    const kept = sql`select vendor_id as id, outcome from vendor_sales where product_name = ${product.productName} order by 1`;
    expect(await rows(t.deps.db, kept)).toEqual([
      { id: `1 ${way}#1`, outcome: 'booked' },
      { id: `2 ${way}#1`, outcome: 'booked' },
    ]);
    const [left] = (await manager.call('GET', `/api/inventory/${market.id}`)).json();
    expect(left).toMatchObject({ id: item.id, currentQuantity: 6 });
  });

  it('a wrong sign-in is refused and counted, and does not keep the right one out', async () => {
    for (let n = 0; n < 60; n++) await post('<a/>', basic('Milkrun', `guess ${n}`));
    expect((await post('<a/>', basic('Milkrun', 'guess'))).status).toBe(429);
    expect((await send('mms-kiosks', 'K-9', kiosks)).result).toBe('SUCCESS');
  });

  it('bytes are emptied after 30 days, and a re-send is still known', async () => {
    t.setNow(new Date('2026-04-15T15:00:00Z'));
    await purgeDocuments(t.deps);
    expect(await rows(t.deps.db, sql`select 1 from vdi_documents where body is not null`)).toEqual([]);
    expect((await send('mms-kiosks', 'K-9', kiosks.replace('V1', 'V2'))).result).toContain('other content');
  });
});
