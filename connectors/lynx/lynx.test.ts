import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readAlert, settled } from './alert.ts';
import { hardwareOf, readMachine } from './machine.ts';
import { productLines, shares } from './product-lines.ts';
import { salesBatch } from './pulls.ts';
import { parseJson, readInstant, recordsOf, text } from './read.ts';
import { readSale } from './sale.ts';
import { readStock } from './stock.ts';

const folder = process.env.MILKRUN_TEST_DATA ? path.join(process.env.MILKRUN_TEST_DATA, 'nayax') : '';
const real = it.skipIf(!existsSync(folder));
const example = (name: string) => recordsOf(parseJson(readFileSync(path.join(folder, name), 'utf8')));

const told = {
  TransactionID: 77,
  MachineID: 5,
  AuthorizationValue: 3,
  SettlementValue: 3,
  CurrencyCode: 'USD',
  PaymentMethod: 'Credit Card',
  RecognitionMethod: 'Contactless',
  ProductName: 'Water(A1 = 1.25)\n',
  AuthorizationDateTimeGMT: '2026-11-21T10:00:00.12',
  SettlementDateTimeGMT: '2026-11-21T10:01:00',
};
const salesOf = (fields: object) => {
  const read = readSale({ ...told, ...fields }, '5');
  if ('reason' in read) throw new Error(read.reason);
  return read.sales;
};

real('the vendor’s own example of a sale is read: what settled is the amount, and of the card four digits stay', () => {
  const [rec = {}] = example('last-sales-1.json');
  expect(readSale(rec, null)).toMatchObject({
    sales: [
      {
        vendorId: '2108816976',
        ledger: { source: 'nayax', transactionId: '2108816976', line: null },
        integrationId: 'nayax:942488501',
        orderId: 'PS123456789',
        quantity: 2,
        unitPrice: '4.75',
        amount: '9.50',
        paymentMethod: 'credit',
        lastFour: '1234',
        status: 'completed',
        productName: 'Bottled Water',
      },
    ],
  });
  expect(JSON.stringify(readSale(rec, null))).not.toMatch(/\+1234567890|\*{5}/);
});

real('the vendor’s own example of a machine is read', () => {
  const [machine = {}] = example('machine-by-device-serial-1.json');
  const now = new Date('2026-11-21T12:00:00Z');
  expect(readMachine({ machineId: '942488501', machine, status: null, hardware: hardwareOf([]), now })).toMatchObject({
    integrationId: 'nayax:942488501',
    machineNumber: 'MV001',
    name: 'Marshall Vending',
    serialNumber: 'SN12345X',
    city: 'New York City',
    latitude: '40.73061',
    longitude: '-73.935242',
    status: 'active',
  });
});

it('ids of 64 bits keep every digit, in text too, and numbers stay numbers', () => {
  expect(parseJson('[{"TransactionID":9010000000000000123,"a":1.50,"s":"x 9010000000000000123 \\" y"}]')).toEqual([
    { TransactionID: '9010000000000000123', a: 1.5, s: 'x 9010000000000000123 " y' },
  ]);
  const json = fc.json({ maxDepth: 3 }).filter((made) => !/\d{16}/.test(made));
  fc.assert(fc.property(json, (made) => void expect(parseJson(made)).toEqual(JSON.parse(made))));
});

it('fields are found misspelt, in parentheses, and with an l for the I of Id', () => {
  expect(text({ 'LastReceptionLevel(RSSI)': -70 }, 'LastReceptionLevel')).toBe('-70');
  expect(text({ machineld: '697356467' }, 'machineId')).toBe('697356467');
  expect(text({ CurrencyCode: null, currencycode: ' EUR ' }, 'CurrencyCode')).toBe('EUR');
});

