import type { MarketWithInventory } from '../../contract/markets.ts';
import { addressText, marketNumber } from '../../domain/place.ts';
import { useMay } from '../auth/api.ts';
import { addressOf } from '../dashboard/location-address.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Button, buttonClass } from '../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../ui/dialogs/dialog.tsx';
import type { Opened } from './opened.ts';

type Props = {
  opened: Exclude<Opened, { what: 'form' }>;
  removing: boolean;
  onOpen: (opened: Opened) => void;
  onClose: () => void;
  onRemove: (market: MarketWithInventory) => void;
};

export function MarketDialogs({ opened, removing, onOpen, onClose, onRemove }: Props) {
  const { market } = opened;
  if (opened.what === 'actions') return <MarketActions market={market} onOpen={onOpen} onClose={onClose} />;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${market.name}?`}
      confirmLabel="Delete Market"
      pending={removing}
      onConfirm={() => onRemove(market)}
    >
      <p>
        {marketNumber(market.id)}, {addressText(market)}.
      </p>
      <p className="mt-2">{goesWithIt(market)} Counts and movements recorded so far stay in the history.</p>
    </ConfirmDialog>
  );
}

function goesWithIt({ inventoryItems }: MarketWithInventory): string {
  if (inventoryItems === 0) return 'It has no inventory items.';
  return `Its ${inventoryItems} inventory ${inventoryItems === 1 ? 'item goes' : 'items go'} with it.`;
}

type ActionsProps = Pick<Props, 'onOpen' | 'onClose'> & { market: MarketWithInventory };

/** On a phone: one wide target for each action. */
function MarketActions({ market, onOpen, onClose }: ActionsProps) {
  const mayWrite = useMay('office:write');
  const mayRemove = useMay('office:delete');
  return (
    <Dialog open onClose={onClose} title={market.name} description={marketNumber(market.id)}>
      <div className="grid gap-2 pt-2">
        <AppLink href={addressOf({ type: 'market', id: market.id })} className={buttonClass({ size: 'field' })}>
          View
        </AppLink>
        {mayWrite && (
          <Button size="field" icon="edit" onClick={() => onOpen({ what: 'form', market })}>
            Edit
          </Button>
        )}
        {mayRemove && (
          <Button size="field" icon="trash" onClick={() => onOpen({ what: 'remove', market })}>
            Delete
          </Button>
        )}
      </div>
    </Dialog>
  );
}
