import { describe, expect, it } from 'vitest';
import type { Settings } from '../../domain/integration.ts';
import type { RawRequest, VendorContext, VendorReply, WebhookContext } from '../connector.ts';
import { readDex } from '../dex/read-dex.ts';
import { buildDex } from '../dex/sample.ts';
import { hash } from '../testing/hash.ts';
import { bytes, root } from '../testing/vdi-documents.ts';
import { namaVdi } from './connector.ts';
import { restoreDex } from './dex-transmission.ts';
import { readDocument } from './document.ts';
import { readCall, writeCall, writeResult, writeStructuredResult } from './envelope.ts';
import { mapDocument } from './map.ts';
import { readInstant } from './time.ts';
import { isSignedIn, webhook } from './webhook.ts';
import { wsdl } from './wsdl.ts';

const settings: Settings = {
  vmsSystemId: 'Milkrun-46',
  mmsSystemId: '365/46',
  apiEndpoint: 'https://mms.example.test/vdi',
  apiKey: 'a key',
  version: '2.0',
  environment: 'production',
  enableDexData: true,
  enableTransactionData: true,
  enableOperationalData: true,
};
const webhookContext: WebhookContext = {
  settings,
  previousSettings: null,
  now: () => new Date('2026-03-12T15:00:00Z'),
  hash,
  timeZone: 'America/New_York',
};

function vendorContext(answers: (url: string, body: string) => string | { status: number; body: string }) {
  const sent: { url: string; body: string; headers: Readonly<Record<string, string>> }[] = [];
  const context: VendorContext = {
    ...webhookContext,
    fetch: async (url, request) => {
      const body = String(request?.body ?? '');
      sent.push({ url, body, headers: request?.headers ?? {} });
      const answer = answers(url, body);
      const { status, body: text } = typeof answer === 'string' ? { status: 200, body: answer } : answer;
      const reply: VendorReply = {
        status,
        header: () => null,
        bytes: bytes(text),
        text: () => text,
        json: () => JSON.parse(text),
      };
      return reply;
    },
    tokens: { read: async () => null, renew: (work) => work(null, async () => {}) },
    sandboxUrl: null,
    signal: new AbortController().signal,
  };
  return { context, sent };
}

const call = (type: string, content: string, id = 'T-1'): string =>
  writeCall({ VDIXMLVersion: '1', VDIXMLType: type, TransactionID: id, VDIXML: root(type, content, id) });
const request = (body: string | Uint8Array, authorization?: string): RawRequest => ({
  method: 'POST',
  path: '',
  query: [],
  headers: authorization === undefined ? {} : { authorization },
  body: typeof body === 'string' ? bytes(body) : body,
});
const signedIn = `Basic ${Buffer.from('Milkrun-46:a key').toString('base64')}`;
const map = (document: string) => mapDocument(readDocument(document), { timeZone: 'America/New_York' });

const sale = (
  summary: string,
  items: string,
  tenders = '<Tender Type="CARD" Amount="5.00" Reference="4111111111111111"/>',
) =>
  `<Sales><Sale MarketID="3371:1" KioskID="K1" ConsumerName="Jane Doe" SaleID="S1" SaleTime="2026-03-12T09:30:00.1234567-04:00"><Summary ${summary}/><Items>${items}</Items><Tenders>${tenders}</Tenders></Sale></Sales>`;

