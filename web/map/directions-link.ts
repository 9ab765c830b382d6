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

/** What a browser says of the device it runs on: `navigator` itself. */
type Device = Pick<Navigator, 'userAgent' | 'maxTouchPoints'>;

/** An iPad calls itself a Mac, and no Mac has a screen to touch. */
function isApple({ userAgent, maxTouchPoints }: Device): boolean {
  return /iphone|ipad|ipod/i.test(userAgent) || (/macintosh/i.test(userAgent) && maxTouchPoints > 1);
}

/**
 * The way from here to one place in whatever maps app the phone has, which finds it without a network too: Android asks
 * which app by a geo address, iOS opens its own maps; elsewhere it is the directions page.
 * Sources: Android common intents, https://developer.android.com/guide/components/intents-common#Maps; Apple Map Links,
 * https://developer.apple.com/library/archive/featuredarticles/iPhoneURLScheme_Reference/MapLinks
 */
export function navigateLink(destination: Point, name: string, device: Device): string {
  const at = text(destination);
  if (/android/i.test(device.userAgent)) return `geo:${at}?q=${at}(${encodeURIComponent(name)})`;
  if (isApple(device)) return `https://maps.apple.com/?daddr=${at}&dirflg=d`;
  return directionsLink({ destination });
}
