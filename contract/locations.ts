import { z } from 'zod';
import { locationType } from '../domain/location.ts';
import { endpoint } from './endpoint.ts';
import { day, decimal, id } from './shapes.ts';

/** A location and how many days back. */
const span = z.object({
  type: locationType,
  id: z.coerce.number<string | number>().pipe(id.max(2_147_483_647)),
  days: z.coerce.number<string | number>().int().min(1).max(366).default(28),
});

const sum = { units: z.int(), amount: decimal };

export const locationSales = z
  .object({
    currency: z.string(),
    from: day,
    until: day,
    total: z.object({ ...sum, sales: z.int() }),
    before: decimal.meta({ description: 'Amount of as many days before these' }),
    byDay: z.array(z.object({ day, ...sum })).meta({ description: 'Every day, those without a sale too' }),
    byHour: z
      .array(z.object({ hour: z.int().min(0).max(23), ...sum }))
      .meta({ description: 'The 24 hours of the day' }),
    byProduct: z
      .array(z.object({ productName: z.string(), ...sum }))
      .meta({ description: 'All of them, the dearest first' }),
  })
  .meta({ id: 'LocationSales', description: 'Successful, not refunded sales in the operator’s currency' });
export type LocationSales = z.output<typeof locationSales>;

export const getLocationSales = endpoint({
  method: 'GET',
  path: '/api/location-sales',
  summary: 'Sales of one location by day, hour and product',
  needs: 'stock:read',
  query: span,
  reply: locationSales,
});

export const stockDay = z.object({
  day,
  units: z.int().meta({ description: 'Believed at the end of the day; now for today' }),
  empty: z.int().meta({ description: 'Slots or items with nothing left' }),
});

export const getLocationStock = endpoint({
  method: 'GET',
  path: '/api/location-stock',
  summary: 'Stock of one location at the end of each day, from the ledger',
  needs: 'stock:read',
  query: span,
  reply: z.object({
    target: z.int().meta({ description: 'Units when filled to par' }),
    days: z.array(stockDay).meta({ description: 'From the first day with a count' }),
  }),
});
