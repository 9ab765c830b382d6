import { keepPreviousData, useMutation, useMutationState, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  getPickSheet,
  listPickRoutes,
  type PickSheet,
  preparePickSheet,
  recordPicks,
  setPickState,
} from '../../contract/picking.ts';
import { listProducts } from '../../contract/products.ts';
import { pageRoutes } from '../../contract/routes.ts';
import type { PickInput } from '../../domain/picking.ts';
import { addDays } from '../../domain/time.ts';
import { call, sentenceOf } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export const usePickRoutes = (date: string) => useQuery(queryFor(listPickRoutes, { query: { date } }));

/** Lists are picked an evening or more before: this far ahead the next day with routes is looked for. */
const daysAhead = 14;

/** The first day after `day` that has routes; null without one. */
export function useNextRouteDay(day: string): string | null {
  const query = { from: addDays(day, 1), to: addDays(day, daysAhead), sort: 'date' as const, limit: 1 };
  const { data } = useQuery(queryFor(pageRoutes, { query }));
  return data?.rows[0]?.date ?? null;
}

const sheetQuery = (routeId: number) => queryFor(getPickSheet, { params: { id: routeId } });

/**
 * The list as the server has it, and over that the picks that are on their way to it. One that fails is off the screen by
 * itself, also where the list cannot be read again: a tick always says that the pick is kept or being sent.
 */
export function usePickSheet(routeId: number) {
  const { data, error, refetch } = useQuery(sheetQuery(routeId));
  const underway = useMutationState({
    filters: { mutationKey: picksOf(routeId), status: 'pending' },
    select: ({ state }) => state.variables as readonly PickInput[],
  });
  return { data: data && underway.reduce(withPicks, data), error, refetch };
}

const mostSuggested = 8;

/** Products that may stand in for a missing one. */
export function useSubstitutes(search: string) {
  const query = { limit: mostSuggested, ...(search ? { search } : {}) };
  return useQuery({ ...queryFor(listProducts, { query }), placeholderData: keepPreviousData });
}

/** Under this key the changes of one list are told from those of others; picks have one of their own below it. */
const changesOf = (routeId: number) => ['pick-sheet', routeId];
const picksOf = (routeId: number) => [...changesOf(routeId), 'lines'];

type Change<V> = { routeId: number; mutationKey: readonly unknown[]; change: (input: V) => Promise<PickSheet> };

function useSheetChange<V>({ routeId, mutationKey, change }: Change<V>) {
  const client = useQueryClient();
  return useMutation({
    mutationKey,
    // One after the other: an answer that was overtaken would show the list as it was before the later tap.
    scope: { id: changesOf(routeId).join() },
    mutationFn: change,
    onSuccess: (sheet) => {
      const { queryKey } = sheetQuery(routeId);
      client.setQueryData(queryKey, sheet);
      // Which of the two is newer nobody knows: this answer, or one on its way that was asked for when somebody else picked.
      if (client.isFetching({ queryKey }) > 0) void client.invalidateQueries({ queryKey });
    },
    onError: (error) => {
      toast({ variant: 'destructive', title: 'Not saved', description: sentenceOf(error) });
      return client.invalidateQueries({ queryKey: sheetQuery(routeId).queryKey });
    },
    onSettled: () => client.invalidateQueries({ queryKey: [listPickRoutes.path] }),
  });
}

export const usePrepare = (routeId: number) =>
  useSheetChange({
    routeId,
    mutationKey: changesOf(routeId),
    change: () => call(preparePickSheet, { params: { id: routeId } }),
  });

export type PickState = 'picked' | 'checked' | 'picking';

export const useSetState = (routeId: number) =>
  useSheetChange({
    routeId,
    mutationKey: changesOf(routeId),
    change: (state: PickState) => call(setPickState, { params: { id: routeId }, body: { state } }),
  });

/** Writes picks; the list shows them while they are on their way. */
export function useRecord(routeId: number) {
  const { mutate, isPending } = useSheetChange({
    routeId,
    mutationKey: picksOf(routeId),
    change: (picks: readonly PickInput[]) =>
      call(recordPicks, { params: { id: routeId }, body: { picks: [...picks] } }),
  });
  return { record: mutate, isPending };
}

function withPicks(sheet: PickSheet, picks: readonly PickInput[]): PickSheet {
  const byLine = new Map(picks.map((pick) => [pick.lineId, pick]));
  const stops = sheet.stops.map((stop) => ({
    ...stop,
    totes: stop.totes.map((tote) => ({
      ...tote,
      lines: tote.lines.map((line) => {
        const pick = byLine.get(line.lineId ?? 0);
        return pick ? { ...line, picked: pick.picked, reason: pick.reason ?? null } : line;
      }),
    })),
  }));
  return { ...sheet, stops };
}
