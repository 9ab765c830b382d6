import { type FormEvent, useState } from 'react';
import type { PickLine } from '../../contract/picking.ts';
import { type ShortReason, shortReasonLabel } from '../../domain/picking.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { ComboBox } from '../ui/forms/combo-box.tsx';
import { useFirstField } from '../ui/forms/first-field.ts';
import { Select } from '../ui/forms/select.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { useDebounced } from '../ui/use-debounced.ts';
import { useRecord, useSubstitutes } from './api.ts';

const reasons = Object.entries(shortReasonLabel).map(([value, label]) => ({ value, label }));
const isReason = (value: string): value is ShortReason => Object.hasOwn(shortReasonLabel, value);
const wholeUnits = /^\d{1,6}$/;

type Substitute = { id: number; name: string };
type Props = { line: PickLine; routeId: number; onClose: () => void };

/** How many there were, why no more, and what goes in their place. */
export function ShortDialog({ line, routeId, onClose }: Props) {
  const [text, setText] = useState(String(line.picked ?? 0));
  const [reason, setReason] = useState<ShortReason>(line.reason ?? 'out_of_stock');
  const [instead, setInstead] = useState<Substitute | null>(
    line.instead && { id: line.instead.productId, name: line.instead.name },
  );
  const [insteadText, setInsteadText] = useState(line.instead ? String(line.instead.units) : '');
  const { record, isPending } = useRecord(routeId);
  const fields = useFirstField();
  const problem = wholeUnits.test(text) ? undefined : 'Enter whole units, 0 for none';
  const insteadProblem =
    instead && !(wholeUnits.test(insteadText) && Number(insteadText) > 0) ? 'Enter how many units' : undefined;
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (problem || insteadProblem || line.lineId === null) return;
    const picked = Number(text);
    record(
      [
        {
          lineId: line.lineId,
          picked,
          reason: picked < line.planned ? reason : null,
          insteadId: instead?.id ?? null,
          insteadUnits: instead ? Number(insteadText) : null,
        },
      ],
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Short of ${line.productName}`}
      description={`${line.planned} are asked for.`}
    >
      <form ref={fields} onSubmit={save} className="grid gap-4 pt-2">
        <TextField
          label="Units picked"
          inputMode="numeric"
          size="field"
          value={text}
          onChange={setText}
          error={problem}
        />
        <Select
          label="Why"
          size="field"
          value={reason}
          options={reasons}
          onChange={(value) => isReason(value) && setReason(value)}
        />
        <InsteadField
          value={instead}
          onChange={(product) => {
            setInstead(product);
            if (product && insteadText === '') setInsteadText(String(Math.max(1, line.planned - Number(text))));
          }}
        />
        {instead && (
          <TextField
            label={`Units of ${instead.name}`}
            inputMode="numeric"
            size="field"
            value={insteadText}
            onChange={setInsteadText}
            error={insteadProblem}
          />
        )}
        <div className="flex justify-end gap-2">
          <Button size="field" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" size="field" pending={isPending} pendingLabel="Saving...">
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type InsteadProps = { value: Substitute | null; onChange: (product: Substitute | null) => void };

function InsteadField({ value, onChange }: InsteadProps) {
  const [text, setText] = useState(value?.name ?? '');
  const { data: products = [], error, isFetching } = useSubstitutes(useDebounced(text.trim()));
  return (
    <ComboBox
      label="Another product instead (may stay empty)"
      text={text}
      onText={(next) => {
        setText(next);
        onChange(null);
      }}
      onBlur={() => value === null && setText('')}
      options={products.map((product) => ({
        key: String(product.id),
        label: product.name,
        ...(product.brand ? { detail: product.brand } : {}),
      }))}
      onChoose={({ key, label }) => {
        setText(label);
        onChange({ id: Number(key), name: label });
      }}
      noHit={error ? 'The products did not load. Type again to retry.' : 'No product has this name'}
      loading={isFetching}
    />
  );
}
