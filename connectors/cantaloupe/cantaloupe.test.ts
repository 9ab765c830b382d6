import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import type { RawRequest, Verdict, WebhookContext } from '../connector.ts';
import { readCents, readParts } from './amounts.ts';
import { inFileOrder, type LocalTime, readLocalTime, zoneClock } from './local-time.ts';
import { readReport } from './map.ts';
import { webhook } from './webhook.ts';

const about = { timeZone: 'America/New_York', receivedAt: new Date('2026-11-21T18:00:00Z') };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const context: WebhookContext = {
  settings: { apiKey: 'operator', apiSecret: 'pa:ss', environment: 'production' },
  previousSettings: null,
  now: () => about.receivedAt,
  timeZone: about.timeZone,
  hash: {
    sha256: (given) => createHash('sha256').update(given).digest(),
    hmacSha256: (key, given) => createHmac('sha256', key).update(given).digest(),
    equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
    uuid: () => '00000000-0000-4000-8000-000000000000',
  },
};

const basic = `Basic ${Buffer.from('operator:pa:ss').toString('base64')}`;
const post = (body: string | Uint8Array, fields: Partial<RawRequest> = {}): RawRequest => ({
  method: 'POST',
  path: '/report.csv',
  query: [],
  headers: { authorization: basic },
  body: typeof body === 'string' ? bytes(body) : body,
  ...fields,
});

const transactionHeader =
  'Reference #,Reconcile Group,Trans Type,Settle State,Tran #,Device,Terminal,Location,Asset #,Client,Date,Card Type,Amount,AP Code,Details,Batch #';
type Row = { reference?: string; type?: string; state?: string; at?: string; amount?: string; details?: string };
const transaction = (row: Row = {}): string => {
  const { reference = '1234567890', type = 'Credit (EMV Contactless)', state = 'Settled' } = row;
  const { at = '11/21/2026 02:05:09 AM', amount = '$3.10' } = row;
  const { details = '0B06($1.50), 0C02($1.50), Two-Tier($0.10)' } = row;
  const cells = [reference, 'RG1', type, state, '88', 'VK200044724', 'T1', 'Lobby', 'A-17', 'Client', at, 'Visa'];
  return [...cells, amount, '', details, '55'].map((cell) => `"${cell}"`).join(',');
};
const file = (...rows: string[]): string => `\uFEFF${[transactionHeader, ...rows].join('\r\n')}\r\n`;
const salesOf = (text: string) => readReport(text, about)?.batch.sales ?? [];

const lineHeader =
  'Ref Nbr,Device Serial Num,Tran Date,Tran Time,Tran Amount,Trans Type Code,Masked Card Number,Item,Line Item Price,Line Item MDB Number,Quantity,Card Id';

it('a transaction is one row an item; surcharges are no items, and times are those of the zone', () => {
  const sales = salesOf(file(transaction()));
  expect(sales).toMatchObject([
    {
      vendorId: '1234567890:1',
      ledger: { source: 'cantaloupe', transactionId: '1234567890', line: '1' },
      ...{
        deviceId: 'VK200044724',
        slotNumber: 'B6',
        productCode: '0B06',
        quantity: 1,
        amount: '1.50',
        currency: 'USD',
      },
      ...{ paymentMethod: 'contactless', cardType: 'Visa', status: 'completed', movesStock: true },
      ...{ soldAt: new Date('2026-11-21T07:05:09Z'), soldAtText: '11/21/2026 02:05:09 AM' },
      details: { transactionAmount: '3.10', surcharge: '0.10' },
    },
    { vendorId: '1234567890:2', slotNumber: 'C2', amount: '1.50', details: { transactionAmount: '3.10' } },
  ]);
  expect(sales).toHaveLength(2);
});

it('both layouts of one transaction name its items alike, so that it is booked once', () => {
  const line = (item: string, price: string, quantity = '1'): string =>
    `"1234567890","VK200044724","11/21/2026","02:05:09","3.10","E","************1234","${item}","${price}","11","${quantity}","998877"`;
  const lines = [lineHeader, line('Two-Tier Pricing', '0.10'), line('0C02', '1.50'), line('0B06', '1.50')].join('\n');
  const fromLines = salesOf(`${lines}\n`);
  const key = (sales: typeof fromLines) =>
    sales.map(({ vendorId, ledger, productCode, amount, soldAt }) => [
      vendorId,
      ledger.line,
      productCode,
      amount,
      soldAt,
    ]);
  expect(key(fromLines)).toEqual(key(salesOf(file(transaction()))));
  expect(fromLines[0]).toMatchObject({ lastFour: '1234', details: { surcharge: '0.10' } });
});

