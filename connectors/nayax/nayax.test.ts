import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RawRequest, WebhookContext } from '../connector.ts';
import { webhook } from './webhook.ts';

const bytes = (words: string) => new TextEncoder().encode(words);
/** The key that the vendor’s page 'HMAC validation' tests with. */
const vendorKey = 'a3f7c2e9d1b8456f0e3a7c9b2d4f6e8a1c3d5e7f9b0a2c4d6e8f0b1c3d5e7f90';

const context = (hashCode: string, before: string | null = null): WebhookContext => ({
  settings: { merchantId: '2000100001', hashCode },
  previousSettings: before ? { merchantId: '2000100001', hashCode: before } : null,
  now: () => new Date('2026-11-21T12:00:00Z'),
  timeZone: 'America/New_York',
  hash: {
    sha256: (given) => createHash('sha256').update(given).digest(),
    hmacSha256: (key, given) => createHmac('sha256', key).update(given).digest(),
    equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
    uuid: () => '00000000-0000-4000-8000-000000000000',
  },
});

const post = (body: string, headers: Record<string, string> = {}): RawRequest => ({
  method: 'POST',
  path: '',
  query: [],
  headers,
  body: bytes(body),
});

const hosted = {
  reply_code: '000',
  reply_desc: 'Success',
  trans_id: '7001',
  trans_date: '2026-11-21 11:59:58',
  trans_amount: '1.50',
  trans_currency: 'USD',
  trans_order: 'ORDER-42',
  payment_details: 'Visa 1234',
  signature: '2sONRYsYN4fUmphlDovdPGJSXYvcObzS8apAQsF4iMo=',
};
const form = (fields: object = {}) => post(new URLSearchParams({ ...hosted, ...fields }).toString());
const isGenuine = (request: RawRequest, given: WebhookContext) => webhook.verify(request, given).genuine;

it('a hosted notification is genuine by the known vector, by POST and by GET', () => {
  const get: RawRequest = { ...post(''), method: 'GET', query: Object.entries(hosted) };
  expect(webhook.verify(form(), context('demo-hash-code'))).toMatchObject({ genuine: true, eventId: '7001:000' });
  expect(isGenuine(get, context('demo-hash-code'))).toBe(true);
  expect(webhook.parse(get, context('demo-hash-code')).batch.sales).toMatchObject([
    {
      orderId: 'ORDER-42',
      amount: '1.50',
      ...{ paymentMethod: 'credit', cardType: 'Visa' },
      lastFour: '1234',
      status: 'completed',
      movesStock: false,
      soldAt: new Date('2026-11-21T11:59:58Z'),
      details: { responseCode: '000', responseMessage: 'Success' },
    },
  ]);
});

