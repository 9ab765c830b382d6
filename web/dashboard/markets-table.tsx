import { type ReactNode, useMemo } from 'react';
import type { MarketWithInventory } from '../../contract/markets.ts';
import { addressText, marketNumber } from '../../domain/place.ts';
import { relativeTime } from '../../domain/time.ts';
import { useMay } from '../auth/api.ts';
import { formatDateTime } from '../http/format.ts';
import type { useMarketsPage } from '../markets/api.ts';
import { MarketActions } from '../markets/market-actions.tsx';
import type { Opened } from '../markets/opened.ts';
import { StockLevel } from '../markets/stock-level.tsx';
import { AppLink } from '../ui/address/app-link.tsx';
import { Tooltip, Tooltips } from '../ui/dialogs/tooltip.tsx';
import { LocationStatusBadge } from '../ui/status-badge.tsx';
import { byName, byNumber, byTime } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { useSmallScreen } from '../ui/use-media.ts';
import { useNow } from '../ui/use-now.ts';
import { addressOf } from './location-address.ts';

type Props = {
  page: ReturnType<typeof useMarketsPage>['data'];
  waiting: boolean;
  sort: string;
  onSort: (sort: string) => void;
  onPage: (cursor: string) => void;
  onOpen: (opened: Opened) => void;
  empty: ReactNode;
};

export function MarketsTable({ onOpen, ...rest }: Props) {
  const now = useNow();
  const isSmall = useSmallScreen();
  const mayWrite = useMay('office:write');
  const mayRemove = useMay('office:delete');
  const columns = useMemo(
    (): PagedColumn<MarketWithInventory>[] => [
      {
        key: 'market',
        header: 'Market',
        sortBy: 'name',
        orders: byName,
        cell: (market) => <Name market={market} isSmall={isSmall} />,
      },
      {
        key: 'location',
        header: 'Location',
        sortBy: 'location',
        orders: byName,
        className: 'max-xl:hidden',
        cell: (market) => (
          <span className="text-text-2" title={addressText(market)}>
            {addressText(market)}
          </span>
        ),
      },
      ...(isSmall ? [] : [statusColumn]),
      {
        key: 'stock',
        header: 'Stock Level',
        sortBy: 'stock',
        orders: byNumber,
        className: 'w-42 max-sm:w-26 max-sm:px-1',
        cell: (market) => <StockLevel market={market} isSmall={isSmall} />,
      },
      {
        key: 'updated',
        header: 'Last Updated',
        sortBy: 'updated',
        orders: byTime,
        className: 'w-28 max-lg:hidden',
        cell: (market) => (
          <Tooltip text={formatDateTime(market.lastUpdated)}>
            <span>{relativeTime(new Date(market.lastUpdated), now)}</span>
          </Tooltip>
        ),
      },
      {
        key: 'actions',
        header: 'Actions',
        align: 'right',
        className: 'w-32 max-sm:w-15 max-sm:px-1 xl:w-30 print:hidden',
        cell: (market) => <MarketActions {...{ market, isSmall, mayWrite, mayRemove, onOpen }} />,
      },
    ],
    [now, isSmall, mayWrite, mayRemove, onOpen],
  );
  return (
    <Tooltips>
      <PagedTable label="Micro Markets Status" columns={columns} rowKey={(market) => market.id} {...rest} />
    </Tooltips>
  );
}

const statusColumn: PagedColumn<MarketWithInventory> = {
  key: 'status',
  header: 'Status',
  sortBy: 'status',
  orders: byName,
  className: 'w-32 xl:w-30',
  cell: (market) => <LocationStatusBadge status={market.status} />,
};

/**
 * On a phone a column of its own for the status would leave no room for names: there it stands below. So does the place between phone and
 * wide screen.
 */
function Name({ market, isSmall }: { market: MarketWithInventory; isSmall: boolean }) {
  return (
    <span className="block py-1">
      <AppLink
        href={addressOf({ type: 'market', id: market.id })}
        title={market.name}
        className="block truncate font-medium hover:text-accent hover:underline max-sm:line-clamp-3 max-sm:whitespace-normal lg:max-xl:line-clamp-2 lg:max-xl:whitespace-normal"
      >
        {market.name}
      </AppLink>
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1 text-12 text-text-3">
        {marketNumber(market.id)}
        {isSmall && <LocationStatusBadge status={market.status} />}
      </span>
      {!isSmall && (
        <span title={addressText(market)} className="block truncate text-12 text-text-3 xl:hidden">
          {addressText(market)}
        </span>
      )}
    </span>
  );
}