it('the daily item export and several pieces of one item', () => {
  const header =
    'Item Ref #,Device,Location,City,State,Zip,Item Type,Item Date,Card Number,Amount,Column(s),Quantity,Settle Status,Card Id';
  const row = '77,K3MTB000000,Hall,Trenton,NJ,08601,Cash,11/20/2026 11:00:00 PM,,$2.50,0B06(2 * $1.25),2,Settled,';
  const batch = readReport(`${header}\n${row}\n`, about)?.batch;
  expect(batch?.sales).toMatchObject([
    { vendorId: '77', quantity: 2, unitPrice: '1.25', amount: '2.50', paymentMethod: 'cash', cardType: null },
  ]);
  expect(batch?.devices).toMatchObject([{ vendorId: 'K3MTB000000', name: 'Hall', city: 'Trenton', zipCode: '08601' }]);
});

it('a rollup tells of devices and books nothing', () => {
  const header =
    'Customer,Location,Serial #,City,State,Trans Type Name,Tran Count,Vend Count,Amount,Currency Code,Two-Tier Pricing,Loyalty Discount,Purchase Discount,Free Product Discount';
  const read = readReport(`${header}\nC,Lobby,VK200044724,Trenton,NJ,Cash,3,4,$5.00,USD,$0,$0,$0,$0\n`, about);
  expect(read).toMatchObject({ layout: 'rollup', batch: { devices: [{ vendorId: 'VK200044724' }] } });
  expect(read?.batch.sales).toBeUndefined();
});

it('sales at a place called Total are sales, in every layout', () => {
  const at = (row: string): string => row.replace('"Lobby"', '"Total Fitness"').replace('"A-17"', '""');
  expect(salesOf(file(at(transaction())))).toHaveLength(2);
  const daily =
    'Item Ref #,Device,Location,City,State,Zip,Item Type,Item Date,Card Number,Amount,Column(s),Quantity,Settle Status,Card Id';
  const row = '77,K3,Total Wine,,,,Cash,11/20/2026 11:00:00 PM,,$2.50,0B06(2 * $1.25),2,Settled,';
  expect(salesOf(`${daily}\n${row}\nTotal,,,,,,,,,$2.50,,,,\n`)).toMatchObject([{ vendorId: '77' }]);
  const rollup = 'Customer,Location,Serial #,City,State,Trans Type Name,Tran Count,Vend Count,Amount';
  const devices = readReport(`${rollup}\nC,Total Fitness,VK2,,,Cash,3,4,$5.00\nTotal,,,,,,3,4,$5.00\n`, about)?.batch
    .devices;
  expect(devices).toMatchObject([{ vendorId: 'VK2' }]);
});

it('a long report of a single device is read in time', () => {
  const rows = Array.from({ length: 30_000 }, (_, n) => transaction({ reference: `R${n}`, details: '0B06($3.10)' }));
  const text = file(...rows);
  const started = performance.now();
  expect(salesOf(text)).toHaveLength(rows.length);
  expect(performance.now() - started).toBeLessThan(20_000);
});

it('titles above the header, repeated headers, empty lines and totals of an export by hand are no transactions', () => {
  const text = [
    'Transactions in Payment',
    'Generated 11/21/2026 by operator',
    '',
    transactionHeader,
    transaction(),
    transactionHeader,
    transaction({ reference: '2', amount: '$1.00', details: '0A01($1.00)', type: 'Cash' }),
    ',,,,,,,,,,,Total,"$4.10",,,',
    'Grand Total,,,,,,,,,,,,$4.10,,,',
  ].join('\n');
  const read = readReport(text, about);
  expect(read?.batch.sales?.map((sale) => sale.amount)).toEqual(['1.50', '1.50', '1.00']);
  expect(read?.batch.unreadable).toEqual([]);
});

it('a refund keeps its sign, overwrites no sale and takes nothing out of stock', () => {
  const [sold, refund] = salesOf(
    file(
      transaction({ reference: '5', amount: '$1.50', details: '0B06($1.50)' }),
      transaction({ reference: '5', type: 'Refund', amount: '-$1.50', details: '0B06($1.50)' }),
    ),
  );
  expect(sold).toMatchObject({ vendorId: '5', amount: '1.50', status: 'completed', ledger: { line: '1' } });
  expect(refund).toMatchObject({
    ...{ vendorId: '5:refund-1', amount: '-1.50', status: 'refunded', movesStock: false },
    ledger: { line: 'refund-1' },
  });
});

