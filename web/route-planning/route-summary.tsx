import type { ReactNode } from 'react';
import type { OptimizeResult } from '../../contract/routes.ts';
import { estimatePerStop, type PlanState } from '../../domain/route-plan.ts';
import type { DistanceUnit } from '../../domain/unit-schemas.ts';
import { durationText } from '../../domain/units.ts';
import { Card } from '../ui/card.tsx';
import { Estimated } from '../ui/estimated.tsx';
import type { Candidate } from './places/locations.ts';
import { figuresOf, keptBy, kmText, otherUnitText } from './plan/plan.ts';
import { PlanBadge } from './plan/plan-badge.tsx';

type Props = {
  chosen: readonly Candidate[];
  plan: OptimizeResult | null;
  /** About the plan; before there is one, about what is chosen. */
  warnings: readonly string[];
  state: PlanState;
  unit: DistanceUnit;
};

/** Where the warnings about a plan stand. */
export const warningsId = 'warnings';

/** How many stops, how far, how long and how far along the plan is. What a plan leaves out is no stop of it. */
export function RouteSummary({ chosen, plan, warnings, state, unit }: Props) {
  const stops = keptBy(plan, chosen);
  const markets = stops.filter((place) => place.type === 'market').length;
  const figures = figuresOf(chosen.length, plan);
  const source = plan?.distanceSource ?? null;
  const km = plan?.totalDistance ?? chosen.length * estimatePerStop.distanceKm;
  return (
    <Card title="Route Summary" actions={<PlanBadge state={state} />}>
      <dl className="grid gap-2 p-4">
        <Figure name="Total Stops" value={stops.length} strong />
        <Figure name="Markets" value={markets} indent />
        <Figure name="Vending machines" value={stops.length - markets} indent />
        <Figure name="Est. Distance" value={figures.distance} beside={otherUnitText(km, unit)} strong />
        <Figure name="Est. Time" value={figures.duration} beside={source && <Estimated source={source} />} strong />
        {plan && <PlanFigures plan={plan} unit={unit} />}
      </dl>
      <div id={warningsId} tabIndex={-1} className="scroll-mt-4">
        {warnings.map((warning) => (
          <p key={warning} className="border-line border-t px-4 py-2 text-12 text-warn-text" role="status">
            {warning}
          </p>
        ))}
      </div>
      {!plan && (
        <p className="border-line border-t px-4 py-2 text-12 text-text-3">
          Estimated at {estimatePerStop.distanceKm} km and {estimatePerStop.durationMin} min a stop until optimized.
        </p>
      )}
    </Card>
  );
}

function PlanFigures({ plan, unit }: { plan: OptimizeResult; unit: DistanceUnit }) {
  const savedKm = plan.givenDistance - plan.totalDistance;
  return (
    <>
      <Figure name="Driving" value={durationText(plan.drivingMin)} indent />
      <Figure name="Service" value={durationText(plan.serviceMin)} indent />
      {(plan.waitMin ?? 0) > 0 && <Figure name="Waiting for doors" value={durationText(plan.waitMin ?? 0)} indent />}
      {savedKm >= 0.05 && (
        <Figure name="Shorter than as selected" value={kmText(savedKm)} beside={otherUnitText(savedKm, unit)} />
      )}
      {plan.unassigned.length > 0 && <Figure name="Unassigned" value={plan.unassigned.length} strong />}
    </>
  );
}

type FigureProps = { name: string; value: ReactNode; beside?: ReactNode; strong?: boolean; indent?: boolean };

function Figure({ name, value, beside, strong = false, indent = false }: FigureProps) {
  return (
    <div className="flex items-baseline gap-2">
      <dt className={`text-text-2 ${indent ? 'pl-4' : ''}`}>{name}</dt>
      <dd className={`ml-auto text-right tabular-nums ${strong ? 'font-semibold' : ''}`}>
        {value}
        {beside && <span className="block font-normal text-12 text-text-3">{beside}</span>}
      </dd>
    </div>
  );
}
