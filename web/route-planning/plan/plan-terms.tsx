import type { Reply } from '../../../contract/endpoint.ts';
import type { listRouteChoices } from '../../../contract/routes.ts';
import { needFormulas } from '../../../domain/need.ts';
import { DayField } from '../../ui/forms/day-field.tsx';
import { Select } from '../../ui/forms/select.tsx';
import type { PlanTerms } from './plan.ts';

export type Choices = Reply<typeof listRouteChoices>;

type Props = {
  terms: PlanTerms;
  choices: Choices | undefined;
  /** The choices are on their way: their places are kept, so that nothing below moves when they are there. */
  isLoading: boolean;
  onChange: (terms: PlanTerms) => void;
};

const width = 'sm:w-36';
const depotWidth = 'sm:w-44';

/** What a plan is made for: the day, where it starts, and with which vehicle. */
export function PlanTermsBar({ terms, choices, isLoading, onChange }: Props) {
  return (
    <div className="grid w-full grid-cols-2 gap-2 sm:flex sm:w-auto">
      <DayField
        label="Plan for"
        className={width}
        value={terms.date}
        onChange={(date) => onChange({ ...terms, date })}
      />
      {isLoading && <Awaited label="Start from" className={depotWidth} />}
      {choices && choices.depots.length > 0 && (
        <Select
          label="Start from"
          className={depotWidth}
          value={String(terms.depotId ?? '')}
          options={choices.depots.map((depot) => ({ value: String(depot.id), label: depot.name }))}
          onChange={(value) => onChange({ ...terms, depotId: Number(value) })}
        />
      )}
      {isLoading && <Awaited label="Vehicle" className={width} />}
      {choices && choices.vehicles.length > 0 && (
        <Select
          label="Vehicle"
          className={width}
          value={String(terms.vehicleId ?? '')}
          options={[
            { value: '', label: 'Any vehicle' },
            ...choices.vehicles.map((vehicle) => ({ value: String(vehicle.id), label: vehicle.name })),
          ]}
          onChange={(value) => onChange({ ...terms, vehicleId: value === '' ? null : Number(value) })}
        />
      )}
      <label
        className="flex min-h-8 max-lg:min-h-12 cursor-pointer items-center gap-2 self-end text-12 text-text-2"
        title={needFormulas.prize}
      >
        <input
          type="checkbox"
          className="size-4 flex-none cursor-pointer accent-(--accent)"
          checked={terms.worthOnly ?? false}
          onChange={(event) => onChange({ ...terms, worthOnly: event.target.checked })}
        />
        Only stops worth their way
      </label>
    </div>
  );
}

function Awaited(named: { label: string; className: string }) {
  return <Select disabled {...named} value="" options={[]} onChange={() => {}} />;
}
