import type { PlanState } from '../../../domain/route-plan.ts';
import { Badge } from '../../ui/badge.tsx';

const tones = {
  Planning: 'run',
  Optimized: 'run',
  Scheduled: 'idle',
  'In progress': 'run',
  Completed: 'ok',
} as const satisfies Record<PlanState, string>;

/** How far a plan is: colour, shape and word. */
export function PlanBadge({ state }: { state: PlanState }) {
  return <Badge tone={tones[state]}>{state}</Badge>;
}
