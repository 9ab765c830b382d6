import type { ReactNode } from 'react';
import { useNothingOwn } from '../auth/api.ts';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { StateView } from '../ui/state-view.tsx';
import type { InventoryFilter } from './api.ts';

type Props = { filter: InventoryFilter; onClear: () => void; action: ReactNode };

/** An empty table: because nothing matches, or because there is nothing yet. */
export function NoItems({ filter, onClear, action }: Props) {
  const { search, stock, market } = filter;
  const nothingOwn = useNothingOwn();
  if (!search && stock === 'all' && market === null) {
    return (
      <StateView
        icon="box"
        title="No inventory items yet"
        text={action ? 'Add the first product of a market to see its stock here.' : nothingOwn}
        action={action}
      />
    );
  }
  const all = <ClearFilters onClear={onClear} />;
  if (search) {
    return (
      <StateView
        icon="search"
        title={`No item matches '${search}'`}
        text={`Every word is looked for in the names of products and markets${stock === 'all' && market === null ? '' : ', within the filter above'}.`}
        action={all}
      />
    );
  }
  if (stock === 'low')
    return <StateView icon="check" title="No low stock items" text="Nothing is below its minimum." action={all} />;
  return (
    <StateView
      icon="box"
      title="No items here"
      text="Nothing matches the filter above."
      action={
        <span className="flex gap-2">
          {all}
          {action}
        </span>
      }
    />
  );
}
