import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { z } from 'zod';
import { type Slot, updateSlot } from '../../contract/machines.ts';
import { slotUpdate } from '../../domain/inventory-edit.ts';
import { call } from '../http/client.ts';
import { machinesChanged } from '../machines/api.ts';
import { Button } from '../ui/button.tsx';
import { useForm } from '../ui/forms/form.ts';
import { KeptDraft } from '../ui/forms/kept-draft.tsx';
import { TextField } from '../ui/forms/text-field.tsx';
import { toast } from '../ui/toasts/toast.ts';

const typed = z.preprocess((values) => {
  const { currentQuantity, parQuantity, price } = values as Record<string, string>;
  return {
    // An emptied field is no count of nothing.
    currentQuantity: currentQuantity?.trim() ? Number(currentQuantity) : Number.NaN,
    parQuantity: parQuantity ? Number(parQuantity) : null,
    price,
  };
}, slotUpdate);

const valuesOf = (slot: Slot) => ({
  currentQuantity: String(slot.currentQuantity),
  parQuantity: slot.parQuantity ? String(slot.parQuantity) : '',
  price: slot.price,
});

/** On hand, par and price of one slot, changed where one sees it. */
export function SlotQuick({ machineId, slot }: { machineId: number; slot: Slot }) {
  const client = useQueryClient();
  const [before, setBefore] = useState(slot);
  const save = useMutation({
    mutationFn: (input: z.output<typeof typed>) => {
      const { currentQuantity, ...fields } = input;
      // An unchanged quantity is not a count.
      const counted = currentQuantity === slot.currentQuantity ? {} : { currentQuantity };
      const body = { ...fields, ...counted };
      return call(updateSlot, { params: { id: slot.id }, body }, { version: slot.version });
    },
    onSuccess: (saved) => {
      setBefore(saved);
      toast({ title: `${slot.slotNumber} saved` });
      return machinesChanged(client);
    },
  });
  const form = useForm({
    schema: typed,
    initial: valuesOf(slot),
    isLive: true,
    draftKey: `slot-quick-${machineId}-${slot.id}`,
    onSubmit: (input) => save.mutateAsync(input),
  });
  /** Somebody else's change of what this person is changing too: they are told, and keep their text. */
  const theirs = (name: 'parQuantity' | 'price'): string | undefined =>
    before[name] !== slot[name] && form.values[name] !== valuesOf(slot)[name]
      ? `Set to ${slot[name] ?? 'none'} meanwhile`
      : undefined;
  return (
    <form noValidate onSubmit={form.submit} aria-label={`Change ${slot.slotNumber}`} className="grid gap-3">
      <KeptDraft form={form} />
      <div className="grid grid-cols-3 items-start gap-2">
        <TextField
          label="On hand"
          inputMode="numeric"
          {...form.field('currentQuantity')}
          hint={`of ${slot.maxQuantity}`}
        />
        <TextField label="Par" inputMode="numeric" {...form.field('parQuantity')} hint={theirs('parQuantity')} />
        <TextField label="Price" inputMode="decimal" {...form.field('price')} hint={theirs('price')} />
      </div>
      {form.failure && (
        <p role="alert" className="text-bad-text">
          {form.failure}
        </p>
      )}
      <Button
        type="submit"
        pending={form.pending}
        pendingLabel="Saving..."
        className="justify-self-start max-lg:min-h-12"
      >
        Save {slot.slotNumber}
      </Button>
    </form>
  );
}
