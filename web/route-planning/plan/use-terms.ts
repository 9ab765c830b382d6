import { useMemo, useState } from 'react';
import { toLatLng } from '../../http/parse.ts';
import type { PlanTerms } from './plan.ts';
import type { Choices } from './plan-terms.tsx';

/** The terms of the plan: tomorrow from the default depot until the person says otherwise. */
export function useTerms(tomorrow: string, choices: Choices | undefined) {
  const [said, setSaid] = useState<Partial<PlanTerms>>({});
  // The same objects as long as nothing changes: what is known of thousands of stops is worked out from them.
  return useMemo(() => {
    const usual = choices?.depots.find((depot) => depot.isDefault) ?? choices?.depots[0];
    const terms: PlanTerms = {
      date: said.date ?? tomorrow,
      depotId: said.depotId ?? usual?.id ?? null,
      vehicleId: said.vehicleId ?? null,
      worthOnly: said.worthOnly ?? false,
    };
    const depot = choices?.depots.find(({ id }) => id === terms.depotId) ?? null;
    const start = depot ? toLatLng(depot) : null;
    return { terms, setTerms: setSaid, start, depots: depot && start ? [{ name: depot.name, ...start }] : noDepots };
  }, [said, tomorrow, choices]);
}

const noDepots: readonly never[] = [];
