import type { InventoryItem } from '../../contract/inventory.ts';
import { fieldStatus, scheduleLabel } from '../../domain/stock-status.ts';
import { useSession } from '../auth/api.ts';
import { formatDate, formatDateTime, formatMoney } from '../http/format.ts';
import { Flag, type Tone } from '../ui/badge.tsx';
import { Card } from '../ui/card.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { useMarketItems } from './api.ts';

const tones: Record<'out' | 'low' | 'good', Tone> = { out: 'bad', low: 'warn', good: 'ok' };

/** Every product of a market with what is there and what should be. */
export function MarketStock({ marketId }: { marketId: number }) {
  const items = useMarketItems(marketId);
  const { operator } = useSession();
  const units = items.data?.reduce((sum, item) => sum + item.currentQuantity, 0);
  return (
    <Card title="Stock" {...(items.data ? { count: `${items.data.length} products, ${units} units` } : {})}>
      {items.error && !items.data ? (
        <FailedView error={items.error} retry={() => void items.refetch()} title="Stock did not load" />
      ) : (
        <DataTable
          label="Stock"
          rows={items.data}
          columns={columnsFor(operator.currency)}
          rowKey={(item) => item.id}
          pageSize={15}
          initialSort={{ key: 'stock', down: false }}
          empty={<StateView icon="box" title="No products yet" text="Add the first one on Inventory & Integrations." />}
        />
      )}
    </Card>
  );
}

function columnsFor(currency: string): Column<InventoryItem>[] {
  return [
    {
      key: 'product',
      header: 'Product',
      sortValue: (item) => item.productName,
      cell: (item) => <span title={item.productName}>{item.productName}</span>,
    },
    {
      key: 'stock',
      header: 'Stock',
      align: 'right',
      className: 'w-20 max-sm:w-14',
      sortValue: (item) => item.currentQuantity,
      cell: (item) => <span className="font-medium">{item.currentQuantity}</span>,
    },
    {
      key: 'minimum',
      header: 'Minimum',
      align: 'right',
      className: 'w-24 max-sm:hidden',
      sortValue: (item) => item.minimumQuantity,
      cell: (item) => item.minimumQuantity,
    },
    {
      key: 'par',
      header: 'Par',
      align: 'right',
      className: 'w-20 max-md:hidden',
      sortValue: (item) => item.parQuantity ?? 0,
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
      sortValue: (item) => Number(item.price ?? 0),
      cell: (item) => (item.price ? formatMoney(item.price, currency) : '–'),
    },
    {
      key: 'restocked',
      header: 'Last Restocked',
      className: 'w-36 max-md:hidden',
      sortValue: (item) => item.lastRestocked ?? '',
      cell: (item) =>
        item.lastRestocked ? (
          <span title={formatDateTime(item.lastRestocked)}>{formatDate(item.lastRestocked)}</span>
        ) : (
          'Never'
        ),
    },
  ];
}
