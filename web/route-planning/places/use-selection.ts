import { useMemo, useRef, useState } from 'react';
import { mostLocations } from '../../../domain/route-plan.ts';
import { sentenceOf } from '../../http/client.ts';
import { formatNumber } from '../../http/format.ts';
import { loadPlaces, type PlaceWish } from '../../locations/find/places.ts';
import { toast } from '../../ui/toasts/toast.ts';
import { chosenPlaces } from '../chosen-places.ts';
import { type Candidate, toCandidate } from './locations.ts';

export type Selection = {
  keys: ReadonlySet<string>;
  /** In the order they were chosen, markets and machines together. */
  chosen: readonly Candidate[];
  toggle: (place: Candidate) => void;
  choose: (places: readonly Candidate[]) => void;
  remove: (keys: readonly string[]) => void;
  /** Everything that matches, loaded or not. */
  chooseAll: (wish: PlaceWish) => Promise<void>;
  removeAll: (wish: PlaceWish) => Promise<void>;
  /** True where everything that matches was chosen together and still is. */
  isWhole: (wish: PlaceWish) => boolean;
  isReading: boolean;
  clear: () => void;
};

/** What is chosen for the route, over both lists and whatever is searched for meanwhile. */
export function useSelection(): Selection {
  const [places, setPlaces] = useState<ReadonlyMap<string, Candidate>>(
    () => new Map(chosenPlaces.of().map((place) => [place.key, place])),
  );
  // What is ticked while an answer is on its way counts as well.
  const latest = useRef(places);
  const [wholes, setWholes] = useState<ReadonlyMap<string, readonly string[]>>(new Map());
  const [isReading, setReading] = useState(false);
  const chosen = useMemo(() => [...places.values()], [places]);
  const keys = useMemo(() => new Set(places.keys()), [places]);

  function change(next: ReadonlyMap<string, Candidate>): void {
    latest.current = next;
    setPlaces(next);
    chosenPlaces.keep([...next.values()]);
  }

  function choose(more: readonly Candidate[]): void {
    const next = new Map(latest.current);
    for (const place of more) if (!next.has(place.key)) next.set(place.key, place);
    if (next.size > mostLocations) toast(texts.tooMany);
    else change(next);
  }

  function remove(gone: readonly string[]): void {
    const next = new Map(latest.current);
    for (const key of gone) next.delete(key);
    change(next);
  }

  async function withAll(wish: PlaceWish, then: (found: Candidate[]) => void): Promise<void> {
    setReading(true);
    try {
      const found = await loadPlaces(wish, mostLocations);
      if (found) then(found.map(toCandidate));
      else toast(texts.tooMany);
    } catch (error) {
      toast({ title: 'The locations did not load', description: sentenceOf(error), variant: 'destructive' });
    } finally {
      setReading(false);
    }
  }

  return {
    keys,
    chosen,
    choose,
    remove,
    isReading,
    toggle: (place) => (keys.has(place.key) ? remove([place.key]) : choose([place])),
    chooseAll: (wish) =>
      withAll(wish, (found) => {
        choose(found);
        setWholes(
          new Map(wholes).set(
            JSON.stringify(wish),
            found.map(({ key }) => key),
          ),
        );
      }),
    removeAll: (wish) => withAll(wish, (found) => remove(found.map(({ key }) => key))),
    isWhole: (wish) => wholes.get(JSON.stringify(wish))?.every((key) => keys.has(key)) ?? false,
    clear: () => change(new Map()),
  };
}

const texts = {
  tooMany: {
    title: 'Too Many Locations',
    description: `Choose at most ${formatNumber(mostLocations)} at a time. Narrow the list by route, search or low stock first.`,
    variant: 'destructive' as const,
  },
};
