import type { Point } from '../../domain/location.ts';

type Directions = { origin?: Point | undefined; destination: Point; waypoints?: readonly Point[] };

/**
 * An external directions page as a universal link: a phone opens its maps app, a desktop a browser page.
 * Source: Google Maps URLs, https://developers.google.com/maps/documentation/urls/get-started
 */
export function directionsLink({ origin, destination, waypoints = [] }: Directions): string {
  const link = new URL('https://www.google.com/maps/dir/');
  link.searchParams.set('api', '1');
  if (origin) link.searchParams.set('origin', text(origin));
  link.searchParams.set('destination', text(destination));
  if (waypoints.length > 0) link.searchParams.set('waypoints', waypoints.map(text).join('|'));
  link.searchParams.set('travelmode', 'driving');
  return link.href;
}

function text({ lat, lng }: Point): string {
  return `${lat},${lng}`;
}
