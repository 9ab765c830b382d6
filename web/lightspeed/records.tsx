import { type ReactNode, useMemo, useState } from 'react';
import type { LightspeedOutlet, LightspeedProduct, LightspeedSale } from '../../contract/lightspeed.ts';
import { useMay } from '../auth/api.ts';
import { countOf, formatDateTimeNarrow, formatMoney, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { StateView } from '../ui/state-view.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { Below } from '../ui/tables/below.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { useLightspeedProducts, useLightspeedSales, useOutlets } from './api.ts';
import { TieDialog } from './tie-dialog.tsx';

type Page<R> = { rows: R[]; total: number; from: number; next: string | null; previous: string | null };
type List<R> = { data: Page<R> | undefined; error: unknown; isPlaceholderData: boolean; refetch: () => unknown };
type Props<R> = {
  label: string;
  search: string;
  list: List<R>;
  columns: readonly PagedColumn<R>[];
  sort?: string;
  none: { title: string; text: string };
};

/** One of the lists: search, table, pages, and what to say when there is nothing. */
function RecordList<R extends { id: number }>({ label, search, list, columns, sort = '', none }: Props<R>) {
  const { set } = useAddress();
  if (list.error && !list.data) {
    return <FailedPage list={list} title={`${label} did not load`} />;
  }
  return (
    <>
      {(search !== '' || (list.data?.total ?? 0) > 0) && (
        <div className="w-80 px-4 py-2 max-sm:w-full">
          <AddressSearch label={`Search ${label.toLowerCase()}`} placeholder="Search..." />
        </div>
      )}
      <PagedTable
        label={label}
        page={list.data}
        waiting={list.isPlaceholderData}
        columns={columns}
        rowKey={(row) => row.id}
        sort={sort}
        onSort={(next) => set({ sort: next, page: null })}
        onPage={(page) => set({ page })}
        empty={
          search ? (
            <StateView
              icon="search"
              title="Nothing matches"
              text="Search for something else."
              action={<ClearFilters onClear={() => set({ q: null, page: null })} />}
            />
          ) : (
            <StateView icon="box" title={none.title} text={none.text} />
          )
        }
      />
    </>
  );
}

const missing: ReactNode = <span className="text-text-3">Unknown</span>;
const nextSync = 'They appear with the next sync.';

export function Outlets({ configId }: { configId: number }) {
  const { get } = useAddress();
  const search = get('q') ?? '';
  const list = useOutlets({ configId, search, page: get('page') });
  const [tied, setTied] = useState<LightspeedOutlet | null>(null);
  const mayWrite = useMay('office:write');
  const columns = useMemo(() => [...outletColumns, marketColumn(mayWrite ? setTied : null)], [mayWrite]);
  return (
    <>
      <RecordList
        label="Outlets"
        search={search}
        list={list}
        columns={columns}
        none={{ title: 'No outlets yet', text: nextSync }}
      />
      {tied && <TieDialog outlet={tied} onClose={() => setTied(null)} />}
    </>
  );
}

export function Products({ configId }: { configId: number }) {
  const { get } = useAddress();
  const search = get('q') ?? '';
  const sort = get('sort') ?? 'name';
  const list = useLightspeedProducts({ configId, search, page: get('page'), sort });
  return (
    <RecordList
      label="Products"
      search={search}
      list={list}
      columns={productColumns}
      sort={sort}
      none={{ title: 'No products yet', text: nextSync }}
    />
  );
}

export function Sales({ configId }: { configId: number }) {
  const { get } = useAddress();
  const search = get('q') ?? '';
  const list = useLightspeedSales({ configId, search, page: get('page') });
  return (
    <RecordList
      label="Sales"
      search={search}
      list={list}
      columns={saleColumns}
      none={{ title: 'No sales yet', text: 'Sales appear within minutes of the checkout.' }}
    />
  );
}

/** What stores call things may be long: it takes a second line, and what does not fit there is told on pointing at it. */
const long = (text: string | null, look = ''): ReactNode =>
  text === null ? (
    missing
  ) : (
    <span className={`line-clamp-2 whitespace-normal ${look}`} title={text}>
      {text}
    </span>
  );

/** Between a phone and a wide screen: for columns that stand at 1280 px and more. */
const toDesk = 'max-md:hidden xl:hidden';
/** The same for the column that comes last. */
const toWideDesk = 'max-md:hidden min-[87rem]:hidden';

const inOne = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' · ');

const outletColumns: readonly PagedColumn<LightspeedOutlet>[] = [
  {
    ...{ key: 'name', header: 'Outlet', className: 'max-xl:py-2' },
    cell: (row) => (
      <>
        {long(row.name, 'font-medium max-md:line-clamp-none')}
        <Below lines={[row.address, inOne(row.currency, row.timeZone)]} />
        <Below lines={[inOne(row.currency, row.timeZone)]} hidden={toDesk} />
      </>
    ),
  },
  { key: 'address', header: 'Address', className: 'w-64 max-xl:w-56 max-md:hidden', cell: (row) => long(row.address) },
  { key: 'currency', header: 'Currency', className: 'w-20 max-xl:hidden', cell: (row) => row.currency ?? missing },
  { key: 'zone', header: 'Time Zone', className: 'w-40 max-xl:hidden', cell: (row) => row.timeZone ?? missing },
];

