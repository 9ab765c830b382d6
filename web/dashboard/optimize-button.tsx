import { useId } from 'react';
import type { ScheduledRoute } from '../../contract/routes.ts';
import { hoursAndMinutes } from '../../domain/units.ts';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useSmallScreen } from '../ui/use-media.ts';
import { useOptimizeRoutes } from './api.ts';
import { optimizable, whyNotOptimize } from './today/route-progress.ts';

/** Puts today's open stops in the best order: of the chosen route, or of every route of today. */
export function OptimizeButton({ routes }: { routes: readonly ScheduledRoute[] | undefined }) {
  const id = useId();
  const isSmall = useSmallScreen();
  const optimize = useOptimizeRoutes();
  const reason = whyNotOptimize(routes);
  const run = (): void =>
    optimize.mutate(optimizable(routes ?? []), {
      onSuccess: (plans) => {
        const stops = plans.reduce((sum, plan) => sum + plan.optimizedOrder.length, 0);
        const minutes = plans.reduce((sum, plan) => sum + plan.estimatedTime, 0);
        toast({
          title: 'Route Optimized',
          description: `Optimized route with ${stops} stops. Estimated time: ${hoursAndMinutes(minutes)}`,
        });
      },
      onError: () =>
        toast({
          title: 'Optimization Failed',
          description: 'Failed to optimize route. Please try again.',
          variant: 'destructive',
        }),
    });
  return (
    <>
      {reason && routes && (
        <span id={id} className="text-12 text-text-3">
          {reason}
        </span>
      )}
      <Button
        variant="primary"
        icon="bolt"
        disabled={reason !== null}
        aria-describedby={reason && routes ? id : undefined}
        pending={optimize.isPending}
        pendingLabel="Optimizing..."
        onClick={run}
        className="max-lg:min-h-12"
      >
        {isSmall ? 'Opt' : 'Optimize'}
      </Button>
    </>
  );
}
