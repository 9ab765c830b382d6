import { z } from 'zod';
import { calendarDay } from '../domain/calendar-day.ts';
import { paymentStatus } from '../domain/payment.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery } from './paging.ts';
import { day, decimal, id, instant, wholeNumber } from './shapes.ts';

const systemName = z
  .string()
  .regex(/^[a-z_0-9-]{1,50}$/, 'must be the key of a system')
  .meta({ description: 'A partner system, or import, simulator, dex' });

export const paymentsAsked = z.object({
  range: z.enum(['week', 'month', 'quarter']).default('month').meta({ description: 'The last 7, 30 or 90 days' }),
  from: calendarDay.optional().meta({ description: 'First day; with `to` it takes the place of `range`' }),
  to: calendarDay.optional(),
  system: systemName.optional().meta({ description: 'One system only' }),
});

const sum = z.object({
  lines: z.int().meta({ description: 'Payments, whatever their state' }),
  revenue: decimal.meta({ description: 'Completed payments less refunds' }),
});
const keyed = sum.extend({ key: z.string() });

export const paymentTotals = z.object({
  lines: z.int(),
  units: z.int(),
  completed: z.int(),
  failed: z.int(),
  pending: z.int(),
  refunded: z.int(),
  revenue: decimal,
  cash: decimal,
  cashless: decimal,
  refunds: decimal.meta({ description: 'Given back, as an amount below zero' }),
  fees: decimal.nullable().meta({ description: 'What processors keep; null where none tells' }),
  feeLines: z.int().meta({ description: 'Payments whose fee is known' }),
});
export type PaymentTotals = z.output<typeof paymentTotals>;

const dayRange = z.object({ from: day, to: day });

export const paymentReport = z
  .object({
    range: dayRange,
    before: dayRange.extend({ lines: z.int(), revenue: decimal }).meta({ description: 'As many days just before' }),
    currency: z.string(),
    total: paymentTotals,
    systems: z.array(paymentTotals.extend({ system: z.string() })),
    /** Every system that ever told of a payment or has a configuration. */
    known: z.array(z.string()),
    days: z.array(keyed.extend({ systems: z.record(z.string(), decimal) })),
    methods: z.array(keyed),
    cardTypes: z.array(keyed),
    statuses: z.array(keyed.extend({ amount: decimal })),
    hours: z.array(sum.extend({ hour: z.int() })),
    otherCurrencies: z.array(z.object({ currency: z.string(), lines: z.int(), revenue: decimal })),
  })
  .meta({ id: 'PaymentReport' });
export type PaymentReport = z.output<typeof paymentReport>;

export const getPaymentReport = endpoint({
  method: 'GET',
  path: '/api/payment-reports',
  summary: 'Payments of all systems in some days: by system, day, method, card, state and hour',
  needs: 'office:read',
  query: paymentsAsked,
  reply: paymentReport,
});

export const payment = z
  .object({
    id: z.string().meta({ description: 'CT- for Cantaloupe, NT- for Nayax, then the id of the system' }),
    system: z.string(),
    deviceId: z.string(),
    location: z.object({ type: z.enum(['market', 'vending_machine']), id, name: z.string() }).nullable(),
    productName: z.string().nullable(),
    quantity: z.int(),
    amount: decimal,
    revenue: decimal.meta({ description: 'What of the amount came in: nothing while pending, failed or given back' }),
    fee: decimal.nullable(),
    currency: z.string(),
    paymentMethod: z.string(),
    cardType: z.string(),
    lastFour: z.string().nullable(),
    status: paymentStatus,
    refunded: z.boolean(),
    date: instant,
  })
  .meta({ id: 'Payment' });
export type Payment = z.output<typeof payment>;

export const listPayments = endpoint({
  method: 'GET',
  path: '/api/payment-reports/transactions',
  summary: 'The payments behind a report, the newest first',
  needs: 'office:read',
  query: paymentsAsked.extend({
    ...pageQuery.shape,
    status: z.enum(['completed', 'failed', 'pending', 'refunded']).optional(),
  }),
  reply: pageOf(payment),
});

export const listPaymentPlaces = endpoint({
  method: 'GET',
  path: '/api/payment-reports/locations',
  summary: 'Machines and markets by what was paid there, the most first; devices without one of ours as well',
  needs: 'office:read',
  query: paymentsAsked.extend({ limit: wholeNumber(1, 500).default(10) }),
  reply: z.object({
    places: z.int().meta({ description: 'All of them, also those not listed' }),
    rows: z.array(
      z.object({
        place: z.string(),
        name: z.string(),
        location: z.object({ type: z.enum(['market', 'vending_machine']), id }).nullable(),
        lines: z.int(),
        failed: z.int(),
        revenue: decimal,
      }),
    ),
  }),
});

/** Rows that one file takes. */
export const exportFormat = z.enum(['csv', 'xlsx', 'json']);