function marketColumn(onTie: ((outlet: LightspeedOutlet) => void) | null): PagedColumn<LightspeedOutlet> {
  const cell = (outlet: LightspeedOutlet): ReactNode => {
    if (outlet.market) {
      return (
        <AppLink
          href={`/markets/${outlet.market.id}`}
          className="inline-flex min-h-8 items-center whitespace-normal font-medium underline-offset-2 hover:underline max-lg:min-h-12"
        >
          {outlet.market.name}
        </AppLink>
      );
    }
    if (!onTie) return <span className="whitespace-normal text-warn-text">Not tied to a market yet</span>;
    return (
      <Button icon="link" onClick={() => onTie(outlet)} className="max-lg:min-h-12">
        Tie to a market
      </Button>
    );
  };
  return { key: 'market', header: 'Market', className: 'w-56 max-md:w-48', cell };
}

const amount = (value: string | null): ReactNode => (value === null ? missing : formatMoney(value));

const costOf = ({ cost }: LightspeedProduct): string | null => (cost === null ? null : `Cost ${formatMoney(cost)}`);

const productLines = (row: LightspeedProduct): (string | null)[] => [
  row.sku,
  row.locationName,
  inOne(row.category, row.supplier),
  inOne(costOf(row), row.reorderPoint === null ? null : `Reorder at ${formatNumber(row.reorderPoint)}`),
];

const productColumns: readonly PagedColumn<LightspeedProduct>[] = [
  {
    ...{ key: 'name', header: 'Product', sortBy: 'name', className: 'max-[87rem]:py-2' },
    cell: (row) => (
      <>
        <span className="line-clamp-2 whitespace-normal font-medium" title={row.description ?? row.name}>
          {row.name}
        </span>
        <Below lines={productLines(row)} />
        <Below lines={[inOne(row.category, costOf(row))]} hidden={toDesk} />
        <Below lines={[row.supplier]} hidden={toWideDesk} />
      </>
    ),
  },
  { key: 'sku', header: 'SKU', className: 'w-34 max-md:hidden', cell: (row) => row.sku ?? missing },
  { key: 'location', header: 'Outlet', className: 'w-36 max-md:hidden', cell: (row) => long(row.locationName) },
  { key: 'price', header: 'Price', align: 'right', className: 'w-18', cell: (row) => amount(row.price) },
  { key: 'cost', header: 'Cost', align: 'right', className: 'w-18 max-xl:hidden', cell: (row) => amount(row.cost) },
  { key: 'category', header: 'Category', className: 'w-26 max-xl:hidden', cell: (row) => long(row.category) },
  { key: 'supplier', header: 'Supplier', className: 'w-28 max-[87rem]:hidden', cell: (row) => long(row.supplier) },
  {
    ...{ key: 'quantity', header: 'Quantity', sortBy: 'quantity', align: 'right' as const, className: 'w-24' },
    cell: ({ currentQuantity }) =>
      currentQuantity < 0 ? (
        <span title={`Lightspeed says ${formatNumber(currentQuantity)}`}>0</span>
      ) : (
        formatNumber(currentQuantity)
      ),
  },
  {
    ...{ key: 'reorder', header: 'Reorder Point', align: 'right' as const, className: 'w-28 max-md:hidden' },
    cell: (row) => (row.reorderPoint === null ? missing : formatNumber(row.reorderPoint)),
  },
];

const saleStates: Record<LightspeedSale['status'], { tone: Tone; label: string }> = {
  completed: { tone: 'ok', label: 'Completed' },
  pending: { tone: 'warn', label: 'Pending' },
  failed: { tone: 'idle', label: 'Voided' },
  refunded: { tone: 'idle', label: 'Refunded' },
};

const taxOf = ({ tax, currency }: LightspeedSale): string => formatMoney(tax, currency);

const saleLines = (row: LightspeedSale): (string | null)[] => [
  row.receiptNumber,
  row.locationName,
  inOne(countOf(row.itemCount, 'item'), `tax ${taxOf(row)}`),
];

const saleColumns: readonly PagedColumn<LightspeedSale>[] = [
  {
    ...{ key: 'date', header: 'Date', className: 'w-48 max-xl:w-44 max-md:w-auto max-xl:py-2' },
    cell: (row) => (
      <>
        <span className="whitespace-normal">{formatDateTimeNarrow(row.saleDate)}</span>
        <Below lines={saleLines(row)} />
        <Below lines={[`Tax ${taxOf(row)}`]} hidden={toDesk} />
      </>
    ),
  },
  {
    key: 'receipt',
    header: 'Receipt',
    className: 'w-40 max-xl:w-34 max-md:hidden',
    cell: (row) => row.receiptNumber ?? missing,
  },
  {
    key: 'location',
    header: 'Location',
    className: 'max-md:hidden',
    cell: (row) => long(row.locationName),
  },
  {
    ...{ key: 'items', header: 'Items', align: 'right' as const, className: 'w-20 max-xl:w-14 max-md:hidden' },
    cell: (row) => formatNumber(row.itemCount),
  },
  {
    ...{ key: 'tax', header: 'Tax', align: 'right' as const, className: 'w-24 max-xl:hidden' },
    cell: taxOf,
  },
  {
    ...{ key: 'total', header: 'Total', align: 'right' as const, className: 'w-28 max-xl:w-22 max-md:w-20' },
    cell: (row) => <span className="font-medium">{formatMoney(row.total, row.currency)}</span>,
  },
  {
    ...{ key: 'status', header: 'Status', className: 'w-36 max-md:w-29' },
    cell: (row) => <Badge tone={saleStates[row.status].tone}>{saleStates[row.status].label}</Badge>,
  },
];
