import { type ReactNode, useMemo } from 'react';
import type { MarketWithInventory } from '../../contract/markets.ts';
import { addressText, marketNumber } from '../../domain/place.ts';
import { relativeTime } from '../../domain/time.ts';
import { useMay } from '../auth/api.ts';
import { addressOf } from '../dashboard/location-address.ts';
import { countOf, formatDateTime, formatNumber } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { StateShape } from '../ui/badge.tsx';
import { LocationStatusBadge } from '../ui/status-badge.tsx';
import { byName, byNumber, byTime } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { useSmallScreen } from '../ui/use-media.ts';
import { useNow } from '../ui/use-now.ts';
import type { useMarketsPage } from './api.ts';
import { MarketActions } from './market-actions.tsx';
import type { Opened } from './opened.ts';
import { StockLevel } from './stock-level.tsx';

type Props = {
  page: ReturnType<typeof useMarketsPage>['data'];
  waiting: boolean;
  sort: string;
  onSort: (sort: string) => void;
  onPage: (cursor: string) => void;
  onOpen: (opened: Opened) => void;
  empty: ReactNode;
};

export function MarketsList({ onOpen, ...rest }: Props) {
  const isSmall = useSmallScreen();
  const now = useNow();
  const mayWrite = useMay('office:write');
  const mayRemove = useMay('office:delete');
  const columns = useMemo(
    (): PagedColumn<MarketWithInventory>[] => [
      ...placeColumns,
      ...stockColumns(isSmall),
      {
        key: 'updated',
        header: 'Last Updated',
        sortBy: 'updated',
        orders: byTime,
        className: 'w-28 max-xl:hidden',
        cell: ({ lastUpdated }) => (
          <span title={formatDateTime(lastUpdated)}>{relativeTime(new Date(lastUpdated), now)}</span>
        ),
      },
      {
        key: 'actions',
        header: 'Actions',
        align: 'right',
        className: 'w-30 max-sm:w-16 max-sm:px-1 print:hidden',
        cell: (market) => <MarketActions {...{ market, isSmall, mayWrite, mayRemove, onOpen }} />,
      },
    ],
    [now, isSmall, mayWrite, mayRemove, onOpen],
  );
  return <PagedTable label="Markets" columns={columns} rowKey={(market) => market.id} {...rest} />;
}

const placeColumns: PagedColumn<MarketWithInventory>[] = [
  {
    key: 'market',
    header: 'Market',
    sortBy: 'name',
    orders: byName,
    cell: (market) => (
      <span className="block py-1">
        <AppLink
          href={addressOf({ type: 'market', id: market.id })}
          title={market.name}
          className="text-link block whitespace-normal font-medium lg:line-clamp-2"
        >
          {market.name}
        </AppLink>
        <span className="flex flex-wrap items-center gap-x-2 text-12 text-text-3">
          {marketNumber(market.id)}
          <span className="sm:hidden">
            <LocationStatusBadge status={market.status} />
          </span>
        </span>
      </span>
    ),
  },
  {
    key: 'location',
    header: 'Location',
    sortBy: 'location',
    orders: byName,
    className: 'max-md:hidden',
    cell: (market) => {
      const place = addressText(market);
      return (
        <span className="block py-1" title={place}>
          <span className="block whitespace-normal text-text-2 lg:line-clamp-2">{place}</span>
          <span className="block text-12 text-text-3 tabular-nums">{coordinates(market)}</span>
        </span>
      );
    },
  },
  {
    key: 'status',
    header: 'Status',
    sortBy: 'status',
    orders: byName,
    className: 'w-32 max-sm:hidden',
    cell: (market) => <LocationStatusBadge status={market.status} />,
  },
];

/** Six decimals tell a door from the next one. */
function coordinates({ latitude, longitude }: MarketWithInventory): string {
  return `${toNumber(latitude).toFixed(6)}, ${toNumber(longitude).toFixed(6)}`;
}

const stockColumns = (isSmall: boolean): PagedColumn<MarketWithInventory>[] => [
  {
    key: 'stock',
    header: 'Stock Level',
    sortBy: 'stock',
    orders: byNumber,
    className: 'w-42 max-sm:w-28 max-sm:px-1',
    cell: (market) => (
      <>
        <StockLevel market={market} isSmall={isSmall} />
        <span className="block xl:hidden">
          <Items market={market} />
        </span>
      </>
    ),
  },
  {
    key: 'items',
    header: 'Items Count',
    sortBy: 'items',
    orders: byNumber,
    className: 'w-28 max-xl:hidden',
    cell: (market) => <Items market={market} />,
  },
];

function Items({ market }: { market: MarketWithInventory }) {
  const { id, name, inventoryItems, lowStockCount } = market;
  return (
    <span className="block py-1">
      <AppLink
        href={`/inventory?market=${id}`}
        aria-label={`${countOf(inventoryItems, 'item')} of ${name}`}
        className="text-link block"
      >
        {countOf(inventoryItems, 'item')}
      </AppLink>
      {lowStockCount > 0 && (
        <span className="inline-flex items-center gap-1 text-12 text-warn-text">
          <StateShape tone="warn" size={8} />
          {formatNumber(lowStockCount)} low stock
        </span>
      )}
    </span>
  );
}
