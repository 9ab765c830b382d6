/** What screens need of a location: no schema here, so that none is loaded for it. */

/** A stable text key of a location, e.g. `market:7`. */
export function locationKey(ref: { type: 'market' | 'vending_machine'; id: number }): string {
  return `${ref.type}:${ref.id}`;
}

/** The displayed number of a market: `MKT-` and the id padded to three digits. */
export function marketNumber(id: number): string {
  return `MKT-${String(id).padStart(3, '0')}`;
}

type Addressed = { address: string | null; city?: string | null | undefined; state?: string | null | undefined };

/** Street, city and state in one line: the same street is in many towns. What is not known is left out. */
export function addressText({ address, city, state }: Addressed): string {
  return [address, city, state].filter(Boolean).join(', ');
}

/** Decimal degrees as numbers, for maps and distances only. */
export type Point = { lat: number; lng: number };

/** Reads a stored pair of decimal strings. */
export function toPoint(place: { latitude: string; longitude: string }): Point {
  return { lat: Number(place.latitude), lng: Number(place.longitude) };
}

type Position = { latitude?: string | null | undefined; longitude?: string | null | undefined };

/** Zero and zero is what systems write that know no position: there is nothing but sea. */
export const isNowhere = ({ latitude, longitude }: Position): boolean => isZero(latitude) && isZero(longitude);

const isZero = (degrees: string | null | undefined): boolean => Boolean(degrees?.trim()) && Number(degrees) === 0;

/** Whether it is said where something is. */
export const hasPosition = (position: Position): boolean =>
  Boolean(position.latitude) && Boolean(position.longitude) && !isNowhere(position);

/**
 * A position as maps copy it, both coordinates in one: `39.9526, -75.1652`. As decimal text, latitude first; null for anything else, also
 * for one number with a comma in it.
 */
export function bothCoordinates(text: string): { lat: string; lng: string } | null {
  const [, lat, lng] = /^\s*\(?\s*([+-]?\d{1,2}\.\d+)°?\s*[,;\s]\s*([+-]?\d{1,3}\.\d+)°?\s*\)?\s*$/.exec(text) ?? [];
  return lat === undefined || lng === undefined ? null : { lat, lng };
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
