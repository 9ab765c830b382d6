import { useState } from 'react';
import type { OptimizeResult, Route, ScheduledRoute } from '../../../contract/routes.ts';
import { useMay } from '../../auth/api.ts';
import { sentenceOf } from '../../http/client.ts';
import { countOf, formatDay } from '../../http/format.ts';
import { toast } from '../../ui/toasts/toast.ts';
import { useRoutes, useStartRoute } from '../api.ts';
import { goneOf, goneText } from '../gone-places.ts';
import { navigateThrough } from '../navigate.ts';
import type { Candidate } from '../places/locations.ts';
import { startable } from '../start-today.tsx';
import type { usePlan } from './use-plan.ts';

export type OpenDialog = 'create' | 'history' | 'start' | null;

type Given = {
  planning: ReturnType<typeof usePlan>;
  chosen: readonly Candidate[];
  /** Takes these out of what is chosen. */
  remove: (keys: readonly string[]) => void;
  designation: string;
  today: string;
};

/** What the buttons of the screen do, and what they say afterwards. */
export function usePlanActions({ planning, chosen, remove, designation, today }: Given) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const todays = useRoutes({ from: today, to: today }, true);
  const start = useStartRoute();
  const mayPlan = useMay('route:plan');
  const waiting = startable(todays.data ?? [], designation);

  function optimize(): void {
    if (chosen.length === 0) {
      toast(texts.nothingToOptimize);
      return;
    }
    planning.ask({
      done: (result) => toast(isEmpty(result) ? texts.allLeftOut : optimizedText(result)),
      failed: (error) => {
        if (!takeOut(error, 'Optimize again.')) toast(texts.optimizeFailed);
      },
    });
  }

  /** True: it failed for locations that are gone. They go from what is chosen, so that the next try does not fail for them. */
  function takeOut(error: unknown, next: string): boolean {
    const gone = goneOf(error, chosen);
    if (gone.length === 0) return false;
    remove(gone.map(({ key }) => key));
    toast({ title: 'Locations Are Gone', description: `${goneText(gone)} ${next}`, variant: 'destructive' as const });
    return true;
  }

  function begin(route: Route): void {
    start.mutate(route.id, {
      onSuccess: () => toast({ title: 'Route Started', description: `${route.name} is in progress.` }),
      onError: (reason) =>
        toast({ title: 'Start Failed', description: sentenceOf(reason), variant: 'destructive' as const }),
    });
    setDialog(null);
  }

  function create(): void {
    if (chosen.length === 0) toast(texts.nothingToSave);
    else if (planning.plan && isEmpty(planning.plan)) toast(texts.allLeftOut);
    else setDialog('create');
  }

  function startToday(): void {
    const [only] = waiting;
    if (!only) toast(todays.isError ? texts.todayUnknown : noneTodayText(todays.data ?? [], designation, mayPlan));
    else if (waiting.length === 1) begin(only);
    else setDialog('start');
  }

  return {
    dialog,
    close: () => setDialog(null),
    optimize,
    startToday,
    begin,
    waiting,
    starting: start.isPending || todays.isPending,
    navigate: () => {
      if (!navigateThrough(chosen)) toast(texts.nothingToDrive);
      else if (chosen.length > mostInMaps) toast(texts.moreThanMapsTake);
    },
    create,
    notCreated: (error: unknown) => {
      if (takeOut(error, 'Look at the rest, then create the route.')) setDialog(null);
    },
    history: () => setDialog('history'),
    created: (route: ScheduledRoute) => {
      planning.saved(route.id);
      setDialog(null);
      toast({
        title: 'Route Created',
        description: `${route.name}: ${countOf(route.stops.length, 'stop')} on ${formatDay(route.date)}.`,
      });
    },
  };
}

function optimizedText(result: OptimizeResult) {
  return {
    title: 'Route Optimized',
    description: `Optimized route created with ${result.optimizedOrder.length} stops. Distance: ${result.totalDistance.toFixed(1)}km`,
  };
}

const isEmpty = ({ optimizedOrder }: OptimizeResult): boolean => optimizedOrder.length === 0;

/** Why nothing starts: no route is there, or none that waits; of the designation chosen, or of all. */
function noneTodayText(routes: readonly Route[], designation: string, mayPlan: boolean) {
  const isAny = routes.some(({ routeDesignation }) => designation === '' || routeDesignation === designation);
  const [isDone, isMissing] =
    designation === ''
      ? ['Every route of today is under way or completed.', 'No route is planned for today.']
      : [`Route ${designation} of today is under way or completed.`, `Route ${designation} is not planned for today.`];
  const next = mayPlan ? 'Create one first.' : 'Ask your route manager for one.';
  return {
    title: 'No Route Today',
    description: isAny ? isDone : `${isMissing} ${next}`,
    variant: 'destructive' as const,
  };
}

/** Nine on the way and where it ends. Source: Google Maps URLs, as for the link itself. */
const mostInMaps = 10;

const texts = {
  nothingToOptimize: {
    title: 'No Locations Selected',
    description: 'Please select at least one market or vending machine to optimize the route.',
    variant: 'destructive' as const,
  },
  optimizeFailed: {
    title: 'Optimization Failed',
    description: 'Failed to optimize route. Please try again.',
    variant: 'destructive' as const,
  },
  nothingToDrive: {
    title: 'No Route Selected',
    description: 'Please select locations first to start navigation.',
    variant: 'destructive' as const,
  },
  moreThanMapsTake: {
    title: 'Too Many for One Way',
    description: `The maps page takes ${mostInMaps} locations and leaves out the rest. Select fewer for each way.`,
    variant: 'destructive' as const,
  },
  nothingToSave: {
    title: 'No Locations Selected',
    description: 'Select locations first, then create a route from them.',
    variant: 'destructive' as const,
  },
  allLeftOut: {
    title: 'Route Is Empty',
    description: 'Every selected location was left out. The reasons stand under Unassigned.',
    variant: 'destructive' as const,
  },
  todayUnknown: {
    title: 'Start Failed',
    description: "Today's routes could not be loaded. Please try again.",
    variant: 'destructive' as const,
  },
};
