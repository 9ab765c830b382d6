import type { StockRow } from '../../offline/kept/reads.ts';
import type { Draft, Taken } from '../../offline/outbox/records.ts';
import type { ServiceStep } from '../drafts/draft-steps.ts';
import { QuantityStepper } from '../quantity/quantity-stepper.tsx';
import { FiveNumbers, fiveNumbers } from '../visit/five-numbers.tsx';

type SlotServiceProps = {
  row: StockRow;
  draft: Draft | undefined;
  name: string;
  onStep: (step: ServiceStep) => void;
};

const takenFields: readonly { why: keyof Taken; label: string }[] = [
  { why: 'removed', label: 'Removed' },
  { why: 'expired', label: 'Spoiled: expired' },
  { why: 'damaged', label: 'Spoiled: damaged' },
  { why: 'other', label: 'Spoiled: other' },
];

/** What was found, put in and taken out, for the items where that differs from a plain fill. */
export function SlotService({ row, draft, name, onStep }: SlotServiceProps) {
  const line = fiveNumbers(row, draft);
  return (
    <div className="grid gap-2">
      <FiveNumbers row={row} draft={draft} />
      <ul className="grid max-h-[min(232px,20dvh)] gap-1 overflow-y-auto">
        <Field
          label="Found"
          name={name}
          quantity={line.beginning ?? 0}
          capacity={row.capacity}
          onSet={(quantity) => onStep({ type: 'found', quantity })}
        />
        <Field
          label="Added"
          name={name}
          quantity={line.adds}
          capacity={row.capacity}
          onSet={(units) => onStep({ type: 'put', units })}
        />
        {takenFields.map(({ why, label }) => (
          <Field
            key={why}
            label={label}
            name={name}
            quantity={draft?.taken?.[why] ?? 0}
            capacity={row.capacity}
            onSet={(units) => onStep({ type: 'taken', why, units })}
          />
        ))}
      </ul>
    </div>
  );
}

type FieldProps = {
  label: string;
  name: string;
  quantity: number;
  capacity: number | null;
  onSet: (quantity: number) => void;
};

function Field({ label, name, quantity, capacity, onSet }: FieldProps) {
  return (
    <li className="flex items-center justify-between gap-3">
      <span className="text-16 text-text">{label}</span>
      <QuantityStepper label={`${name}, ${label}`} quantity={quantity} capacity={capacity} size="row" onSet={onSet} />
    </li>
  );
}
