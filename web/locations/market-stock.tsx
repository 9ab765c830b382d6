import { useState } from 'react';
import type { InventoryItem } from '../../contract/inventory.ts';
import { fieldStatus, scheduleLabel } from '../../domain/stock-status.ts';
import { useMay, useSession } from '../auth/api.ts';
import { countOf, formatDate, formatDateTime, formatMoney } from '../http/format.ts';
import { toNumber } from '../http/parse.ts';
import { lateDialog } from '../ui/address/late-code.tsx';
import { Flag, type Tone } from '../ui/badge.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { type Column, DataTable, useSorting } from '../ui/tables/data-table.tsx';
import { byName, byNumber, byTime } from '../ui/tables/order-choice.tsx';
import { useMarket, useMarketItems } from './api.ts';
import { stockToExport } from './export.ts';

const ItemForm = lateDialog('Item', async () => (await import('../inventory/item-form.tsx')).ItemForm);

const tones: Record<'out' | 'low' | 'good', Tone> = { out: 'bad', low: 'warn', good: 'ok' };

/** Every product of a market with what is there and what should be. */
export function MarketStock({ marketId }: { marketId: number }) {
  const items = useMarketItems(marketId);
  const { operator } = useSession();
  const { data: market } = useMarket(marketId);
  const mayWrite = useMay('office:write');
  const [opened, setOpened] = useState<InventoryItem | 'new' | null>(null);
  const columns = columnsFor(operator.currency, mayWrite ? setOpened : null);
  const sorting = useSorting(items.data, columns, { first: { key: 'stock', down: false }, name: 'stock' });
  const units = items.data?.reduce((sum, item) => sum + item.currentQuantity, 0);
  return (
    <Card
      title="Stock"
      {...(items.data ? { count: `${countOf(items.data.length, 'product')}, ${countOf(units ?? 0, 'unit')}` } : {})}
      actions={
        <>
          <ExportButton exported={stockToExport(marketId, sorting.sorted ?? [])} total={items.data?.length} />
          {mayWrite && market && (
            <Button icon="plus" className="max-lg:min-h-12" onClick={() => setOpened('new')}>
              Add Item
            </Button>
          )}
        </>
      }
    >
      {items.error && !items.data ? (
        <FailedView error={items.error} retry={() => void items.refetch()} title="Stock did not load" />
      ) : (
        // What stands below waits where it will stand, also while five rows stand for fifteen.
        <div className={items.isPending ? 'min-h-202' : ''}>
          <DataTable
            label="Stock"
            name="stock"
            rows={items.data}
            columns={columns}
            rowKey={(item) => item.id}
            pageSize={15}
            sorting={sorting}
            empty={<StateView icon="box" title="No products yet" text="Add the first one to see its stock here." />}
          />
        </div>
      )}
      {opened && market && (
        <ItemForm
          item={opened === 'new' ? null : { ...opened, marketName: market.name }}
          market={market}
          onClose={() => setOpened(null)}
        />
      )}
    </Card>
  );
}

function columnsFor(currency: string, onEdit: ((item: InventoryItem) => void) | null): Column<InventoryItem>[] {
  const edit: Column<InventoryItem> = {
    key: 'edit',
    header: 'Actions',
    align: 'right',
    className: 'w-20 max-sm:w-18 print:hidden',
    cell: (item) => (
      <IconButton
        label={`Edit ${item.productName}`}
        icon="edit"
        className="max-lg:size-12"
        onClick={() => onEdit?.(item)}
      />
    ),
  };
  const columns: Column<InventoryItem>[] = [
    {
      key: 'product',
      header: 'Product',
      sortValue: (item) => item.productName,
      orders: byName,
      cell: (item) => (
        <span title={item.productName} className="block truncate max-sm:line-clamp-4 max-sm:whitespace-normal">
          {item.productName}
        </span>
      ),
    },
    {
      key: 'stock',
      header: 'Stock',
      align: 'right',
      className: 'w-20 max-sm:w-14',
      sortValue: (item) => item.currentQuantity,
      orders: byNumber,
      cell: (item) => <span className="font-medium">{item.currentQuantity}</span>,
    },
    {
      key: 'minimum',
      header: 'Minimum',
      align: 'right',
      className: 'w-24 max-sm:hidden',
      sortValue: (item) => item.minimumQuantity,
      orders: byNumber,
      cell: (item) => item.minimumQuantity,
    },
    {
      key: 'par',
      header: 'Par',
      align: 'right',
      className: 'w-20 max-xl:hidden',
      sortValue: (item) => item.parQuantity ?? 0,
      orders: byNumber,
      cell: (item) => item.parQuantity ?? '–',
    },
    {
      key: 'status',
      header: 'Status',
      className: 'w-28 max-sm:w-22',
      cell: (item) => {
        const status = fieldStatus(item.currentQuantity, item.minimumQuantity);
        return <Flag tone={tones[status]}>{scheduleLabel[status]}</Flag>;
      },
    },
    {
      key: 'price',
      header: 'Price',
      align: 'right',
      className: 'w-24 max-sm:hidden',
      sortValue: (item) => toNumber(item.price ?? '0'),
      orders: byNumber,
      cell: (item) => (item.price ? formatMoney(item.price, currency) : '–'),
    },
    {
      key: 'restocked',
      header: 'Last Restocked',
      className: 'w-36 max-xl:hidden',
      sortValue: (item) => item.lastRestocked ?? '',
      orders: byTime,
      cell: (item) =>
        item.lastRestocked ? (
          <span title={formatDateTime(item.lastRestocked)}>{formatDate(item.lastRestocked)}</span>
        ) : (
          'Never'
        ),
    },
  ];
  return onEdit ? [...columns, edit] : columns;
}
