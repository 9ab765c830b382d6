import type { Route } from '../../../contract/routes.ts';
import { type PlanState, planState } from '../../../domain/route.ts';
import { useRoutes } from '../api.ts';

type Known = { savedRouteId: number | null; optimized: boolean; date: string };

/** How far the plan on the screen is: what was saved of it is followed live. */
export function usePlanState({ savedRouteId, optimized, date }: Known): PlanState {
  const routes = useRoutes({ from: date, to: date }, savedRouteId !== null);
  const saved: Route | undefined = routes.data?.find((route) => route.id === savedRouteId);
  return planState({ saved: savedRouteId !== null, optimized, status: saved?.status ?? null });
}
