import { useEffect } from 'react';
import { AppLink } from '../ui/address/app-link.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Icon } from '../ui/icon.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useDayPlan } from './api.ts';
import { PlanBoard } from './board/plan-board.tsx';
import { PlanSetup } from './plan-setup.tsx';

/** The route manager plans tomorrow for all drivers at once, in the afternoon, and is done when the routes are saved. */
export function DayPlanScreen() {
  const { get, set } = useAddress();
  const id = get('plan');
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <header className="grid gap-1">
        <AppLink href="/route-planning" className="inline-flex w-fit items-center gap-1 text-accent max-lg:min-h-12">
          <Icon name="left" size={12} />
          Route Planning
        </AppLink>
        <h1 className="font-semibold text-20">Plan the Day</h1>
      </header>
      {id ? (
        <Board id={id} onDiscarded={() => set({ plan: null })} />
      ) : (
        <PlanSetup onCreated={(plan) => set({ plan: plan.id })} />
      )}
    </div>
  );
}

function Board({ id, onDiscarded }: { id: string; onDiscarded: () => void }) {
  const plan = useDayPlan(id);
  // On a phone the button that makes a plan is at the end of a long form; the plan begins at its top.
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  if (plan.data) return <PlanBoard plan={plan.data} onDiscarded={onDiscarded} />;
  if (plan.isError) {
    return (
      <div className="grid gap-2">
        <FailedView error={plan.error} retry={() => void plan.refetch()} title="The plan did not load" />
        <button type="button" className="mx-auto text-accent underline max-lg:min-h-12" onClick={onDiscarded}>
          Begin a new plan
        </button>
      </div>
    );
  }
  return <SkeletonRows rows={5} className="h-27" />;
}