it.each([
  ['as it was taken', file(transaction({ type: 'Refund', amount: '-$1.60', details: '0B06($1.50), Two-Tier($0.10)' }))],
  ['below nothing', file(transaction({ type: 'Refund', amount: '-$1.60', details: '0B06(-$1.50), Two-Tier(-$0.10)' }))],
  [
    'line by line',
    [
      lineHeader,
      '1234567890,VK200044724,11/21/2026,02:05:09,-1.60,R,************1234,0B06,1.50,11,1,998877',
      '1234567890,VK200044724,11/21/2026,02:05:09,-1.60,R,************1234,Two-Tier Pricing,0.10,0,1,998877',
    ].join('\r\n'),
  ],
])('a refund gives the fee back beside the price, where its parts are told %s', (_how, text) => {
  expect(salesOf(`${text}\r\n`)).toMatchObject([
    { vendorId: '1234567890:refund-1', amount: '-1.50', details: { transactionAmount: '-1.60', surcharge: '-0.10' } },
  ]);
  expect(salesOf(`${text}\r\n`)[0]?.details.flag).toBeUndefined();
});

it.each([
  ['Settled', 'completed'],
  ['', 'completed'],
  ['Unsettled', 'pending'],
  ['Pending', 'pending'],
  ['Failed', 'failed'],
  ['Declined', 'failed'],
])('settle state %j is %s', (state, status) => {
  expect(salesOf(file(transaction({ state })))[0]?.status).toBe(status);
});

it.each([
  ['Cash', 'cash', null],
  ['Credit', 'credit', 'Visa'],
  ['Credit (Apple Pay EMV)', 'mobile', 'Visa'],
  ['Credit (Google Pay EMV)', 'mobile', 'Visa'],
])('%s is paid by %s', (type, paymentMethod, cardType) => {
  expect(salesOf(file(transaction({ type })))[0]).toMatchObject({ paymentMethod, cardType });
});

it('an amount that its items do not add up to is kept and flagged', () => {
  const [one] = salesOf(file(transaction({ amount: '$2.00', details: '0B06($1.50)' })));
  expect(one).toMatchObject({ amount: '2.00', details: { flag: 'items and fees do not add up to the amount' } });
  const [odd] = salesOf(file(transaction({ amount: '$2.00', details: 'no idea' })));
  expect(odd).toMatchObject({ amount: '2.00', productCode: null, details: { flag: expect.any(String) } });
});

it('rows that cannot be read are kept with the reason, the others are taken', () => {
  const read = readReport(
    file(
      transaction({ at: '13/45/2026' }),
      transaction({ amount: 'free' }),
      transaction({ reference: '' }),
      transaction(),
    ),
    about,
  );
  expect(read?.batch.sales).toHaveLength(2);
  expect(read?.batch.unreadable?.map((one) => one.reason)).toEqual([
    'Line 2 of Transactions in Payment has a date that cannot be read: 13/45/2026.',
    'Line 3 of Transactions in Payment has an amount that cannot be read: free.',
    'Line 4 of Transactions in Payment has no reference.',
  ]);
});

it('of a file that stops in the middle, the transaction it stops in is not booked in part', () => {
  const whole = [
    lineHeader,
    '1,VK200044724,11/21/2026,02:05:09,3.00,E,,0A01,1.50,1,1,',
    '2,VK200044724,11/21/2026,02:06:09,3.00,E,,0A01,1.50,1,1,',
    '2,VK200044724,11/21/2026,02:06:09,3.00,E,,0A0',
  ].join('\n');
  const read = readReport(whole, about);
  expect(read?.batch.sales?.map((sale) => sale.orderId)).toEqual(['1']);
  expect(read?.batch.unreadable).toHaveLength(2);
});

const placed = (times: readonly string[], falling = false): string[] => {
  const read = times.map((text) => readLocalTime(`11/01/2026 ${text}`) as LocalTime);
  return inFileOrder(zoneClock('America/New_York'), read, falling).map((at) => at.toISOString().slice(11, 16));
};