describe('documents', () => {
  it('times with a blank, seven digits and any offset are read; without one the operator’s zone counts', () => {
    const zone = 'America/New_York';
    expect(readInstant('2015-10-23 10:50:32.8500000 -04:00', zone)?.toISOString()).toBe('2015-10-23T14:50:32.850Z');
    expect(readInstant('2015-10-23T15:02:32.160', zone)?.toISOString()).toBe('2015-10-23T19:02:32.160Z');
    expect(readInstant('2015-10-01T14:18Z', zone)?.toISOString()).toBe('2015-10-01T14:18:00.000Z');
    expect([
      readInstant('soon', zone),
      readInstant('2015-13-41T00:00:00Z', zone),
      readInstant('2015-13-41 00:00', zone),
    ]).toEqual([null, null, null]);
  });

  it.each(['2026-02-30T10:00:00Z', '2026-02-29 10:00:00 -04:00', '2026-04-31T10:00:00', '2026-02-30T23:30:00-05:00'])(
    'the day of %s does not exist: it is no time, and the sale is refused by its SaleTime',
    (told) => {
      expect(readInstant(told, 'America/New_York')).toBeNull();
      const items = '<Item ProductID="P1" Quantity="1" Price="5" Total="5"/>';
      const text = sale('Price="5" Total="5"', items).replace(/SaleTime="[^"]*"/, `SaleTime="${told}"`);
      const { sales, unreadable } = map(root('mms-sales', text));
      expect([sales, unreadable]).toMatchObject([[], [{ reason: expect.stringContaining('SaleTime') }]]);
    },
  );

  it('amounts are per piece or per line, whichever adds up to the total; neither is flagged', () => {
    const items =
      '<Item ProductID="P1" Code="" Quantity="2" Price="1.5000" Total="1.5000"/><Item ProductID="P2" Code="049000006346" Quantity="1" Price="2" Total="2"/>';
    const [first, second] = map(root('mms-sales', sale('Price="5" Total="5"', items))).sales ?? [];
    expect(first).toMatchObject({
      vendorId: 'S1#1',
      quantity: 2,
      unitPrice: '1.50',
      amount: '3.00',
      productCode: 'P1',
    });
    expect(second).toMatchObject({ amount: '2.00', productCode: '049000006346', paymentMethod: 'card' });
    const [line] = map(root('mms-sales', sale('Price="3.5" Total="3.5"', items))).sales ?? [];
    expect(line).toMatchObject({ unitPrice: '0.75', amount: '1.50' });
    const [odd] = map(root('mms-sales', sale('Price="9" Total="9"', items))).sales ?? [];
    expect(odd?.details).toMatchObject({ errorMessage: expect.stringContaining('do not add up') });
  });

  it('a sale keeps its place, its instant and how it was paid, and neither the customer’s name nor a card number', () => {
    const tenders =
      '<Tender Type="CASH" Amount="1"/><Tender Type="CARD" Amount="4" Description="VISA 4111111111111111"/>';
    const item = '<Item ProductID="P1" Quantity="1" Price="5" Total="5"/>';
    const { sales = [] } = map(root('mms-sales', sale('Price="5" Total="5"', item, tenders)));
    expect(sales).toMatchObject([
      {
        ledger: { source: 'nama_vdi:365:46', transactionId: 'S1', line: '1' },
        integrationId: 'nama_vdi:365:3371:1',
        deviceId: 'K1',
        paymentMethod: 'mixed',
        soldAtText: '2026-03-12T09:30:00.1234567-04:00',
      },
    ]);
    expect(sales[0]?.soldAt.toISOString()).toBe('2026-03-12T13:30:00.123Z');
    expect(JSON.stringify(sales)).not.toMatch(/Jane|4111/);
  });

  it('money given back takes nothing more off the shelf', () => {
    const item = '<Item ProductID="P1" Quantity="1" Price="-5" Total="-5"/>';
    const { sales = [] } = map(root('mms-sales', sale('Price="-5" Total="-5"', item)));
    expect(sales).toMatchObject([{ status: 'refunded', amount: '-5.00', movesStock: false }]);
    const [sold] = map(root('mms-sales', sale('Total="5"', item.replaceAll('-', '')))).sales ?? [];
    expect(sold).toMatchObject({ status: 'completed', movesStock: true });
    // Something is brought back and something dearer bought, in one go.
    const bought = '<Item ProductID="P2" Quantity="1" Price="8" Total="8"/>';
    expect(map(root('mms-sales', sale('Price="3" Total="3"', `${bought}${item}`))).sales).toMatchObject([
      { status: 'completed', amount: '8.00', movesStock: true },
      { status: 'refunded', amount: '-5.00', movesStock: false },
    ]);
  });

  it('what cannot be read is kept with its reason and the rest goes on', () => {
    const good = '<Item ProductID="P1" Quantity="1" Price="5" Total="5"/>';
    const two = sale('Total="5"', good).replace(
      '</Sales>',
      '<Sale SaleID="S2" SaleTime="never"><Items/></Sale></Sales>',
    );
    const batch = map(root('mms-sales', two));
    expect(batch.sales).toHaveLength(1);
    expect(batch.unreadable).toMatchObject([{ reason: 'A sale whose SaleTime is no time (S2)' }]);
  });

  it('account deposits, adjustments and cash collections are money without stock', () => {
    const transaction = (type: string, id: string) =>
      `<ConsumerTransaction MarketID="M" ConsumerID="C" Type="${type}" TransactionID="${id}" TransactionTime="2026-03-12T09:00:00Z" Amount="10.0000"/>`;
    const { sales = [] } = map(
      root(
        'mms-transactions',
        `<ConsumerTransactions>${transaction('CARD', 'A')}${transaction('ADJUSTMENT', 'B')}</ConsumerTransactions>`,
      ),
    );
    expect(sales.map(({ details, amount, movesStock }) => [details.transactionType, amount, movesStock])).toEqual([
      ['account_deposit', '10.00', false],
      ['adjustment', '10.00', false],
    ]);
    const collection =
      '<CashCollections><CashCollection MarketID="M" KioskID="K" CollectionTime="2026-03-12T09:00:00Z" Amount="81.25"/></CashCollections>';
    expect(map(root('mms-collections', collection)).sales).toMatchObject([
      { vendorId: 'cash_collection:2026-03-12T09:00:00Z:K', paymentMethod: 'cash', amount: '81.25' },
    ]);
  });

  it('kiosks, and devices, alerts and planograms of our own extension', () => {
    const kiosk =
      '<KiosksCollection><Kiosk MarketID="M" KioskID="K" KioskSN="V1" LastSync="2026-03-12T09:00:00Z" LastTransaction="2026-03-12T10:00:00Z"/></KiosksCollection>';
    expect(map(root('mms-kiosks', kiosk)).devices).toMatchObject([
      {
        vendorId: 'K',
        integrationId: 'nama_vdi:365:M',
        serialNumber: 'V1',
        lastSeenAt: new Date('2026-03-12T10:00:00Z'),
      },
    ]);
    expect(
      map(
        root(
          'x-devices',
          '<Devices><Device DeviceID="D" Latitude="91" Longitude="-74.0" Status="odd"/><Device/></Devices>',
        ),
      ),
    ).toMatchObject({
      devices: [
        { vendorId: 'D', locationType: 'vending_machine', latitude: null, longitude: '-74.0', status: 'active' },
      ],
      unreadable: [{ reason: 'A device without DeviceID' }],
    });
    expect(
      map(
        root(
          'x-alerts',
          '<Alerts><Alert AlertID="A" Message="Jam" Severity="high" Code="EJC" RaisedAt="2026-03-12T09:00:00Z"/></Alerts>',
        ),
      ).alerts,
    ).toMatchObject([{ severity: 'high', code: 'EJC', resolvedAt: null }]);
    expect(
      map(
        root(
          'x-planogram',
          '<Planogram DeviceID="D"><Slot SlotNumber="A1" ProductName="Cola" Quantity="4" Capacity="10" Price="1.50"/></Planogram>',
        ),
      ).stock,
    ).toMatchObject([{ vendorId: 'D:A1', quantity: 4, price: '1.50' }]);
  });

  it('a DEX file comes through XML with its line ends and checksum restored', () => {
    const file = buildDex(['ID1*S1*M1', 'ID4*2*840', 'PA1*1*100*M\u00dcSLI', 'PA2*3*300']);
    const wrapped = (raw: string) =>
      `<VDITransaction TransactionReason="UploadDEX" ProviderID="365" CustomerID="46" TransactionID="D1" TransactionTime="2026-03-12T09:00:00"><DEXList><DexTransmission DeviceID="TELE-1" TransmitTime="2026-03-12T09:01:00" GMTOffSet="-5"><DexCollection><DEX ReadDateTime="2026-03-12T09:00:00" ResponseCode="OK" GMTOffSet="-5"><RawDEX>${raw}</RawDEX></DEX><DEX ResponseCode="TIMEOUT"><RawDEX/></DEX></DexCollection></DexTransmission></DEXList></VDITransaction>`;
    for (const raw of [`<![CDATA[${file}]]>`, `\n${file.replaceAll('\r\n', '\n')}`]) {
      const { dexReads = [], unreadable = [] } = map(wrapped(raw));
      expect(dexReads).toMatchObject([{ deviceId: 'TELE-1', readAt: new Date('2026-03-12T14:00:00Z') }]);
      expect(readDex(dexReads[0]?.bytes ?? new Uint8Array())).toMatchObject({
        crc: 'ok',
        selections: [{ name: 'M\u00dcSLI' }],
      });
      expect(unreadable).toHaveLength(1);
    }
    expect(restoreDex('DXS*1\nST\r\n')).toEqual(bytes('DXS*1\r\nST\r\n'));
  });
});

