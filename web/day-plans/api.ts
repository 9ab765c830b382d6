import { keepPreviousData, useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  arrangeDayPlan,
  createDayPlan,
  type DayPlan,
  discardDayPlan,
  getDayPlan,
  improveDayPlan,
  saveDayPlan,
  stopDayPlan,
  undoDayPlan,
} from '../../contract/day-plans.ts';
import { type ListedPlace, pagePlaces } from '../../contract/locations.ts';
import { listRoutes, listScheduledRoutes, pageRoutes, pageScheduledRoutes } from '../../contract/routes.ts';
import type { Arrangement } from '../../domain/day-plan.ts';
import { call } from '../http/client.ts';
import { queryFor } from '../http/query-client.ts';
import { loadPlaces, type PlaceWish } from '../locations/find/places.ts';

/** Notes of the server come at most four times a second; this is the net under them while a search runs. */
const lookAgainMs = 2_000;

export function useDayPlan(id: string) {
  return useQuery({
    ...queryFor(getDayPlan, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'solving' ? lookAgainMs : false),
  });
}

/** What changes a plan: one thing at a time, wherever on the screen it is asked for. */
const changing = (id: string) => ['day-plan', id];
type Step = keyof typeof calls;

/** True while a plan is being changed. */
export const usePlanChanging = (id: string): boolean => useIsMutating({ mutationKey: changing(id) }) > 0;

/** The same, asked at the moment of a press: a second one may come before the first is drawn. */
export function useIsPlanChanging(id: string): () => boolean {
  const client = useQueryClient();
  return () => client.isMutating({ mutationKey: changing(id) }) > 0;
}

/** True while the routes of a plan are being made: what is moved now would not be in them. */
export const usePlanSaving = (id: string): boolean =>
  useIsMutating({
    mutationKey: changing(id),
    predicate: ({ state }) => state.status === 'pending' && state.variables === ('save' satisfies Step),
  }) > 0;

type CreateBody = Parameters<typeof call<typeof createDayPlan>>[1]['body'];

function useKeep() {
  const client = useQueryClient();
  return (plan: DayPlan) => client.setQueryData(queryFor(getDayPlan, { params: { id: plan.id } }).queryKey, plan);
}

type ToPlan = { wish: PlaceWish | null; bodyOf: (found: readonly ListedPlace[]) => CreateBody };

/**
 * The locations of the routes, to say what is known of them before they are planned; not of more than one plan can hold. The answer
 * before stays until the next: what is said would leave and come back, and push the button away that is about to be pressed.
 */
export const useWishedPlaces = (wish: PlaceWish | null, most: number) =>
  useQuery({
    queryKey: [pagePlaces.path, 'to plan', wish],
    queryFn: () => loadPlaces(wish ?? {}, most),
    enabled: wish !== null,
    placeholderData: keepPreviousData,
  });

/** Finds the locations of the routes, then plans them. */
export function useCreateDayPlan() {
  const keep = useKeep();
  return useMutation({
    mutationFn: async ({ wish, bodyOf }: ToPlan) => {
      const found = wish ? await loadPlaces(wish, Number.POSITIVE_INFINITY) : [];
      return call(createDayPlan, { body: bodyOf(found ?? []) });
    },
    onSuccess: keep,
  });
}

const calls = { stop: stopDayPlan, undo: undoDayPlan, save: saveDayPlan };

/** Stops the search, takes back the last change, or makes the routes. */
export function usePlanStep(id: string) {
  const keep = useKeep();
  const client = useQueryClient();
  return useMutation({
    mutationKey: changing(id),
    mutationFn: (step: Step) => call(calls[step], { params: { id } }),
    onSuccess: (plan) => {
      keep(plan);
      for (const { path } of [listRoutes, pageRoutes, listScheduledRoutes, pageScheduledRoutes])
        void client.invalidateQueries({ queryKey: [path] });
    },
  });
}

export function useImprovePlan(id: string) {
  const keep = useKeep();
  return useMutation({
    mutationKey: changing(id),
    mutationFn: (timeLimitMs: number) => call(improveDayPlan, { params: { id }, body: { timeLimitMs } }),
    onSuccess: keep,
  });
}

export type Change = { version: number; arrangement: Arrangement };

export function useArrangePlan(id: string) {
  const keep = useKeep();
  return useMutation({
    mutationKey: changing(id),
    mutationFn: (change: Change) => call(arrangeDayPlan, { params: { id }, body: { ...change, preview: false } }),
    onSuccess: keep,
  });
}

/** What the plan would be: nothing is stored. */
export function previewPlan(id: string, change: Change): Promise<DayPlan> {
  return call(arrangeDayPlan, { params: { id }, body: { ...change, preview: true } });
}

export function useDiscardPlan(id: string) {
  return useMutation({ mutationFn: () => call(discardDayPlan, { params: { id } }) });
}
