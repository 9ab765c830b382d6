import type { MarketWithInventory } from '../../contract/markets.ts';
import { addressOf } from '../dashboard/location-address.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { buttonClass, IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import type { Opened } from './opened.ts';

type Props = {
  market: MarketWithInventory;
  isSmall: boolean;
  mayWrite: boolean;
  mayRemove: boolean;
  onOpen: (opened: Opened) => void;
};

/** What can be done with a market in a row of a table; on a phone they wait behind one button. */
export function MarketActions({ market, isSmall, mayWrite, mayRemove, onOpen }: Props) {
  if (isSmall) {
    return (
      <IconButton
        label={`Actions for ${market.name}`}
        icon="more"
        size="field"
        className="-mr-3"
        onClick={() => onOpen({ what: 'actions', market })}
      />
    );
  }
  return (
    <span className="inline-flex">
      <AppLink
        href={addressOf({ type: 'market', id: market.id })}
        aria-label={`View ${market.name}`}
        title="View"
        className={`${buttonClass({ variant: 'quiet' })} w-8 px-0 max-lg:h-12`}
      >
        <Icon name="eye" />
      </AppLink>
      {mayWrite && (
        <IconButton
          label={`Edit ${market.name}`}
          title="Edit"
          icon="edit"
          className="max-lg:h-12"
          onClick={() => onOpen({ what: 'form', market })}
        />
      )}
      {mayRemove && (
        <IconButton
          label={`Delete ${market.name}`}
          title="Delete"
          icon="trash"
          className="max-lg:h-12"
          onClick={() => onOpen({ what: 'remove', market })}
        />
      )}
    </span>
  );
}