describe('what comes to us', () => {
  it('is genuine with the configuration’s sign-in, from the peer it names, or with the sign-in before', () => {
    const body = call('mms-kiosks', '<KiosksCollection/>', 'T-9');
    expect(webhook.verify(request(body, signedIn), webhookContext)).toMatchObject({
      genuine: true,
      eventId: 'T-9',
      eventType: 'mms-kiosks',
    });
    expect(webhook.verify(request(body), webhookContext)).toMatchObject({ genuine: false });
    const renewed = { ...webhookContext, settings: { ...settings, apiKey: 'new' }, previousSettings: settings };
    expect(webhook.verify(request(body, signedIn), renewed).genuine).toBe(true);
    const foreign = call('mms-kiosks', '<KiosksCollection/>').replaceAll('365', 'other');
    expect(webhook.verify(request(foreign, signedIn), webhookContext)).toMatchObject({
      genuine: false,
      reason: expect.stringContaining('MMS System ID'),
    });
    expect(isSignedIn(`Basic ${btoa('Milkrun-46:')}`, { ...settings, apiKey: null }, webhookContext)).toBe(false);
  });

  it('is read by type; a switched-off type is dropped, an unreadable one kept for a person', () => {
    const kiosks = call('mms-kiosks', '<KiosksCollection><Kiosk MarketID="M" KioskID="K"/></KiosksCollection>');
    expect(webhook.parse(request(kiosks), webhookContext).batch.devices).toHaveLength(1);
    const off = { ...webhookContext, settings: { ...settings, enableOperationalData: false } };
    expect(webhook.parse(request(kiosks), off)).toEqual({ batch: {}, pull: [] });
    const dex = `<000|Pc1|\u000c>${buildDex(['PA1*1*100*\u00dc'])}`;
    const bare = webhook.parse(request(Buffer.from(dex, 'latin1')), webhookContext).batch.dexReads ?? [];
    expect(readDex(bare[0]?.bytes ?? new Uint8Array()).crc).toBe('ok');
    expect(() => webhook.parse(request('<a>'), webhookContext)).toThrow(expect.objectContaining({ kind: 'bad-data' }));
  });
});

