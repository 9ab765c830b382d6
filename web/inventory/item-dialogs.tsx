import type { InventoryRow } from '../../contract/inventory.ts';
import { useMay } from '../auth/api.ts';
import { formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { lateDialog } from '../ui/address/late-code.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialogs/dialog.tsx';
import { useRemoveItem } from './api.ts';
import type { Opened } from './opened.ts';

const ItemForm = lateDialog('Item', async () => (await import('./item-form.tsx')).ItemForm);

type Props = {
  opened: Opened;
  place: { id: number; name: string } | null;
  onOpen: (opened: Opened) => void;
  onClose: () => void;
};

export function ItemDialogs({ opened, place, onOpen, onClose }: Props) {
  if (opened.what === 'add' || opened.what === 'edit') {
    return <ItemForm item={opened.what === 'edit' ? opened.item : null} market={place} onClose={onClose} />;
  }
  if (opened.what === 'actions') return <ItemActions item={opened.item} onOpen={onOpen} onClose={onClose} />;
  return <RemoveItem item={opened.item} onClose={onClose} />;
}

type ItemProps = { item: InventoryRow; onClose: () => void };

function RemoveItem({ item, onClose }: ItemProps) {
  const remove = useRemoveItem();
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${item.productName}?`}
      confirmLabel="Delete Item"
      pending={remove.isPending}
      onConfirm={() => remove.mutate(item, { onSettled: onClose })}
    >
      <p>
        {item.productName} at {item.marketName}, {formatNumber(item.currentQuantity)} in stock.
      </p>
      <p className="mt-2">It leaves the lists and the driver's phone. Counts and movements stay in the history.</p>
    </ConfirmDialog>
  );
}

/** On a phone: one wide target for each action. */
function ItemActions({ item, onOpen, onClose }: ItemProps & { onOpen: (opened: Opened) => void }) {
  const mayWrite = useMay('office:write');
  const mayRemove = useMay('office:delete');
  return (
    <Dialog open onClose={onClose} title={item.productName} description={item.marketName}>
      <div className="grid gap-2 pt-2">
        <AppLink href={`/markets/${item.marketId}`} className={buttonClass({ size: 'field' })}>
          View market
        </AppLink>
        {mayWrite && (
          <Button size="field" icon="edit" onClick={() => onOpen({ what: 'edit', item })}>
            Edit
          </Button>
        )}
        {mayRemove && (
          <Button size="field" icon="trash" onClick={() => onOpen({ what: 'remove', item })}>
            Delete
          </Button>
        )}
      </div>
    </Dialog>
  );
}
