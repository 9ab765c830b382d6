import { useMemo, useState } from 'react';
import type { ListedPlace } from '../../contract/locations.ts';
import { locationKey } from '../../domain/place.ts';
import { usePlaceCounts } from '../locations/find/places.ts';
import { chosenPlaces, type Exception, exceptPlaces } from '../route-planning/chosen-places.ts';
import { goneOf } from '../route-planning/gone-places.ts';
import { toCandidate } from '../route-planning/places/locations.ts';
import { useAddress } from '../ui/address/use-address.ts';
import {
  type Choice,
  countOfChoice,
  inOrder,
  isIn,
  offAtFirst,
  offFromText,
  type PlannedPlace,
  scopeFrom,
} from './places.ts';

const none: readonly never[] = [];

/** Which locations are to be planned, and the ways to change that. Sensible from the start. */
export function useChoice() {
  const asked = usePlaceCounts();
  const counts = useMemo(() => inOrder(asked.data ?? none), [asked.data]);
  const [chosen, setChosen] = useState(chosenPlaces.of);
  const { get, set } = useAddress();
  const scope = scopeFrom(get('locations'), chosen.length > 0);
  const without = get('without');
  const [exceptions, setExceptions] = useState(exceptPlaces.of);
  const off = useMemo(() => offFromText(without, counts) ?? offAtFirst(counts), [without, counts]);
  const choice = useMemo((): Choice => ({ scope, off, chosen, exceptions }), [scope, off, chosen, exceptions]);

  function keepExceptions(next: readonly Exception[]): void {
    setExceptions(next);
    exceptPlaces.keep(next);
  }

  return {
    asked,
    counts,
    choice,
    count: useMemo(() => countOfChoice(counts, choice), [counts, choice]),
    setScope: (next: Choice['scope']) => set({ locations: next }),
    setRoutes: (designations: readonly string[], on: boolean) => {
      const next = new Set(off);
      for (const one of designations) {
        if (on) next.delete(one);
        else next.add(one);
      }
      set({ without: JSON.stringify([...next]) });
    },
    /** What is planned is left out, what is not is added. */
    except: (listed: ListedPlace) => {
      const place = toCandidate(listed);
      const others = exceptions.filter((one) => locationKey(one.place) !== locationKey(place));
      keepExceptions([...others, { place, isLeftOut: isIn(place, choice) }]);
    },
    forget: (gone: Exception) => keepExceptions(exceptions.filter((one) => one !== gone)),
    /** Takes out what was deleted meanwhile, if that is why planning failed. */
    takeOutGone: (error: unknown): PlannedPlace[] => {
      const gone = goneOf(error, [...chosen, ...exceptions.map(({ place }) => place)]);
      const keys = new Set(gone.map(locationKey));
      const left = chosen.filter((place) => !keys.has(place.key));
      setChosen(left);
      chosenPlaces.keep(left);
      keepExceptions(exceptions.filter(({ place }) => !keys.has(locationKey(place))));
      return gone;
    },
  };
}

export type ChoiceMade = ReturnType<typeof useChoice>;
