import { useId } from 'react';
import { z } from 'zod';
import { minimumInput } from '../../../domain/inventory-edit.ts';
import { countOf } from '../../http/format.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { useFirstField } from '../../ui/forms/first-field.ts';
import { useForm } from '../../ui/forms/form.ts';
import { FormButtons } from '../../ui/forms/form-buttons.tsx';
import { KeptDraft } from '../../ui/forms/kept-draft.tsx';
import { TextField } from '../../ui/forms/text-field.tsx';
import { useSetMinimums } from './api.ts';
import { RefusedItems } from './refused-items.tsx';
import type { Picking } from './use-picked.ts';

const typed = z.preprocess((values) => {
  const { minimumQuantity } = values as { minimumQuantity: string };
  return { minimumQuantity: minimumQuantity.trim() === '' ? Number.NaN : Number(minimumQuantity) };
}, minimumInput);

/** One number for every picked item. */
export function SetMinimum({ picking, onClose }: { picking: Picking; onClose: () => void }) {
  const id = useId();
  const save = useSetMinimums();
  const ids = [...picking.picked.keys()];
  const form = useForm({
    schema: typed,
    initial: { minimumQuantity: '' },
    draftKey: 'items-minimum',
    onSubmit: async ({ minimumQuantity }) => {
      await save.mutateAsync({ ids, minimumQuantity });
      onClose();
    },
  });
  const field = useFirstField();
  const cancel = (): void => {
    form.discard();
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Set the minimum of ${countOf(ids.length, 'item')}`}
      description="Below it an item is Low Stock. All of them are changed, or none."
      footer={<FormButtons form={id} submitLabel="Set minimum" pending={form.pending} onCancel={cancel} />}
    >
      <form ref={field} id={id} noValidate onSubmit={form.submit} className="grid gap-4 pt-2">
        <KeptDraft form={form} />
        <TextField label="Minimum quantity" required inputMode="numeric" {...form.field('minimumQuantity')} />
        {save.error && !form.pending && (
          <RefusedItems error={save.error} ids={save.variables.ids} picking={picking} onLeftOut={save.reset} />
        )}
      </form>
    </Dialog>
  );
}
