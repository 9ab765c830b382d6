import type { QueryClient } from '@tanstack/react-query';
import type { Candidate } from './places/locations.ts';

const key = ['chosen-places'];

/** What was chosen on Route Planning, for the screen that plans the same places for several drivers. Gone with the page. */
export const chosenPlaces = {
  keep: (client: QueryClient, places: readonly Candidate[]): void => {
    client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY });
    client.setQueryData(key, places);
  },
  of: (client: QueryClient): readonly Candidate[] => client.getQueryData<readonly Candidate[]>(key) ?? [],
};
