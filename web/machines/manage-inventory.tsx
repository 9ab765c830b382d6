import { useEffect, useRef, useState } from 'react';
import type { Slot, VendingMachine } from '../../contract/machines.ts';
import { useMay, useSession } from '../auth/api.ts';
import { formatMoney } from '../http/format.ts';
import { IconButton } from '../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialogs/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useRemoveSlot, useSlots } from './api.ts';
import { SlotForm } from './slot-form.tsx';

type Props = { machine: VendingMachine; onClose: () => void };

/** The products of a machine: add one above, change or take out one in the list. */
export function ManageInventory({ machine, onClose }: Props) {
  const mayWrite = useMay('office:write');
  const [added, setAdded] = useState(0);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Manage Inventory: ${machine.name}`}
      description={`${machine.machineId}, ${machine.location}`}
    >
      {mayWrite && (
        <section aria-label="Add a product" className="border-line border-b pt-2 pb-4">
          <SlotForm key={added} machineId={machine.id} slot={null} onSaved={() => setAdded(added + 1)} />
        </section>
      )}
      <Products machine={machine} mayWrite={mayWrite} />
    </Dialog>
  );
}

function Products({ machine, mayWrite }: { machine: VendingMachine; mayWrite: boolean }) {
  const slots = useSlots(machine.id);
  const remove = useRemoveSlot();
  const [editing, setEditing] = useState<number | null>(null);
  /** The one whose form was closed last. */
  const [left, setLeft] = useState<number | null>(null);
  const edit = (id: number | null): void => {
    setLeft(editing);
    setEditing(id);
  };
  const [removing, setRemoving] = useState<Slot | null>(null);
  if (slots.error && !slots.data)
    return <FailedView error={slots.error} retry={() => void slots.refetch()} title="The slots did not load" />;
  if (!slots.data) return <SkeletonRows rows={5} />;
  return (
    <section aria-labelledby="current-products" className="pt-4">
      <h2 id="current-products">
        Current products <span className="font-medium text-text-3">{slots.data.length}</span>
      </h2>
      {slots.data.length === 0 && (
        <p className="py-6 text-center text-text-2">
          {mayWrite ? 'No inventory items yet. Add some products above.' : 'No inventory items yet.'}
        </p>
      )}
      <ul aria-label="Current products">
        {slots.data.map((slot) =>
          slot.id === editing ? (
            <li key={slot.id} className="border-line border-b bg-subtle p-4 last:border-b-0">
              <SlotForm machineId={machine.id} slot={slot} onSaved={() => edit(null)} onCancel={() => edit(null)} />
            </li>
          ) : (
            <ProductRow
              key={slot.id}
              slot={slot}
              mayWrite={mayWrite}
              wasEdited={editing === null && slot.id === left}
              onEdit={edit}
              onRemove={setRemoving}
            />
          ),
        )}
      </ul>
      {removing && (
        <ConfirmDialog
          open
          onClose={() => setRemoving(null)}
          title={`Take ${removing.productName} out of ${removing.slotNumber}?`}
          confirmLabel="Delete Product"
          pending={remove.isPending}
          onConfirm={() => remove.mutate(removing, { onSettled: () => setRemoving(null) })}
        >
          <p>
            {removing.currentQuantity} of {removing.maxQuantity} are in it. Counts and sales so far stay in the history.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

type RowProps = {
  slot: Slot;
  mayWrite: boolean;
  /** Its form was here until now: the focus comes back to its first button. */
  wasEdited: boolean;
  onEdit: (id: number) => void;
  onRemove: (slot: Slot) => void;
};

function ProductRow({ slot, mayWrite, wasEdited, onEdit, onRemove }: RowProps) {
  const { operator } = useSession();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (wasEdited) row.current?.querySelector('button')?.focus();
  }, [wasEdited]);
  const name = `${slot.slotNumber} ${slot.productName}`;
  return (
    <li
      ref={row}
      className="flex min-h-12 items-center gap-x-3 border-line border-b max-sm:flex-wrap last:border-b-0 [contain-intrinsic-size:auto_48px] [content-visibility:auto]"
    >
      <span className="w-12 flex-none font-semibold">{slot.slotNumber}</span>
      <span className="min-w-0 flex-1 py-1 max-sm:basis-[calc(100%-60px)]">
        <span className="line-clamp-2">{slot.productName}</span>
      </span>
      <span className="w-16 text-right max-sm:ml-auto">{formatMoney(slot.price, operator.currency)}</span>
      <span className="w-16 text-right font-medium">
        {slot.currentQuantity}/{slot.maxQuantity}
      </span>
      {mayWrite && (
        <span className="flex">
          <IconButton label={`Edit ${name}`} icon="edit" className="max-lg:size-12" onClick={() => onEdit(slot.id)} />
          <IconButton label={`Delete ${name}`} icon="trash" className="max-lg:size-12" onClick={() => onRemove(slot)} />
        </span>
      )}
    </li>
  );
}