describe('what we ask', () => {
  it('version 2.0 asks by our own extension and reads what comes back; version 1.0 has nothing to ask', async () => {
    const devices = root('x-devices', '<Devices><Device DeviceID="D1"/></Devices>');
    const answer = writeStructuredResult(true, 'OK', []).replace(
      '</VDIDataExchangeResult>',
      `<Cursor>7</Cursor><Documents><VDIXML>${devices.replaceAll('<', '&lt;')}</VDIXML></Documents></VDIDataExchangeResult>`,
    );
    const { context, sent } = vendorContext(() => answer);
    const page = await namaVdi.pull('devices', { cursor: null, since: null }, context);
    expect(page).toMatchObject({ batch: { devices: [{ vendorId: 'D1' }] }, cursor: '7', more: true });
    expect(sent[0]?.headers).toMatchObject({
      authorization: signedIn,
      soapaction: expect.stringContaining('VDIDataExchange"'),
    });
    expect(readDocument(readCall(bytes(sent[0]?.body ?? '')).VDIXML ?? '').header).toMatchObject({
      version: '2',
      type: 'x-request',
      providerId: 'Milkrun-46',
      operatorId: '46',
    });
    const first = { ...context, settings: { ...settings, version: '1.0' } };
    expect(await namaVdi.pull('devices', { cursor: null, since: null }, first)).toEqual({
      batch: {},
      cursor: null,
      more: false,
    });
    expect(sent).toHaveLength(1);
  });

  it('a refusal, a page of HTML and a fault are failures with a sentence', async () => {
    const ask = (answer: Parameters<typeof vendorContext>[0]) =>
      namaVdi.pull('sales', { cursor: null, since: null }, vendorContext(answer).context);
    await expect(ask(() => writeResult('No such operator'))).rejects.toMatchObject({
      kind: 'bad-data',
      message: expect.stringContaining('No such operator'),
    });
    await expect(ask(() => '<html><p>Error</html>')).rejects.toMatchObject({ kind: 'bad-data' });
    await expect(ask(() => ({ status: 401, body: '' }))).rejects.toMatchObject({ kind: 'auth' });
  });

  it('the connection is tested by the service’s description', async () => {
    const { context, sent } = vendorContext(() => wsdl('https://mms.example.test/vdi'));
    expect(await namaVdi.testConnection(context)).toEqual({ detail: 'VDI system is reachable' });
    expect(sent[0]?.url).toBe('https://mms.example.test/vdi?wsdl');
    const legacy = {
      ...vendorContext(() => ({ status: 500, body: '' })).context,
      settings: { ...settings, version: '1.0' },
    };
    await expect(namaVdi.testConnection(legacy)).rejects.toMatchObject({ kind: 'bad-data' });
  });

  it('a description that is cut off, or another service’s, proves no connection', async () => {
    const whole = wsdl('https://mms.example.test/vdi');
    const test = (body: string, version: string) =>
      namaVdi.testConnection({ ...vendorContext(() => body).context, settings: { ...settings, version } });
    for (const version of ['1.0', '2.0']) {
      await expect(test(whole.slice(0, whole.length / 2), version)).rejects.toMatchObject({
        kind: 'bad-data',
        message: expect.stringContaining('cut off'),
      });
      await expect(test(whole.replaceAll('VDIDataExchange', 'Weather'), version)).rejects.toMatchObject({
        kind: 'bad-data',
      });
    }
    await expect(test('<definitions xmlns="urn:dictionary"><word/></definitions>', '1.0')).rejects.toMatchObject({
      message: expect.stringContaining('describes no VDI service'),
    });
    // The description of some services is spread over several documents.
    const spread =
      '<definitions><import namespace="urn:n" location="https://mms.example.test/vdi?wsdl=1"/></definitions>';
    expect(await test(spread, '1.0')).toEqual({ detail: 'VDI system is reachable' });
  });
});
