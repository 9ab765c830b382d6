import { useState } from 'react';
import { useParams } from 'wouter';
import type { ProductCard, ProductPlace } from '../../contract/products.ts';
import { useMay } from '../auth/api.ts';
import { ApiError } from '../http/client.ts';
import { countOf, foreignText, formatMoney, formatNumber } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Breadcrumb } from '../ui/address/breadcrumb.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { Card, StatTile } from '../ui/card.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { StatPlaceholders, statGrid } from '../ui/stat-grid.tsx';
import { FailedView, StateView } from '../ui/state-view.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import { useProduct, useProductPlaces, useUnmerge } from './api.ts';
import { placesToExport } from './export.ts';
import { marginText } from './margin-text.ts';
import { PictureCard } from './picture-card.tsx';
import { ProductForm } from './product-form.tsx';

/** One product: where it is, how it sells, what it earns. */
export function ProductScreen() {
  const id = Number(useParams().id);
  const { data, error, refetch } = useProduct(id);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4 p-6 max-lg:p-4">
      <Breadcrumb list={{ href: '/products', label: 'Products' }} here={data?.name ?? `Product ${id}`} />
      {error && !data && (
        <>
          <h1>Product</h1>
          <Card>
            {error instanceof ApiError && error.status === 404 ? (
              <NotThere text={error.detail} />
            ) : (
              <FailedView error={error} retry={() => void refetch()} title="The product did not load" />
            )}
          </Card>
        </>
      )}
      {!data && !error && (
        <>
          <StatPlaceholders />
          <Card className="min-h-80">
            <SkeletonRows rows={5} className="h-12" />
          </Card>
        </>
      )}
      {data && <Loaded product={data} />}
    </div>
  );
}

/** Trying again would find it no more than before. */
function NotThere({ text }: { text: string }) {
  return (
    <StateView
      icon="box"
      title="Product not found"
      text={text}
      action={
        <AppLink href="/products" className={`${buttonClass()} max-lg:min-h-12`}>
          Back to Products
        </AppLink>
      }
    />
  );
}

function Loaded({ product }: { product: ProductCard }) {
  const [editing, setEditing] = useState(false);
  const mayWrite = useMay('office:write');
  const { sold } = product;
  return (
    <>
      <header className="flex flex-wrap items-center gap-2">
        <div className="mr-auto min-w-0">
          <h1>{product.name}</h1>
          <p className="text-text-3">
            {[
              product.brand,
              product.category,
              product.caseSize && `cases of ${product.caseSize}`,
              product.shelfLifeDays && `keeps ${countOf(product.shelfLifeDays, 'day')}`,
            ]
              .filter(Boolean)
              .join(', ') || 'No brand or category yet'}
          </p>
        </div>
        {mayWrite && (
          <Button icon="edit" onClick={() => setEditing(true)} className="max-lg:min-h-12">
            Edit
          </Button>
        )}
      </header>
      <section aria-label="Figures" className={statGrid}>
        <StatTile label="In the Field" value={countOf(product.quantity, 'unit')} detail={placesText(product.places)} />
        <StatTile
          label="Sold"
          value={countOf(sold.units, 'unit')}
          detail={`Last ${sold.days} days; ${formatNumber(sold.unitsBefore)} in the ${sold.days} before`}
        />
        <StatTile
          label="Earned"
          value={formatMoney(sold.amount)}
          detail={`${sold.margin === null ? 'No margin without a cost' : `${formatMoney(sold.margin)} after cost`}${foreignText(sold.foreignUnits)}`}
        />
        <StatTile
          label="Margin"
          value={marginText(product)}
          detail={`Price ${product.unitPrice === null ? 'not set' : formatMoney(product.unitPrice)}, cost ${product.unitCost === null ? 'not set' : formatMoney(product.unitCost)}`}
        />
      </section>
      <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
        <Places product={product} />
        <div className="grid gap-4">
          <PictureCard product={product} mayChange={mayWrite} />
          <Card title="Barcodes" count={product.barcodes.length}>
            {product.barcodes.length === 0 ? (
              <p className="px-4 py-3 text-text-2">None yet: a scan does not find it. Add one with Edit.</p>
            ) : (
              <ul className="px-4 py-2">
                {product.barcodes.map((code) => (
                  <li key={code} className="py-1">
                    {code}
                  </li>
                ))}
              </ul>
            )}
          </Card>
          {product.names.length > 0 && <Names product={product} mayUndo={mayWrite} />}
        </div>
      </div>
      {editing && <ProductForm product={product} onClose={() => setEditing(false)} />}
    </>
  );
}

function Names({ product, mayUndo }: { product: ProductCard; mayUndo: boolean }) {
  const unmerge = useUnmerge();
  return (
    <Card title="Also Known As" count={product.names.length}>
      <ul className="px-4 py-2">
        {product.names.map(({ id, name }) => (
          <li key={id} className="flex min-h-10 items-center gap-2">
            <span className="min-w-0 flex-1 truncate" title={name}>
              {name}
            </span>
            {mayUndo && (
              <Button
                size="small"
                disabled={unmerge.isPending}
                pending={unmerge.isPending && unmerge.variables === id}
                onClick={() => unmerge.mutate(id)}
                className="max-lg:min-h-12"
              >
                Undo merge
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const columns: readonly PagedColumn<ProductPlace>[] = [
  {
    ...{ key: 'place', header: 'Location', sortBy: 'name' },
    cell: (row) => (
      <AppLink
        href={`/${row.type === 'market' ? 'markets' : 'vending-machines'}/${row.id}`}
        title={row.name}
        className="block truncate hover:text-accent hover:underline max-sm:line-clamp-4 max-sm:whitespace-normal"
      >
        {row.name}
      </AppLink>
    ),
  },
  { key: 'slot', header: 'Slot', className: 'w-20 max-sm:w-14', cell: (row) => row.slotNumber ?? 'Shelf' },
  {
    ...{ key: 'quantity', header: 'Units', align: 'right', className: 'w-24 max-sm:w-20', sortBy: 'quantity' },
    cell: (row) => (row.capacity === null ? formatNumber(row.quantity) : `${row.quantity} of ${row.capacity}`),
  },
  {
    ...{ key: 'price', header: 'Price', align: 'right', className: 'w-24 max-sm:w-18', sortBy: 'price' },
    cell: (row) => (row.price === null ? 'Not set' : formatMoney(row.price)),
  },
];

function Places({ product: { id, places } }: { product: ProductCard }) {
  const { get, set } = useAddress();
  const sort = get('sort') ?? 'quantity';
  const list = useProductPlaces(id, { sort, page: get('page') });
  return (
    <Card
      title="Where It Is"
      count={formatNumber(places)}
      actions={<ExportButton exported={placesToExport(id, sort)} total={places} />}
    >
      {list.error && !list.data ? (
        <FailedPage list={list} title="Its locations did not load" />
      ) : (
        <PagedTable
          label="Where it is"
          page={list.data}
          waiting={list.isPlaceholderData}
          columns={columns}
          rowKey={(row) => row.key}
          sort={sort}
          onSort={(by) => set({ sort: by === 'quantity' ? null : by, page: null })}
          onPage={(page) => set({ page })}
          empty={<StateView icon="box" title="Nowhere yet" text="No slot and no market item holds it." />}
        />
      )}
    </Card>
  );
}

function placesText(places: number): string {
  return places === 1 ? 'In 1 slot or market item' : `In ${formatNumber(places)} slots and market items`;
}
