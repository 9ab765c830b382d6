import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
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

export const usePickSheet = (routeId: number) => useQuery(sheetQuery(routeId));

const mostSuggested = 8;

/** Products that may stand in for a missing one. */
export function useSubstitutes(search: string) {
  const query = { limit: mostSuggested, ...(search ? { search } : {}) };
  return useQuery({ ...queryFor(listProducts, { query }), placeholderData: keepPreviousData });
}

function useSheetChange<V>(routeId: number, change: (input: V) => Promise<PickSheet>) {
  const client = useQueryClient();
  const mutationKey = ['pick-sheet', routeId];
  return useMutation({
    mutationKey,
    // One after the other: an answer that was overtaken would show the list as it was before the later tap.
    scope: { id: mutationKey.join() },
    mutationFn: change,
    onSuccess: (sheet) => {
      // What was tapped since then stands on the screen, and its own answer follows.
      if (client.isMutating({ mutationKey }) === 1) client.setQueryData(sheetQuery(routeId).queryKey, sheet);
    },
    onError: (error) => {
      toast({ variant: 'destructive', title: 'Not saved', description: sentenceOf(error) });
      return client.invalidateQueries({ queryKey: sheetQuery(routeId).queryKey });
    },
    onSettled: () => client.invalidateQueries({ queryKey: [listPickRoutes.path] }),
  });
}

export const usePrepare = (routeId: number) =>
  useSheetChange(routeId, () => call(preparePickSheet, { params: { id: routeId } }));

export type PickState = 'picked' | 'checked' | 'picking';

export const useSetState = (routeId: number) =>
  useSheetChange(routeId, (state: PickState) => call(setPickState, { params: { id: routeId }, body: { state } }));

/** Writes picks; the list shows them before the server has answered, and again what the server says if it refuses. */
export function useRecord(routeId: number) {
  const client = useQueryClient();
  const write = useSheetChange(routeId, (picks: readonly PickInput[]) =>
    call(recordPicks, { params: { id: routeId }, body: { picks: [...picks] } }),
  );
  return {
    ...write,
    record: (picks: readonly PickInput[], options?: { onSuccess: () => void }) => {
      const { queryKey } = sheetQuery(routeId);
      void client.cancelQueries({ queryKey });
      client.setQueryData<PickSheet>(queryKey, (sheet) => sheet && withPicks(sheet, picks));
      write.mutate(picks, options);
    },
  };
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
