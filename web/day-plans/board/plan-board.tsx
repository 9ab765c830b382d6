import { useState } from 'react';
import type { DayPlan, DayPlanStop } from '../../../contract/day-plans.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { durationText } from '../../../domain/units.ts';
import { sentenceOf } from '../../http/client.ts';
import { countOf, formatDay } from '../../http/format.ts';
import { AppLink } from '../../ui/address/app-link.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialogs/dialog.tsx';
import { Estimated } from '../../ui/estimated.tsx';
import { toast } from '../../ui/toasts/toast.ts';
import { useDiscardPlan, useImprovePlan, useIsPlanChanging, usePlanSaving, usePlanStep } from '../api.ts';
import { PlanMap, seriesOfRoute } from '../plan-map.tsx';
import { SearchProgress } from '../search-progress.tsx';
import { distanceText } from '../wording.ts';
import { MoveDialog } from './move-dialog.tsx';
import { RouteColumn } from './route-column.tsx';
import { UnassignedColumn } from './unassigned-column.tsx';
import { useMoves } from './use-moves.ts';

type Moving = LocationRef & Pick<DayPlanStop, 'name'>;

/** The plan of the day: watch it get better, move what should be elsewhere, save it as routes. */
export function PlanBoard({ plan, onDiscarded }: { plan: DayPlan; onDiscarded: () => void }) {
  const moves = useMoves(plan);
  const step = usePlanStep(plan.id);
  const [moving, setMoving] = useState<Moving | null>(null);
  const searching = plan.status === 'solving';
  const closed = searching || plan.status === 'saved';
  // What is moved while the routes are made would not be in them.
  const held = closed || moves.saving;
  return (
    <div className="grid gap-4">
      <Totals plan={plan} fixed={closed || moves.pending} onDiscarded={onDiscarded} />
      {searching && <SearchProgress plan={plan} stopping={step.isPending} onStop={() => step.mutate('stop')} />}
      {plan.status === 'failed' && (
        <p role="alert" className="rounded border border-bad bg-bad-soft px-4 py-2 text-bad-text">
          {plan.message}
        </p>
      )}
      {plan.warnings.map((warning) => (
        <p key={warning} role="status" className="rounded border border-line px-4 py-2 text-12 text-warn-text">
          {warning}
        </p>
      ))}
      <PlanMap plan={plan} />
      {plan.status !== 'saved' && (
        <p className="text-12 text-text-3 max-lg:hidden">
          Drag a stop to where it should be, or press Alt and an arrow key on one of its buttons.
        </p>
      )}
      <div className="flex items-start gap-4 overflow-x-auto pb-2 max-lg:flex-col">
        {(plan.unassigned.length > 0 || plan.status !== 'saved') && (
          <UnassignedColumn
            places={plan.unassigned}
            moves={moves}
            disabled={held}
            isBefore={searching && plan.totals.stops === 0}
            onChoose={setMoving}
          />
        )}
        {plan.routes.map((route, index) => (
          <RouteColumn
            key={index}
            route={route}
            index={index}
            series={seriesOfRoute(index)}
            moves={moves}
            disabled={held}
            onChoose={setMoving}
          />
        ))}
      </div>
      {moving && (
        <MoveDialog
          plan={plan}
          stop={moving}
          onClose={() => setMoving(null)}
          onMove={(to) => {
            setMoving(null);
            moves.moveTo(moving, to);
          }}
        />
      )}
    </div>
  );
}

const improveMs = 10_000;

function Totals({ plan, fixed, onDiscarded }: { plan: DayPlan; fixed: boolean; onDiscarded: () => void }) {
  const step = usePlanStep(plan.id);
  const improve = useImprovePlan(plan.id);
  const discard = useDiscardPlan(plan.id);
  const [asking, setAsking] = useState(false);
  const isSaving = usePlanSaving(plan.id);
  const isChanging = useIsPlanChanging(plan.id);
  const failed = (title: string) => (error: unknown) =>
    toast({ title, description: sentenceOf(error), variant: 'destructive' as const });
  const { totals } = plan;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="mr-auto tabular-nums">
        <strong className="font-semibold">{formatDay(plan.date)}</strong>: {countOf(totals.stops, 'stop')},{' '}
        {durationText(totals.drivingMin)} driving, {durationText(totals.serviceMin)} at the stops,{' '}
        {distanceText(totals.distanceKm)}
        <Estimated source={plan.distanceSource} className="ml-1" />
      </p>
      {plan.status === 'saved' ? (
        <AppLink href={`/daily-schedule?date=${plan.date}`} className={buttonClass({ variant: 'primary' })}>
          Open the day
        </AppLink>
      ) : (
        <div className="flex flex-wrap gap-2 max-sm:grid max-sm:w-full max-sm:grid-cols-3">
          <Button
            icon="undo"
            className="max-lg:h-12"
            disabled={fixed || !plan.mayUndo}
            pending={step.isPending}
            onClick={() =>
              step.mutate('undo', {
                // A toast that still offers to take back what was just taken back would take back more.
                onSuccess: () => toast({ title: 'Change Undone' }),
                onError: failed('Nothing Undone'),
              })
            }
          >
            Undo
          </Button>
          <Button
            icon="refresh"
            className="max-lg:h-12"
            disabled={fixed}
            pending={improve.isPending}
            onClick={() => isChanging() || improve.mutate(improveMs, { onError: failed('Optimization Failed') })}
          >
            Improve
          </Button>
          <Button className="max-lg:h-12" disabled={isSaving} onClick={() => setAsking(true)}>
            Discard
          </Button>
          <Button
            variant="primary"
            className="max-lg:h-12 max-sm:col-span-3"
            disabled={fixed || totals.stops === 0}
            pending={isSaving}
            pendingLabel="Saving..."
            onClick={() =>
              isChanging() ||
              step.mutate('save', {
                onSuccess: (saved) =>
                  toast({
                    title: 'Routes Created',
                    description: `${countOf(saved.routeIds.length, 'route')} on ${formatDay(saved.date)}.`,
                  }),
                onError: failed('Not Saved'),
              })
            }
          >
            Save Routes
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title={`Discard the plan for ${formatDay(plan.date)}?`}
        confirmLabel="Discard plan"
        pending={discard.isPending}
        onConfirm={() => discard.mutate(undefined, { onSuccess: onDiscarded, onError: failed('Not Discarded') })}
      >
        The plan and the changes made to it are thrown away. Routes that exist already stay.
      </ConfirmDialog>
    </div>
  );
}
