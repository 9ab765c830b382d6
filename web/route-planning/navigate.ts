import type { Point } from '../../domain/location.ts';
import { directionsLink } from '../map/directions-link.ts';

const positionUnknown = 'Unable to get your current location. Please enable location services.';

/** Opens the way from the person to a location in the phone's maps app or a new tab. */
export function navigateTo(destination: Point, own: Point | null): void {
  if (!own) {
    window.alert(positionUnknown);
    return;
  }
  openMaps(directionsLink({ origin: own, destination }));
}

/** Opens a way through all chosen locations; the last one chosen is where it ends. False when nothing is chosen. */
export function navigateThrough(chosen: readonly Point[]): boolean {
  const destination = chosen.at(-1);
  if (!destination) return false;
  openMaps(directionsLink({ destination, waypoints: chosen.slice(0, -1) }));
  return true;
}

function openMaps(link: string): void {
  window.open(link, '_blank', 'noopener');
}
