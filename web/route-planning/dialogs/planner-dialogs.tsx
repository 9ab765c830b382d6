import type { ReactNode } from 'react';
import type { OptimizeResult } from '../../../contract/routes.ts';
import type { Candidate } from '../places/locations.ts';
import type { PlanTerms } from '../plan/plan.ts';
import type { Choices } from '../plan/plan-terms.tsx';
import type { usePlanActions } from '../plan/use-plan-actions.ts';
import { ChooseRouteDialog } from '../start-today.tsx';
import { CreateRouteDialog } from './create-route-dialog.tsx';
import { HistoryDialog } from './history-dialog.tsx';

type Props = {
  actions: ReturnType<typeof usePlanActions>;
  chosen: readonly Candidate[];
  plan: OptimizeResult | null;
  terms: PlanTerms;
  choices: Choices | undefined;
  failed: ReactNode;
  today: string;
};

/** At most one dialog of the screen is open. */
export function PlannerDialogs({ actions, chosen, plan, terms, choices, failed, today }: Props) {
  switch (actions.dialog) {
    case 'create':
      return (
        <CreateRouteDialog
          chosen={chosen}
          plan={plan}
          terms={terms}
          choices={choices}
          failed={failed}
          onClose={actions.close}
          onCreated={actions.created}
          onFailed={actions.notCreated}
        />
      );
    case 'history':
      return <HistoryDialog today={today} onClose={actions.close} />;
    case 'start':
      return (
        <ChooseRouteDialog
          routes={actions.waiting}
          starting={actions.starting}
          onStart={actions.begin}
          onClose={actions.close}
        />
      );
    case null:
      return null;
  }
}
