import { useDeferredValue, useMemo } from 'react';
import { mostLocations } from '../../domain/route-plan.ts';
import { toLatLng } from '../http/parse.ts';
import { toCandidate } from '../route-planning/places/locations.ts';
import { knownBefore } from '../route-planning/plan/known-before.ts';
import { misfitsBefore } from '../route-planning/plan/misfits.ts';
import { useWishedPlaces } from './api.ts';
import { type Choices, type CrewDraft, withoutVehicleText } from './crews.ts';
import { isIn, plannedOf, wishOfChoice } from './places.ts';
import type { ChoiceMade } from './use-choice.ts';

type Asked = { made: ChoiceMade; date: string; crews: readonly CrewDraft[]; choices: Choices | undefined };

/** What is certain before anything is planned, as sentences: closed doors, positions that cannot be true, too many totes. */
export function useKnownBefore({ made, date, crews, choices }: Asked): string[] {
  const { counts, count } = made;
  // A tick is shown at once; what is said of it follows.
  const choice = useDeferredValue(made.choice);
  const wish = useMemo(() => wishOfChoice(counts, choice), [counts, choice]);
  const isTooMany = count > mostLocations;
  const found = useWishedPlaces(isTooMany ? null : wish, mostLocations).data;
  const places = useMemo(() => {
    if (wish && (isTooMany || !found)) return [];
    // Until the next answer is there, those of the one before that are still planned.
    const kept = (found ?? []).map(toCandidate).filter((place) => isIn(place, choice));
    return plannedOf(kept, choice);
  }, [wish, isTooMany, found, choice]);
  return useMemo(() => {
    const drivers = crews.filter(({ isIn }) => isIn);
    const vehicles = drivers.flatMap(({ vehicleId }) => choices?.vehicles.find(({ id }) => id === vehicleId) ?? []);
    // A driver without a vehicle holds whatever is given.
    const limiting = vehicles.length === drivers.length ? vehicles : [];
    const without = withoutVehicleText(drivers, choices?.vehicles.length ?? 0);
    return [
      ...(without === null ? [] : [without]),
      ...knownBefore(places, date),
      ...misfitsBefore(places, {
        depots: (choices?.depots ?? []).map(toLatLng),
        vehicles: limiting,
        isOneOf: false,
        lacks:
          choices?.depots.length === 0
            ? ['No depot is set up: routes begin at their first stop. Add one in Settings.']
            : [],
      }),
    ];
  }, [places, date, crews, choices]);
}
