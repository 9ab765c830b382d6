import { z } from 'zod';
import { locationType } from '../domain/location.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { addressId, day, decimal, decimalNumber, id, wholeNumber } from './shapes.ts';

/** A location and how many days back. */
const span = z.object({
  type: locationType,
  id: addressId,
  days: wholeNumber(1, 366).default(28),
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

export const listedPlace = z
  .object({
    type: locationType,
    id,
    name: z.string(),
    place: z.string().meta({ description: 'Address of a market, location text of a machine' }),
    address: z.string(),
    latitude: decimal,
    longitude: decimal,
    status: z.string(),
    routeDesignation: z.string().nullable(),
    lowCount: z.int().meta({ description: 'Items or slots at or under their minimum' }),
    accessHours: z.string().nullable().meta({ description: 'When it can be entered; null: any time' }),
    missingUnits: z.int().meta({ description: 'Up to its targets; what a driver would bring' }),
  })
  .meta({ id: 'ListedPlace' });
export type ListedPlace = z.output<typeof listedPlace>;

const degrees = (most: number) => decimalNumber(-most, most).optional();
const yes = z.enum(['true', 'false']).default('false');

/** `["101",""]` */
const routeList = z
  .string()
  .max(16_000)
  .transform((text, context) => {
    const parsed = z.array(z.string().max(20)).max(1_000).safeParse(fromJson(text));
    if (parsed.success) return parsed.data;
    context.addIssue({ code: 'custom', message: 'Name routes such as ["101","202"]' });
    return z.NEVER;
  })
  .optional();

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not a list; the shape says so.
    return null;
  }
}

const placeFilter = z.object({
  type: locationType.optional(),
  search: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Words of name, number, place, address or route, in any order' }),
  route: z.string().max(20).optional(),
  routes: routeList.meta({ description: 'A JSON list of route designations; an empty text is no route' }),
  low: yes.meta({ description: 'Only with items or slots at or under their minimum' }),
  visited: yes.meta({ description: 'Only what is visited by plan: nothing that is switched off' }),
  west: degrees(180),
  east: degrees(180),
  south: degrees(90),
  north: degrees(90),
});
export type PlaceFilter = z.output<typeof placeFilter>;

export const pagePlaces = endpoint({
  method: 'GET',
  path: '/api/locations/page',
  summary: 'A page of markets and vending machines, searched and filtered, also by the corners of a map',
  needs: 'stock:read',
  query: pageQuery.extend({ ...placeFilter.shape, sort: sortBy('name', 'low').default('name') }),
  reply: pageOf(listedPlace).extend({
    low: z.int().meta({ description: 'Of all that match but for the filter `low`: how many run low' }),
  }),
});

const corners = z.object({ west: z.number(), south: z.number(), east: z.number(), north: z.number() });

export const placeGroup = z.object({ lat: z.number(), lng: z.number(), count: z.int(), ...corners.shape });
export type PlaceGroup = z.output<typeof placeGroup>;

export const mapPlaces = endpoint({
  method: 'GET',
  path: '/api/locations/map',
  summary: 'What a map shows of the locations that match: each by itself while they are few, else neighbours as groups',
  needs: 'stock:read',
  query: placeFilter.extend({ zoom: decimalNumber(0, 24).optional() }),
  reply: z.object({
    total: z.int(),
    bounds: corners.nullable().meta({ description: 'Around all that match; null: nothing does' }),
    places: z.array(listedPlace),
    groups: z.array(placeGroup),
  }),
});

export const placeCount = z.object({
  designation: z.string().meta({ description: 'Empty: no route' }),
  all: z.int(),
  needing: z.int().meta({ description: 'Of those: with items or slots at or under their minimum' }),
});
export type PlaceCount = z.output<typeof placeCount>;

export const countPlaces = endpoint({
  method: 'GET',
  path: '/api/locations/counts',
  summary: 'By route designation, how many locations are visited by plan and how many of them need a visit',
  needs: 'stock:read',
  reply: z.array(placeCount),
});
