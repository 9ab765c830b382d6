import { dropDraft, readDraft, writeDraft } from '../ui/forms/draft.ts';
import type { Candidate } from './places/locations.ts';

/** Places that somebody put together by hand, kept for the tab like what is typed into a form. */
function keptPlaces<One>(key: string, isOne: (kept: unknown) => kept is One) {
  return {
    of: (): readonly One[] => {
      const { places } = readDraft(key);
      return Array.isArray(places) && places.every(isOne) ? places : [];
    },
    keep: (places: readonly One[]): void => writeDraft(key, places.length > 0 ? { places } : {}),
    forget: (): void => dropDraft(key),
  };
}

const texts = ['key', 'name', 'where', 'address', 'status'] as const;
const numbers = ['id', 'lat', 'lng', 'lowCount', 'totes'] as const;

/** What an earlier release of the screens kept may lack what this one shows. */
function isPlace(kept: unknown): kept is Candidate {
  if (typeof kept !== 'object' || kept === null) return false;
  const place: Partial<Candidate> = kept;
  return (
    (place.type === 'market' || place.type === 'vending_machine') &&
    texts.every((name) => typeof place[name] === 'string') &&
    numbers.every((name) => typeof place[name] === 'number') &&
    place.routeDesignation !== undefined &&
    place.accessHours !== undefined
  );
}

/** A location that is planned, or left out, whatever its route says. */
export type Exception = { place: Candidate; isLeftOut: boolean };

function isException(kept: unknown): kept is Exception {
  if (typeof kept !== 'object' || kept === null) return false;
  const { place, isLeftOut }: Partial<Exception> = kept;
  return isPlace(place) && typeof isLeftOut === 'boolean';
}

/** What was chosen on Route Planning, for the screen that plans the same places for several drivers, too. */
export const chosenPlaces = keptPlaces('chosen-places', isPlace);

/** What Plan the Day plans besides, and what it leaves out. */
export const exceptPlaces = keptPlaces('day-plan-exceptions', isException);