it.each([
  ['2026-11-21T10:00:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00.1', '2026-11-21T10:00:00.100Z'],
  ['2026-11-21T10:00:00.1234567', '2026-11-21T10:00:00.123Z'],
  ['2026-11-21 10:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00.5Z', '2026-11-21T10:00:00.500Z'],
  ['2026-11-21T10:00:00-05:00', '2026-11-21T15:00:00.000Z'],
  ['0001-01-01T00:00:00', undefined],
  ['2000-01-01T09:00:00', undefined],
  ['2026-02-30T10:00:00', undefined],
  ['2026-11-21T10:00:00+14:00', '2026-11-20T20:00:00.000Z'],
  ['2026-11-21T10:00:00+99:00', undefined],
  ['2026-11-21T10:00:00+05:75', undefined],
  ['2026-11-21', undefined],
])('the time %s is %s', (written, expected) => {
  expect(readInstant(written)?.toISOString()).toBe(expected);
});

it('cash is no card, though Lynx names it as the brand of one, and counts no pieces of it', () => {
  const cash = { PaymentMethod: 'Cash', RecognitionMethod: 'Cash', CardBrand: 'Cash', CardNumber: null, Quantity: 0 };
  expect(salesOf({ ...cash, ProductName: 'Cash Sale(1, 1 = 0.25)\n' })).toMatchObject([
    { paymentMethod: 'cash', cardType: null, lastFour: null, quantity: 1, slotNumber: '1' },
  ]);
});

it('a sale is pending until it settles; settled for nothing it failed', () => {
  const pending = { SettlementValue: null, SettlementDateTimeGMT: null };
  expect(salesOf(pending)).toMatchObject([{ status: 'pending', amount: '3.00' }]);
  expect(salesOf({ SettlementValue: 1.5 })).toMatchObject([{ status: 'completed', amount: '1.50' }]);
  expect(salesOf({ SettlementValue: 0 })).toMatchObject([{ status: 'failed' }]);
});

it('lines of a multivend are rows that add up to what settled, and the first keeps the id of the pending sale', () => {
  const sales = salesOf({ ProductName: 'Water(A1 = 1.25)\nNuts(12,B2 = 1.75)\n', SettlementValue: 2.99 });
  expect(sales).toMatchObject([
    { vendorId: '77', ledger: { line: null }, slotNumber: 'A1', productName: 'Water', amount: '1.25', quantity: 1 },
    { vendorId: '77-2', ledger: { line: '2' }, slotNumber: 'B2', productName: 'Nuts', amount: '1.74' },
  ]);
});

it('a name that ends in parentheses of its own has no code', () => {
  expect(productLines('Water (large size)')).toMatchObject([{ name: 'Water (large size)', code: null }]);
});

it('shares of an amount always add up to it', () => {
  const line = fc.record({
    price: fc.option(
      fc.integer({ min: 0, max: 5_000 }).map((n) => n / 100),
      { nil: null },
    ),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 100_000 }),
      fc.array(line, { minLength: 1, maxLength: 8 }),
      (cents, lines) => {
        const parts = shares(
          (cents / 100).toFixed(2),
          lines.map((one) => ({ ...one, name: null, code: null, slotNumber: null })),
        );
        expect(parts.reduce((sum, part) => sum + Number(part), 0)).toBeCloseTo(cents / 100, 6);
      },
    ),
  );
});

it('a window that names a sale twice gives it once, as it settled; what nobody can read is told apart', () => {
  const pending = { ...told, SettlementValue: null, SettlementDateTimeGMT: null };
  const batch = salesBatch(
    [pending, told, { ...told, TransactionID: 78, AuthorizationDateTimeGMT: 'soon', SettlementDateTimeGMT: null }],
    '5',
    null,
  );
  expect(batch.sales).toMatchObject([{ vendorId: '77', status: 'completed' }]);
  expect(batch.unreadable).toMatchObject([{ reason: 'Sale 78 has no time that can be read.' }]);
});

it('of an older sale the settlement is new', () => {
  const sales = (since: string) =>
    salesBatch([{ ...told, SettlementDateTimeGMT: '2026-11-22T09:00:00' }], '5', new Date(since)).sales;
  expect(sales('2026-11-22T08:00:00Z')).toHaveLength(1);
  expect(sales('2026-11-22T10:00:00Z')).toHaveLength(0);
});

