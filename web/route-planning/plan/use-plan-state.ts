import { type PlanState, planState } from '../../../domain/route-plan.ts';
import { useRoute } from '../api.ts';

type Known = { savedRouteId: number | null; optimized: boolean };

/** How far the plan on the screen is: what was saved of it is followed live, whatever day it was saved for. */
export function usePlanState({ savedRouteId, optimized }: Known): PlanState {
  const saved = useRoute(savedRouteId);
  return planState({ saved: savedRouteId !== null, optimized, status: saved.data?.status ?? null });
}
