import { z } from 'zod';
import { integrationSystem } from '../domain/integration.ts';
import { keepableText, plainText } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { paymentsAsked } from './payments.ts';
import { day, decimal, id, instant } from './shapes.ts';

const kind = z.enum([
  'sale-without-payment',
  'payment-without-sale',
  'amount-differs',
  'paid-twice',
  'not-paid-out',
  'payout-differs',
  'payout-unknown',
]);

const place = z.object({ type: z.enum(['market', 'vending_machine']), id, name: z.string() });

export const difference = z
  .object({
    key: z.string(),
    kind,
    title: z.string(),
    cause: z.string().meta({ description: 'What most often stands behind it' }),
    resolution: z.string().meta({ description: 'What accepting it means' }),
    reference: z.string(),
    location: place.nullable(),
    amount: decimal.meta({ description: 'Missing where below zero, else too much' }),
    at: instant,
    ageDays: z.int(),
    settled: z.object({ by: z.string().nullable(), at: instant, note: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'PaymentDifference' });
export type PaymentDifference = z.output<typeof difference>;

export const cashBag = z
  .object({
    visitId: z.string(),
    bagNumber: z.string(),
    location: place.nullable(),
    route: z.string().nullable(),
    driver: z.string().nullable(),
    since: instant.nullable().meta({ description: 'The bag before; null: the first one, nothing is expected of it' }),
    at: instant,
    expected: decimal
      .nullable()
      .meta({ description: 'Cash sales since the bag before; null too where some of them are in files' }),
    counted: decimal.nullable(),
    difference: decimal.nullable(),
  })
  .meta({ id: 'CashBag' });
export type CashBag = z.output<typeof cashBag>;

const overShort = z.object({
  name: z.string(),
  bags: z.int(),
  expected: decimal,
  counted: decimal,
  difference: decimal,
});

export const reconciliationReport = z
  .object({
    range: z.object({ from: day, to: day }),
    salesFrom: day.nullable().meta({
      description:
        'Sales before this day are in files (LEDGER_MONTHS): payments are compared with payouts only; null: all are here',
    }),
    sales: z.int().meta({ description: 'Cashless sales in the books, at places with a connected reader or till' }),
    payments: z
      .int()
      .meta({ description: 'By card, at readers of these places: matched, pending, failed or different' }),
    pairs: z.int(),
    pending: z.int(),
    failed: z.int(),
    payouts: z.int(),
    open: z.int(),
    openAmount: decimal,
    settled: z.int(),
    differences: z.array(difference).meta({ description: 'The oldest open ones first, then the settled; at most 500' }),
    bags: z.array(cashBag),
    byRoute: z.array(overShort),
    byDriver: z.array(overShort),
  })
  .meta({ id: 'ReconciliationReport' });
export type ReconciliationReport = z.output<typeof reconciliationReport>;

export const getReconciliation = endpoint({
  method: 'GET',
  path: '/api/reconciliation',
  summary: 'Books, card payments, payouts and cash bags compared, with every difference and its likely cause',
  needs: 'office:read',
  query: paymentsAsked.omit({ system: true }),
  reply: reconciliationReport,
});

const key = z.string().min(1).max(700);

export const settleDifference = endpoint({
  method: 'POST',
  path: '/api/reconciliation/settle',
  summary: 'Accept a difference',
  needs: 'office:write',
  body: z.strictObject({
    key,
    kind,
    at: z.iso.datetime().optional().meta({
      description: 'As the difference tells it: it is looked for there, else in the last 90 days',
    }),
    note: z.string().trim().max(500, 'Note is too long: at most 500 characters').check(plainText).optional(),
  }),
  reply: z.object({ key }),
});

export const reopenDifference = endpoint({
  method: 'POST',
  path: '/api/reconciliation/reopen',
  summary: 'Take back that a difference was accepted',
  needs: 'office:write',
  body: z.strictObject({ key }),
  reply: z.object({ key }),
});

export const importPayouts = endpoint({
  method: 'POST',
  path: '/api/reconciliation/payouts',
  summary: 'Take in a payout file of a processor (CSV); lines known already change nothing',
  needs: 'office:write',
  body: z.strictObject({
    system: integrationSystem,
    name: z.string().overwrite(keepableText).trim().min(1, 'Name the file').max(100),
    content: z.string().min(1, 'The file is empty').max(900_000, 'The file is larger than 900 kB: split it by payout'),
  }),
  reply: z.object({
    added: z.int(),
    known: z.int().meta({ description: 'Lines left out, since they are counted already' }),
    refused: z.array(z.object({ line: z.int(), reason: z.string() })),
  }),
  status: 201,
});

export const countCash = endpoint({
  method: 'PUT',
  path: '/api/reconciliation/cash/:visitId',
  summary: 'Say what was in a bag; null takes the count back',
  needs: 'office:write',
  params: z.object({ visitId: z.uuid() }),
  body: z.strictObject({
    counted: z
      .string()
      .regex(/^\d{1,8}(?:\.\d{1,2})?$/, 'Write an amount such as 125.50')
      .nullable(),
  }),
  reply: z.object({ visitId: z.string(), counted: decimal.nullable() }),
});