it('within the repeated hour the order of the file tells the first pass from the second', () => {
  const times = ['12:59:00 AM', '01:10:00 AM', '01:50:00 AM', '01:05:00 AM', '01:55:00 AM', '02:05:00 AM'];
  const instants = ['04:59', '05:10', '05:50', '06:05', '06:55', '07:05'];
  expect(placed(times)).toEqual(instants);
  expect(placed([...times].reverse(), true)).toEqual([...instants].reverse());
});

it('a time that daylight saving skips moves forward by the hour', () => {
  const [at] = inFileOrder(
    zoneClock('America/New_York'),
    [readLocalTime('03/08/2026 02:30:00 AM') as LocalTime],
    false,
  );
  expect(at?.toISOString()).toBe('2026-03-08T07:30:00.000Z');
});

it.each([
  ['$1,234.50', 123_450n],
  ['-$1.50', -150n],
  ['($1.50)', -150n],
  ['3.1', 310n],
  ['.75', 75n],
  ['1.2500', 125n],
  ['1.255', null],
  ['12,34', null],
  ['', null],
  ['$', null],
])('%j is an amount of %s hundredths', (text, cents) => {
  expect(readCents(text)).toBe(cents);
});

it('amounts written as reports write them are read back, whatever they are', () => {
  fc.assert(
    fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
      const digits = (Math.abs(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 });
      expect(readCents(`${cents < 0 ? '-' : ''}$${digits}`)).toBe(BigInt(cents));
      expect(readParts(`0B06($${digits}), X(2 * $1.25)`)).toHaveLength(2);
    }),
  );
});

it('whatever stands in a file, it is read or kept with a reason, never thrown', () => {
  const cell = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('"', '$1.50', '11/21/2026 01:00:00 AM', 'A(1'));
  fc.assert(
    fc.property(fc.array(fc.array(cell, { maxLength: 18 }), { maxLength: 6 }), (rows) => {
      const text = `${transactionHeader}\n${rows.map((cells) => cells.join(',')).join('\n')}`;
      const sales = readReport(text, about)?.batch.sales ?? [];
      for (const sale of sales) expect(sale.amount).toMatch(/^-?\d+\.\d{2}$/);
    }),
  );
});

it('bodies are recognised by what they hold: packed, plain, DEX, wrapped DEX, test', () => {
  const text = file(transaction());
  const plain = webhook.parse(post(text), context);
  expect(plain.batch.sales).toHaveLength(2);
  expect(webhook.parse(post(gzipSync(bytes(text))), context)).toEqual(plain);
  expect(webhook.parse(post(zipSync({ 'a.csv': bytes(text), 'empty/': bytes('') })), context)).toEqual(plain);
  const dex = '<000|x> DXS*ABC0000001*VA*V0/6*1\r\nST*001*0001\r\n';
  const [raw] = webhook.parse(post(dex, { path: '/DEX-VK200044724-1.dex' }), context).batch.dexReads ?? [];
  expect(raw).toMatchObject({ deviceId: 'VK200044724', bytes: bytes(dex) });
  const test = webhook.parse(post('This is a test of the transport'), context);
  expect(Object.values(test.batch).flat()).toEqual([]);
  expect(webhook.parse(post('', { method: 'GET' }), context)).toEqual({ batch: {}, pull: [] });
});

it('a DEX file within XML gets its line ends back and keeps the time it was read', () => {
  const wrapped = `<?xml version="1.0"?><VDITransaction TransactionReason="UploadDEX"><DEXList><DexTransmission><DeviceID>VK200044724</DeviceID>
    <DexCollection><DEX><ReadDateTime>2026-11-21T02:00:00-05:00</ReadDateTime><RawDEX><![CDATA[DXS*A*VA*V0/6*1\nID1*X\n]]></RawDEX></DEX></DexCollection></DexTransmission></DEXList></VDITransaction>`;
  const [read] = webhook.parse(post(wrapped), context).batch.dexReads ?? [];
  expect(read).toMatchObject({ deviceId: 'VK200044724', readAt: new Date('2026-11-21T07:00:00Z') });
  expect(Buffer.from(read?.bytes ?? []).toString('latin1')).toBe('DXS*A*VA*V0/6*1\r\nID1*X\r\n');
});

