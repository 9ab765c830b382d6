import { useState } from 'react';
import type { ReturnReason } from '../../../domain/field-event.ts';
import { returnLabel } from '../../../domain/return-labels.ts';
import { countOf, formatNumber } from '../../http/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Select } from '../../ui/forms/select.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import { keyOf, oneMore, type ReturnLine } from './summary.ts';

export const reasonsInOrder: readonly ReturnReason[] = ['unused', 'removed', 'expired', 'damaged', 'other'];

/** A reason with more lines than this is closed at first. */
const openUpTo = 8;

/** Most units of a line that the server takes. */
const mostUnits = 100_000;

type Props = { lines: readonly ReturnLine[]; onChange: (line: ReturnLine) => void };
type FormProps = Props & {
  /** Stops of which this phone does not know what was loaded for them. */
  unknownStops: number;
};

/** What came back by product and reason, counted in by the driver. */
export function ReturnsForm({ lines, unknownStops, onChange }: FormProps) {
  const total = lines.reduce((sum, line) => sum + line.units, 0);
  return (
    <section aria-label="Brought back" className="grid gap-3 p-4">
      <h2 className="flex justify-between text-16">
        <span>Units brought back</span>
        <span className="tabular-nums">{formatNumber(total)}</span>
      </h2>
      <Hint isEmpty={lines.length === 0} unknownStops={unknownStops} />
      {reasonsInOrder.map((reason) => (
        <Group
          key={reason}
          reason={reason}
          lines={lines.filter((line) => line.reason === reason)}
          onChange={onChange}
        />
      ))}
      <AddLine onAdd={(line) => onChange(oneMore(lines, line))} />
    </section>
  );
}

function Hint({ isEmpty, unknownStops }: { isEmpty: boolean; unknownStops: number }) {
  if (unknownStops > 0) {
    const stops = countOf(unknownStops, 'stop');
    return (
      <p className="text-warn-text">
        {`What was loaded for ${stops} is not on this device: it is missing here. Add what you have.`}
      </p>
    );
  }
  return isEmpty ? <p className="text-text-2">Nothing is expected to come back. Add what you have.</p> : null;
}

type GroupProps = Props & { reason: ReturnReason };

/** The lines of one reason; many are opened by whoever counts them. */
function Group({ reason, lines, onChange }: GroupProps) {
  if (lines.length === 0) return null;
  const total = lines.reduce((sum, line) => sum + line.units, 0);
  return (
    <details open={lines.length <= openUpTo} className="border-line border-t">
      <summary className="min-h-12 cursor-pointer py-3 font-semibold text-16">
        {`${returnLabel[reason]}: ${formatNumber(total)}`}
      </summary>
      <ul aria-label={returnLabel[reason]}>
        {lines.map((line) => (
          <Line key={keyOf(line)} line={line} onChange={onChange} />
        ))}
      </ul>
    </details>
  );
}

function Line({ line, onChange }: { line: ReturnLine; onChange: Props['onChange'] }) {
  const { productName, reason, units } = line;
  const set = (next: number): void => onChange({ ...line, units: Math.min(mostUnits, Math.max(0, next)) });
  return (
    <li className="flex min-h-14 items-center gap-2 border-line border-b py-1">
      <span className="min-w-0 flex-1">
        <span className="text-16">{productName}</span>
      </span>
      <IconButton
        size="field"
        variant="secondary"
        icon="minus"
        label={`One less of ${productName}`}
        disabled={units === 0}
        onClick={() => set(units - 1)}
      />
      <input
        aria-label={`Units of ${productName}, ${returnLabel[reason].toLowerCase()}`}
        inputMode="numeric"
        value={units}
        onChange={(event) => set(Number(event.target.value.replace(/\D/g, '').slice(0, 6)))}
        onFocus={(event) => event.target.select()}
        className="h-12 w-16 rounded border border-line-strong bg-ground text-center font-semibold text-16 tabular-nums"
      />
      <IconButton
        size="field"
        variant="secondary"
        icon="plus"
        label={`One more of ${productName}`}
        onClick={() => set(units + 1)}
      />
    </li>
  );
}

function AddLine({ onAdd }: { onAdd: (line: ReturnLine) => void }) {
  const [name, setName] = useState('');
  const [reason, setReason] = useState<ReturnReason>('unused');
  const [tried, setTried] = useState(false);
  const add = (): void => {
    setTried(true);
    if (!name.trim()) return;
    onAdd({ productName: name.trim(), reason, units: 1 });
    setName('');
    setTried(false);
  };
  return (
    <div className="grid gap-2">
      <TextField
        size="field"
        label="Another product"
        maxLength={255}
        value={name}
        error={tried && !name.trim() ? 'Name the product' : undefined}
        onChange={setName}
      />
      <div className="grid grid-cols-2 items-end gap-2">
        <Select
          label="Why it came back"
          hideLabel
          value={reason}
          options={Object.entries(returnLabel).map(([value, label]) => ({ value, label }))}
          onChange={(value) => setReason(toReason(value))}
        />
        <Button size="field" icon="plus" onClick={add}>
          Add
        </Button>
      </div>
    </div>
  );
}

function toReason(value: string): ReturnReason {
  return value in returnLabel ? (value as ReturnReason) : 'other';
}