it('a machine is off by its bit or its device, offline after a day without a word, and 0/0 is no place', () => {
  const now = new Date('2026-11-21T12:00:00Z');
  const see = (machine: object, status: object | null, device: object = {}) =>
    readMachine({
      machineId: '5',
      machine: { MachineStatusBit: 1, DeviceSerialNumber: 'S1', GeoLatitude: 0, GeoLongitude: 0, ...machine },
      status: status && { ...status },
      hardware: hardwareOf([{ DeviceSerial: 'S1', DeviceID: 0, FWVersionNumber: '4.0', ...device }]),
      now,
    });
  expect(see({}, { LastKeepAliveDateTime: '2026-11-21T11:50:00', 'LastReceptionLevel(RSSI)': -99 })).toMatchObject({
    status: 'active',
    firmware: '4.0',
    latitude: null,
    details: { connectivity: 'weak' },
  });
  expect(see({}, { LastKeepAliveDateTime: '2026-11-20T11:00:00' })).toMatchObject({
    status: 'offline',
    details: { connectivity: 'disconnected' },
  });
  expect(see({}, null, { StatusID: 2 }).status).toBe('inactive');
  expect(see({ MachineStatusBit: 0 }, null).status).toBe('inactive');
  expect(see({}, { TemperatureFahrenheit: 41 }).details.temperature).toBe(5);
});

it('stock is the pick list’s, with the planogram’s levels; a doubled selection counts once and PAR 0 is no capacity', () => {
  const products = [
    {
      MDBCode: 1,
      PACode: 'A1',
      PAR: 10,
      VendOutAlertThreshold: 3,
      MachinePrice: 1.5,
      MissingStockByDEX: 5,
      MissingStockByMDB: 4,
    },
    { MDBCode: 1, PACode: 'A1', PAR: 10, VendOutAlertThreshold: 3, MachinePrice: 1.5 },
    { MDBCode: 2, PACode: 'A2', PAR: 0, ProductMinimumPickQTY: 0, CashPrice: 2 },
  ];
  const picks = [{ SelectionID: 1, PACode: 'A1', ProductName: 'Water', PAR: 10, MissingStock: 4, OnHandStock: null }];
  expect(readStock({ machineId: '5', products, picks, lastFilledAt: null })).toMatchObject([
    { vendorId: '5:A1', slotNumber: 'A1', productName: 'Water', quantity: 6, capacity: 10, minimum: 3, price: '1.50' },
    { vendorId: '5:A2', productName: 'Selection A2', quantity: 0, capacity: null, minimum: 0, price: '2.00' },
  ]);
});

it('a later event that all is well again ends an alert, and information is none that anybody must see', () => {
  const event = (EventCode: number, EventDescription: string, at: string) =>
    readAlert({ MachineID: 5, EventCode, EventDescription, EventDateTimeGMT: at }, '5');
  const alerts = settled(
    [
      event(48, 'Temperature normal', '2026-11-21T12:00:00'),
      event(47, 'Temperature high', '2026-11-21T08:00:00'),
      event(2, 'Power down', '2026-11-21T09:00:00'),
      event(90, 'Settings downloaded', '2026-11-21T09:30:00'),
    ].flatMap((alert) => (alert ? [alert] : [])),
  );
  expect(
    alerts.map(({ message, severity, resolvedAt }) => [message, severity, resolvedAt?.toISOString() ?? null]),
  ).toEqual([
    ['Temperature high', 'critical', '2026-11-21T12:00:00.000Z'],
    ['Power down', 'high', null],
    ['Settings downloaded', 'low', '2026-11-21T09:30:00.000Z'],
    ['Temperature normal', 'low', '2026-11-21T12:00:00.000Z'],
  ]);
});

it('whatever is in a record, reading it never throws', () => {
  const record = fc.dictionary(fc.constantFrom(...Object.keys(told)), fc.anything(), { maxKeys: 10 });
  fc.assert(fc.property(record, (rec) => void salesBatch([rec], '5', null)));
});
