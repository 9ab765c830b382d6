export const routeStatuses = ['planned', 'in_progress', 'completed'] as const;
export type RouteStatus = (typeof routeStatuses)[number];

/** Most locations of one plan. */
export const mostLocations = 3_000;

/** Estimates shown before anything better is known. */
export const estimatePerStop = { distanceKm: 8.2, durationMin: 45 };

/** What the summary badge of a plan reads, derived from what is stored. */
export type PlanState = 'Planning' | 'Optimized' | 'Scheduled' | 'In progress' | 'Completed';

/** What a plan reads as: what a saved route has come to beats everything else. */
export function planState(plan: { saved: boolean; optimized: boolean; status: RouteStatus | null }): PlanState {
  if (plan.status === 'completed') return 'Completed';
  if (plan.status === 'in_progress') return 'In progress';
  if (plan.saved) return 'Scheduled';
  return plan.optimized ? 'Optimized' : 'Planning';
}
