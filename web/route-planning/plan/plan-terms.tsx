import type { Reply } from '../../../contract/endpoint.ts';
import type { listRouteChoices } from '../../../contract/routes.ts';
import { needFormulas } from '../../../domain/need.ts';
import { Select } from '../../ui/forms/select.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import type { PlanTerms } from './plan.ts';

export type Choices = Reply<typeof listRouteChoices>;

type Props = { terms: PlanTerms; choices: Choices | undefined; onChange: (terms: PlanTerms) => void };

/** What a plan is made for: the day, where it starts, and with which vehicle. */
export function PlanTermsBar({ terms, choices, onChange }: Props) {
  return (
    <div className="grid w-full grid-cols-2 gap-2 sm:flex sm:w-auto">
      <TextField
        label="Plan for"
        type="date"
        value={terms.date}
        onChange={(date) => date !== '' && onChange({ ...terms, date })}
      />
      {choices && choices.depots.length > 0 && (
        <Select
          label="Start from"
          value={String(terms.depotId ?? '')}
          options={choices.depots.map((depot) => ({ value: String(depot.id), label: depot.name }))}
          onChange={(value) => onChange({ ...terms, depotId: Number(value) })}
        />
      )}
      {choices && choices.vehicles.length > 0 && (
        <Select
          label="Vehicle"
          value={String(terms.vehicleId ?? '')}
          options={[
            { value: '', label: 'Any vehicle' },
            ...choices.vehicles.map((vehicle) => ({ value: String(vehicle.id), label: vehicle.name })),
          ]}
          onChange={(value) => onChange({ ...terms, vehicleId: value === '' ? null : Number(value) })}
        />
      )}
      <label
        className="flex min-h-8 cursor-pointer items-center gap-2 self-end text-12 text-text-2"
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
