import { z } from 'zod';

export const locationType = z.enum(['market', 'vending_machine']);
export type LocationType = z.infer<typeof locationType>;

/** A place with stock: a micro market or a vending machine. Ids of the two kinds may coincide, so neither is used alone. */
export const locationRef = z.object({ type: locationType, id: z.int().positive() });
export type LocationRef = z.infer<typeof locationRef>;

/** A stable text key of a location, e.g. `market:7`. */
export function locationKey(ref: LocationRef): string {
  return `${ref.type}:${ref.id}`;
}

export const locationStatus = z.enum(['active', 'maintenance', 'inactive']);
export type LocationStatus = z.infer<typeof locationStatus>;

/** The displayed number of a market: `MKT-` and the id padded to three digits. */
export function marketNumber(id: number): string {
  return `MKT-${String(id).padStart(3, '0')}`;
}

const decimalPattern = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

function coordinate(name: 'Latitude' | 'Longitude', limit: number) {
  const notANumber = `${name} must be a valid number`;
  return z
    .string({ error: ({ input }) => (input === undefined ? `${name} is required` : notANumber) })
    .trim()
    .min(1, `${name} is required`)
    .max(20, notANumber)
    .regex(decimalPattern, notANumber)
    .refine((text) => Math.abs(Number(text)) <= limit, `${name} must lie between -${limit} and ${limit}`);
}

/** Degrees as decimal text, as they travel and are stored: nothing is lost to binary fractions. */
export const latitude = coordinate('Latitude', 90);
export const longitude = coordinate('Longitude', 180);

/** Decimal degrees as numbers, for maps and distances only. */
export type Point = { lat: number; lng: number };

/** Reads a stored pair of decimal strings. */
export function toPoint(place: { latitude: string; longitude: string }): Point {
  return { lat: Number(place.latitude), lng: Number(place.longitude) };
}

/**
 * Great-circle distance in kilometres.
 * Source: haversine formula with the IUGG mean earth radius 6371.0088 km.
 */
export function distanceKm(a: Point, b: Point): number {
  const rad = Math.PI / 180;
  const dLat = (b.lat - a.lat) * rad;
  const dLng = (b.lng - a.lng) * rad;
  const h = Math.sin(dLat / 2) ** 2 + Math.cos(a.lat * rad) * Math.cos(b.lat * rad) * Math.sin(dLng / 2) ** 2;
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(h)));
}