it('the same amount in other words, or any changed field or bit of the signature, is not genuine', () => {
  const given = context('demo-hash-code');
  expect(isGenuine(form({ trans_amount: '1.5' }), given)).toBe(false);
  const signed = ['trans_id', 'trans_order', 'reply_code', 'trans_amount', 'trans_currency'] as const;
  fc.assert(
    fc.property(fc.constantFrom(...signed), fc.string({ minLength: 1 }), (name, more) => {
      expect(isGenuine(form({ [name]: `${hosted[name]}${more}` }), given)).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 255 }), (bit) => {
      const signature = Buffer.from(hosted.signature, 'base64');
      signature[bit >> 3] = (signature[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(isGenuine(form({ signature: signature.toString('base64') }), given)).toBe(false);
    }),
  );
});

it('the hash code before the last change is accepted while both are', () => {
  expect(isGenuine(form(), context('a new one'))).toBe(false);
  expect(isGenuine(form(), context('a new one', 'demo-hash-code'))).toBe(true);
});

// Fields and key are those of the vendor’s page; the values were made with OpenSSL from its rule.
it.each([
  [
    {
      NayaxTransactionId: '20000121692',
      MerchantRequestId: '5fbeb1ba-263f-4fe6-a109-642b562020c9',
      MachineId: '1001316721',
      RequestType: 0,
      IsApproved: true,
    },
    'uET4OAwxvSN6lwVEwzQ1qRWbMkxo4KR9JbUIcG0qqo0=',
  ],
  [
    {
      MerchantRequestId: '5fbeb1ba-263f-4fe6-a109-642b562020c9',
      MachineId: '1001316721',
      RequestType: 2,
      IsApproved: false,
    },
    '1N5JPr6Q5LQSr7QaTeGmZ1qeTm2K5yfPs9774s6feyI=',
  ],
])('an e-commerce notification is genuine by its Hmac, with a missing id too', (fields, Hmac) => {
  expect(isGenuine(post(JSON.stringify({ ...fields, Hmac })), context(vendorKey))).toBe(true);
  const other = { ...fields, IsApproved: !fields.IsApproved, Hmac };
  expect(isGenuine(post(JSON.stringify(other)), context(vendorKey))).toBe(false);
  expect(isGenuine(post(JSON.stringify({ ...fields, Hmac })), context('not 64 hex digits'))).toBe(false);
});

/** A notification that is signed with the name of its request. */
function ecom(RequestType: number, name: string, more: object = {}): RawRequest {
  const fields = {
    ...{ NayaxTransactionId: '20000121692', MerchantRequestId: 'M1', MachineId: '1001316721', RequestType },
    ...{ RequestDate: '2026-11-21T11:00:00.000', IsApproved: true },
    ...more,
  };
  const said = `20000121692:M1:1001316721:${name}:${fields.IsApproved ? 'True' : 'False'}`;
  const Hmac = createHmac('sha256', Buffer.from(vendorKey, 'hex')).update(said).digest('base64');
  return post(JSON.stringify({ ...fields, Hmac }));
}
const paid = { Amount: '1.97', Currency: 'USD', PaymentMethod: 'amex' };

it.each([
  [1, 'Auth'],
  [2, 'Settlement'],
  [3, 'Cancel'],
  [3, 'Void'],
  [4, 'Refund'],
])('a request of type %i is genuine when it is signed as %s', (type, name) => {
  expect(isGenuine(ecom(type, name), context(vendorKey))).toBe(true);
  expect(isGenuine(ecom(type, `${name}s`), context(vendorKey))).toBe(false);
});

it('what an e-commerce payment gives back is told beside it, part for part, and never as the payment itself', () => {
  const read = (request: RawRequest) => webhook.parse(request, context(vendorKey)).batch.sales ?? [];
  const eventIdOf = (request: RawRequest) => webhook.verify(request, context(vendorKey));
  const [first, second] = ['2026-11-21T11:00:00.000', '2026-11-21T11:30:00.000'].map((RequestDate) =>
    ecom(4, 'Refund', { ...paid, Amount: '0.50', RequestDate }),
  ) as [RawRequest, RawRequest];
  expect(read(ecom(0, 'Sale', paid))).toMatchObject([
    { vendorId: 'nayax-ecom:20000121692', amount: '1.97', status: 'completed' },
  ]);
  expect(read(first)).toMatchObject([
    {
      ledger: { source: 'nayax-ecom', transactionId: '20000121692' },
      ...{ amount: '-0.50', status: 'refunded', movesStock: false },
    },
  ]);
  expect(read(second)[0]?.vendorId).not.toBe(read(first)[0]?.vendorId);
  expect(eventIdOf(second)).not.toEqual(eventIdOf(first));
  expect(read(ecom(4, 'Refund', { ...paid, IsApproved: false }))).toEqual([]);
});

it.each([
  [3, 'Cancel', 'was cancelled'],
  [4, 'Refund', 'was paid back'],
])('one that goes back without an amount (%i, %s) waits for a person', (type, name, words) => {
  expect(() => webhook.parse(ecom(type, name), context(vendorKey))).toThrow(`Payment 20000121692 ${words}`);
  expect(webhook.parse(ecom(2, 'Settlement'), context(vendorKey)).batch).toEqual({});
});

const basic = { authorization: `Basic ${Buffer.from('2000100001:secret').toString('base64')}` };
const transaction = (
  settledAt: string | null,
  SeValue: number | null,
) => `{"TransactionId": 9010000000000000123, "MachineId": 54265,
  "Void": false, "Data": {"Card String": "0077020491", "SeValue": ${SeValue}, "Currency": "EUR", "Authorization Value": 6.0,
  "Payment Method Description": "Prepaid Credit", "Card Last 4 Digits": null, "Card Holder Name": "A. Buyer", "CLI": "+4912345",
  "Authorization Time": "2020-04-20T07:34:05.063", "Settlement Time": ${settledAt && `"${settledAt}"`}, "Cancel Type": null,
  "Products": [{"Product PA Code": "A1", "Product Name": "Bounty", "Product Code in Map": 0, "Product Bruto": 1.0}]}}`;

it('a transaction of the queue is the same sale that the list tells, and nothing of the buyer is kept', () => {
  const request = post(transaction('2020-04-20T07:34:15.433', 1), basic);
  const { batch } = webhook.parse(request, context('secret'));
  expect(isGenuine(request, context('secret'))).toBe(true);
  expect(batch.sales).toMatchObject([
    {
      ledger: { source: 'nayax', transactionId: '9010000000000000123', line: null },
      integrationId: 'nayax:54265',
      amount: '1.00',
      currency: 'EUR',
      slotNumber: 'A1',
      productName: 'Bounty',
      paymentMethod: 'prepaid',
      status: 'completed',
    },
  ]);
  expect(JSON.stringify(batch)).not.toMatch(/Buyer|4912345|0077020491/);
  expect(webhook.parse(post(transaction(null, null), basic), context('secret')).batch.sales).toMatchObject([
    { status: 'pending', amount: '6.00' },
  ]);
});

it('a message of the queue without the right name and password is refused', () => {
  const body = transaction(null, null);
  expect(webhook.verify(post(body), context('secret'))).toMatchObject({ genuine: false });
  expect(isGenuine(post(body, basic), context('another'))).toBe(false);
});

const folder = process.env.MILKRUN_TEST_DATA ? path.join(process.env.MILKRUN_TEST_DATA, 'nayax') : '';
it.skipIf(!existsSync(folder))(
  'the vendor’s own example of an event is read as printed, with an l for the I of Id',
  () => {
    const request = post(readFileSync(path.join(folder, 'sqs-event-1.json'), 'utf8'), basic);
    expect(webhook.verify(request, context('secret'))).toMatchObject({ genuine: true, eventType: 'queue.event' });
    expect(webhook.parse(request, context('secret')).batch.alerts).toMatchObject([
      {
        vendorId: '697356467:1:2020-03-23T14:11:35',
        integrationId: 'nayax:697356467',
        code: '1',
        severity: 'low',
        raisedAt: new Date('2020-03-23T14:11:35.980Z'),
      },
    ]);
  },
);

it('a DEX file of the queue comes through byte by byte', () => {
  const file = 'DXS*ABC0000001*VA*V0/6*1\r\nID1*\u00e9\r\n';
  const request = post(JSON.stringify({ HWSerial: '534332119000155', DexData: file }), basic);
  const [read] = webhook.parse(request, context('secret')).batch.dexReads ?? [];
  expect(read).toMatchObject({ serialNumber: '534332119000155', readAt: null });
  expect(Buffer.from(read?.bytes ?? []).toString('latin1')).toBe(file);
});

it('whatever is sent, verifying it never throws', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (body, json) => {
      const sent = json ? bytes(JSON.stringify({ Hmac: [...body], TransactionId: 1, Data: 1 })) : body;
      expect(webhook.verify({ ...post(''), body: sent }, context('secret')).genuine).toBe(false);
    }),
  );
});
