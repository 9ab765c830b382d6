import { type ReactNode, useMemo } from 'react';
import type { InventoryRow } from '../../contract/inventory.ts';
import { type OfficeStatus, officeStatus } from '../../domain/stock-status.ts';
import { useMay } from '../auth/api.ts';
import { formatDate, formatDateTime, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Badge, type Tone } from '../ui/badge.tsx';
import { IconButton } from '../ui/button.tsx';
import { byName, byNumber, byTime } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { useMedia, useSmallScreen } from '../ui/use-media.ts';
import type { useInventoryPage } from './api.ts';
import { pickColumn } from './many/pick-column.tsx';
import type { Picking } from './many/use-picked.ts';
import type { Opened } from './opened.ts';
import { CountActions, nameOf, StockCell, useCounting } from './stock-cell.tsx';

const words: Record<OfficeStatus, { tone: Tone; label: string }> = {
  low: { tone: 'bad', label: 'Low Stock' },
  warning: { tone: 'warn', label: 'Warning' },
  'in-stock': { tone: 'ok', label: 'In Stock' },
};

type Props = {
  page: ReturnType<typeof useInventoryPage>['data'];
  waiting: boolean;
  sort: string;
  onSort: (sort: string) => void;
  onPage: (cursor: string) => void;
  onOpen: (opened: Opened) => void;
  picking: Picking;
  empty: ReactNode;
};

export function InventoryTable({ onOpen, picking, ...rest }: Props) {
  const isSmall = useSmallScreen();
  const isDesk = useMedia('(min-width: 64rem)');
  const mayWrite = useMay('office:write');
  const mayRemove = useMay('office:delete');
  const counting = useCounting();
  const columns = useMemo((): PagedColumn<InventoryRow>[] => {
    const isCountedHere = isDesk && mayWrite;
    return [
      ...productColumns,
      isCountedHere ? { ...countedColumn, cell: (item) => <StockCell item={item} counting={counting} /> } : stockColumn,
      ...levelColumns,
      {
        key: 'actions',
        header: 'Actions',
        align: 'right',
        className: 'w-30 max-sm:w-16 max-sm:px-1 lg:w-22 print:hidden',
        cell: (item) =>
          isCountedHere && item.id === counting.id ? (
            <CountActions item={item} counting={counting} />
          ) : (
            <Actions {...{ item, isSmall, mayWrite, mayRemove, onOpen }} />
          ),
      },
    ];
  }, [isSmall, isDesk, mayWrite, mayRemove, onOpen, counting]);
  // A phone has no room for a box beside the names: there one item is changed at a time.
  const rows = rest.page?.rows.length ?? 0;
  const shown = useMemo(
    () => (isSmall ? columns : [pickColumn(picking, rows), ...columns]),
    [isSmall, picking, rows, columns],
  );
  return (
    <PagedTable
      label="Inventory"
      columns={shown}
      rowKey={(item) => item.id}
      isPicked={({ id }) => !isSmall && picking.picked.has(id)}
      {...rest}
    />
  );
}

const productColumns: PagedColumn<InventoryRow>[] = [
  {
    key: 'product',
    header: 'Product',
    sortBy: 'product',
    orders: byName,
    cell: (item) => (
      <span title={item.productName} className="block min-w-0 py-1">
        <span className="block truncate font-medium max-sm:line-clamp-4 max-sm:whitespace-normal">
          {item.productName}
        </span>
        <span className="block whitespace-normal text-12 text-text-3 xl:hidden">{item.marketName}</span>
      </span>
    ),
  },
  {
    key: 'market',
    header: 'Market',
    sortBy: 'market',
    orders: byName,
    className: 'max-xl:hidden',
    cell: (item) => (
      <AppLink
        href={`/markets/${item.marketId}`}
        title={item.marketName}
        className="text-text-2 hover:text-accent hover:underline"
      >
        {item.marketName}
      </AppLink>
    ),
  },
];

const stockColumn: PagedColumn<InventoryRow> = {
  key: 'stock',
  header: 'Current Stock',
  sortBy: 'stock',
  orders: byNumber,
  align: 'right',
  className: 'w-28 tabular-nums max-sm:w-26 max-sm:px-1',
  cell: (item) => (
    <>
      {formatNumber(item.currentQuantity)}
      <span className="text-text-3 md:hidden"> of min {formatNumber(item.minimumQuantity)}</span>
      <span className="mt-0.5 block sm:hidden">
        <StatusBadge item={item} />
      </span>
    </>
  ),
};

/** The ring of a field that is typed into reaches beyond its cell. */
const countedColumn = { ...stockColumn, className: `${stockColumn.className} overflow-visible` };

const levelColumns: PagedColumn<InventoryRow>[] = [
  {
    key: 'minimum',
    header: 'Minimum Stock',
    sortBy: 'minimum',
    orders: byNumber,
    align: 'right',
    className: 'w-32 text-text-2 tabular-nums max-md:hidden xl:w-30',
    cell: (item) => formatNumber(item.minimumQuantity),
  },
  {
    key: 'status',
    header: 'Status',
    sortBy: 'cover',
    orders: ['most urgent first', 'least urgent first'],
    className: 'w-32 max-sm:hidden xl:w-31',
    cell: (item) => <StatusBadge item={item} />,
  },
  {
    key: 'restocked',
    header: 'Last Restocked',
    sortBy: 'restocked',
    orders: byTime,
    className: 'w-30 text-text-2 max-xl:hidden',
    cell: ({ lastRestocked }) =>
      lastRestocked ? <span title={formatDateTime(lastRestocked)}>{formatDate(lastRestocked)}</span> : 'Never',
  },
];

function StatusBadge({ item }: { item: InventoryRow }) {
  const { tone, label } = words[officeStatus(item)];
  return <Badge tone={tone}>{label}</Badge>;
}

type ActionsProps = {
  item: InventoryRow;
  isSmall: boolean;
  mayWrite: boolean;
  mayRemove: boolean;
  onOpen: (opened: Opened) => void;
};

function Actions({ item, isSmall, mayWrite, mayRemove, onOpen }: ActionsProps) {
  const name = nameOf(item);
  if (isSmall) {
    return (
      <IconButton
        label={`Actions for ${name}`}
        icon="more"
        size="field"
        className="-mr-3"
        onClick={() => onOpen({ what: 'actions', item })}
      />
    );
  }
  return (
    <span className="inline-flex">
      {mayWrite && (
        <IconButton
          label={`Edit ${name}`}
          title="Edit"
          icon="edit"
          className="max-lg:h-12 max-lg:w-12"
          onClick={() => onOpen({ what: 'edit', item })}
        />
      )}
      {mayRemove && (
        <IconButton
          label={`Delete ${name}`}
          title="Delete"
          icon="trash"
          className="max-lg:h-12 max-lg:w-12"
          onClick={() => onOpen({ what: 'remove', item })}
        />
      )}
    </span>
  );
}