it.each([
  ['2026-07-21T02:00:00', 'GMTOffSet="-05:00"', '2026-07-21T07:00:00Z'],
  ['2026-07-21 02:00:00.8500000 -0400', 'GMTOffSet="-5"', '2026-07-21T06:00:00Z'],
  ['2026-07-21T02:00:00', '', '2026-07-21T06:00:00Z'],
])('a DEX file within XML that was read at %s, beside %s, was read at %s', (told, beside, readAt) => {
  const wrapped = `<VDITransaction><DEXList><DexTransmission DeviceID="VK200044724" ${beside}><DEX ReadDateTime="${told}"><RawDEX>DXS*A*VA*V0/6*1</RawDEX></DEX></DexTransmission></DEXList></VDITransaction>`;
  expect(webhook.parse(post(wrapped), context).batch.dexReads).toMatchObject([{ readAt: new Date(readAt) }]);
});

it.each(['2026-02-30T02:00:00Z', '2026-02-30 02:00:00', '2026-04-31T02:00:00-05:00', '30 Feb 2026 02:00 Z'])(
  'a DEX file within XML that was read at %s has no time of its own: there is no such day',
  (told) => {
    const wrapped = `<?xml version="1.0"?><VDITransaction><DEXList><DexTransmission><DeviceID>VK200044724</DeviceID><GMTOffSet>-5</GMTOffSet>
      <DexCollection><DEX><ReadDateTime>${told}</ReadDateTime><RawDEX>DXS*A*VA*V0/6*1</RawDEX></DEX></DexCollection></DexTransmission></DEXList></VDITransaction>`;
    expect(webhook.parse(post(wrapped), context).batch.dexReads).toMatchObject([{ readAt: null }]);
  },
);

it.each([
  ['an entity bomb', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', /document type/],
  ['XML that is cut', '<?xml version="1.0"?><a><b></a>', /well-formed/],
  ['a table of something else', 'Name,Age\nAda,36\n', /none of the known headers/],
])('refuses %s with a sentence', (_name, body, sentence) => {
  expect(() => webhook.parse(post(body), context)).toThrow(sentence);
});

it('refuses a broken archive and one that unpacks into too much', () => {
  expect(() => webhook.parse(post(gzipSync(bytes(file(transaction()))).subarray(0, 60)), context)).toThrow(
    /broken archive/,
  );
  expect(() => webhook.parse(post(gzipSync(new Uint8Array(33 * 1024 * 1024))), context)).toThrow(/larger than 32 MB/);
  expect(() => webhook.parse(post(Buffer.from('PK\u0003\u0004nonsense')), context)).toThrow(/broken archive/);
});

const isGenuine = (verdict: Verdict): boolean => verdict.genuine;
const hmac = (body: string, secret = 'pa:ss'): string => createHmac('sha256', secret).update(body).digest('hex');

it('the sign-in opens the door, a wrong or missing one does not, and a signature must belong to the body', () => {
  const ask = (headers: Record<string, string>, body = 'x,y') =>
    isGenuine(webhook.verify(post(body, { headers }), context));
  expect(ask({ authorization: basic })).toBe(true);
  expect(ask({ authorization: `${basic}x` })).toBe(false);
  expect(ask({})).toBe(false);
  expect(ask({ authorization: basic, 'x-signature': hmac('x,y') })).toBe(true);
  expect(ask({ authorization: basic, 'x-signature': hmac('x,z') })).toBe(false);
  expect(ask({ 'x-signature': `sha256=${hmac('x,z')}` })).toBe(false);
  expect(ask({ 'x-signature': hmac('x,y').toUpperCase() })).toBe(true);
});

it('a configuration without a password lets nobody in', () => {
  const bare = { ...context, settings: { apiKey: '', apiSecret: '' } };
  const headers = { authorization: `Basic ${Buffer.from(':').toString('base64')}`, 'x-signature': hmac('', '') };
  expect(isGenuine(webhook.verify(post('', { headers }), bare))).toBe(false);
});

it('the password before the last change is still accepted while both are', () => {
  const changed = {
    ...context,
    settings: { apiKey: 'operator', apiSecret: 'new' },
    previousSettings: context.settings,
  };
  expect(isGenuine(webhook.verify(post('a'), changed))).toBe(true);
});

it('the same body is the same delivery, whatever it is called; a test is none', () => {
  const id = (request: RawRequest) => {
    const verdict = webhook.verify(request, context);
    return verdict.genuine ? [verdict.eventId, verdict.eventType] : null;
  };
  const text = file(transaction());
  expect(id(post(text))).toEqual(id(post(text, { path: '/other.csv' })));
  expect(id(post(text))?.[1]).toBe('csv');
  expect(id(post('anything', { query: [['reason', 'TEST']] }))).toEqual([null, 'test']);
});
