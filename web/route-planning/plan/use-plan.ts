import { useState } from 'react';
import type { OptimizeResult } from '../../../contract/routes.ts';
import type { Point } from '../../../domain/location.ts';
import { useOptimize } from '../api.ts';
import type { Candidate } from '../places/locations.ts';
import { type MadeFor, madeFor, type PlanTerms, stillFits } from './plan.ts';

/** Longest search for a better order, in milliseconds: a person waits for it. */
const searchMs = { least: 1000, perStop: 20, most: 8000 };

type Asked = { chosen: readonly Candidate[]; terms: PlanTerms; start: Point | null };
type Outcome = { done: (result: OptimizeResult) => void; failed: (error: unknown) => void };

/** The order found for exactly this selection and these terms, and the way to ask for one. */
export function usePlan({ chosen, terms, start }: Asked) {
  const optimize = useOptimize();
  const [plan, setPlan] = useState<(MadeFor & { result: OptimizeResult }) | null>(null);
  const [saved, setSaved] = useState<(MadeFor & { routeId: number }) | null>(null);

  function ask({ done, failed }: Outcome): void {
    optimize.mutate(
      {
        marketIds: idsOf(chosen, 'market'),
        vendingMachineIds: idsOf(chosen, 'vending_machine'),
        startLocation: start,
        depotId: terms.depotId,
        vehicles: terms.vehicleId === null ? [] : [terms.vehicleId],
        date: terms.date,
        options: {
          timeLimitMs: Math.min(searchMs.most, searchMs.least + chosen.length * searchMs.perStop),
          ...(terms.worthOnly ? { optional: true } : {}),
        },
      },
      {
        onSuccess: (result) => {
          setPlan({ ...madeFor(chosen, terms), result });
          done(result);
        },
        onError: failed,
      },
    );
  }

  return {
    plan: plan && stillFits(plan, chosen, terms) ? plan.result : null,
    savedRouteId: saved && stillFits(saved, chosen, terms) ? saved.routeId : null,
    optimizing: optimize.isPending,
    ask,
    /** Remembers which saved route this selection became. */
    saved: (routeId: number) => setSaved({ ...madeFor(chosen, terms), routeId }),
  };
}

function idsOf(chosen: readonly Candidate[], type: Candidate['type']): number[] {
  return chosen.filter((place) => place.type === type).map((place) => place.id);
}
