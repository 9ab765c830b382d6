import { useQuery } from '@tanstack/react-query';
import { getNeed, type LocationNeed, listNeeds, needLimit } from '../../contract/need.ts';
import type { LocationRef } from '../../domain/location.ts';
import { locationKey } from '../../domain/place.ts';
import { call } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';

/** A forecast moves with the days, not with each sale. */
const freshMs = 600_000;
/** Rows that come into sight together are asked for together. */
const gatherMs = 30;

export type Need = LocationNeed & { currency: string };

type Wanted = { ref: LocationRef; settle: (need: Need | null) => void; fail: (error: unknown) => void };

const waiting = new Map<string, Wanted[]>();

function gather(ref: LocationRef, visit: string | null): Promise<Need | null> {
  return new Promise((settle, fail) => {
    const day = visit ?? '';
    const list = waiting.get(day);
    if (list) list.push({ ref, settle, fail });
    else {
      waiting.set(day, [{ ref, settle, fail }]);
      setTimeout(() => send(day), gatherMs);
    }
  });
}

function send(day: string): void {
  const all = waiting.get(day) ?? [];
  waiting.delete(day);
  for (let first = 0; first < all.length; first += needLimit) void ask(all.slice(first, first + needLimit), day);
}

async function ask(wanted: readonly Wanted[], day: string): Promise<void> {
  const idsOf = (type: LocationRef['type']): string =>
    wanted.flatMap(({ ref }) => (ref.type === type ? [ref.id] : [])).join(',');
  const [markets, machines] = [idsOf('market'), idsOf('vending_machine')];
  try {
    const { locations, currency } = await call(listNeeds, {
      query: { ...(markets ? { markets } : {}), ...(machines ? { machines } : {}), ...(day ? { visit: day } : {}) },
    });
    const found = new Map(locations.map((need) => [locationKey(need), { ...need, currency }]));
    for (const one of wanted) one.settle(found.get(locationKey(one.ref)) ?? null);
  } catch (error) {
    for (const one of wanted) one.fail(error);
  }
}

/** What a location needs until its next visit, or until a day; undefined while not known. */
export function useLocationNeed(ref: LocationRef | null, visit: string | null = null): Need | undefined {
  const { data } = useQuery({
    queryKey: [listNeeds.path, ref === null ? '' : locationKey(ref), visit],
    queryFn: () => (ref === null ? null : gather({ type: ref.type, id: ref.id }, visit)),
    staleTime: freshMs,
    enabled: ref !== null,
  });
  return data ?? undefined;
}

/** The same with each slot or item, and how far past forecasts were off. */
export function useNeedDetail(ref: LocationRef, visit: string | null) {
  const args = { query: { type: ref.type, id: ref.id, ...(visit === null ? {} : { visit }) } };
  return useQuery({ ...queryFor(getNeed, args), staleTime: freshMs });
}
