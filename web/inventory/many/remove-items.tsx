import { countOf } from '../../http/format.ts';
import { ConfirmDialog } from '../../ui/dialogs/dialog.tsx';
import { nameOf } from '../stock-cell.tsx';
import { useRemoveItems } from './api.ts';
import { listOf, RefusedItems } from './refused-items.tsx';
import type { Picking } from './use-picked.ts';

export function RemoveItems({ picking, onClose }: { picking: Picking; onClose: () => void }) {
  const remove = useRemoveItems();
  const ids = [...picking.picked.keys()];
  const items = countOf(ids.length, 'item');
  const done = (): void => {
    picking.clear();
    onClose();
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${items}?`}
      confirmLabel={`Delete ${items}`}
      pending={remove.isPending}
      onConfirm={() => remove.mutate(ids, { onSuccess: done })}
    >
      <p>{listOf([...picking.picked.values()].map(nameOf))}.</p>
      <p className="mt-2">They leave the lists and the drivers' phones. Counts and movements stay in the history.</p>
      {remove.error && (
        <RefusedItems error={remove.error} ids={remove.variables} picking={picking} onLeftOut={remove.reset} />
      )}
    </ConfirmDialog>
  );
}
