import { useState } from 'react';
import type { Product } from '../../contract/products.ts';
import { useMay } from '../auth/api.ts';
import { ImportLink } from '../ui/address/import-link.tsx';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ClearFilters } from '../ui/clear-filters.tsx';
import { ExportButton } from '../ui/dialogs/export-button.tsx';
import { Select } from '../ui/forms/select.tsx';
import { StateView } from '../ui/state-view.tsx';
import { AddressSearch } from '../ui/tables/address-search.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { type Gap, gaps, type ProductFilter, useProductPage } from './api.ts';
import { productsToExport } from './export.ts';
import { MergeDialog } from './merge-dialog.tsx';
import { ProductForm } from './product-form.tsx';
import { ProductsTable } from './products-table.tsx';

const gapLabel: Record<Gap, string> = {
  all: 'All products',
  cost: 'Without cost',
  price: 'Without price',
  barcode: 'Without barcode',
};

/** The route manager's catalogue: complete what began as a name, and make one product of those known under several. */
export function ProductsScreen() {
  const { get, set } = useAddress();
  const [chosen, setOpened] = useState<'add' | 'merge' | null>(null);
  const [picked, setPicked] = useState<ReadonlyMap<number, Product>>(new Map());
  const mayWrite = useMay('office:write');
  const filter: ProductFilter = {
    search: get('q') ?? '',
    gaps: gaps.find((gap) => gap === get('gaps')) ?? 'all',
    sort: get('sort') ?? 'name',
  };
  const list = useProductPage(filter, get('page'));
  const isFiltered = filter.search !== '' || filter.gaps !== 'all';
  // An address may open the form itself.
  const opened = chosen ?? (get('add') ? 'add' : null);
  const close = (): void => {
    setOpened(null);
    if (get('add')) set({ add: null });
  };
  const add = mayWrite && (
    <Button variant="primary" icon="plus" onClick={() => setOpened('add')} className="max-lg:min-h-12">
      Add Product
    </Button>
  );
  return (
    <div className="grid min-w-0 gap-4 p-6 max-lg:p-4">
      <header className="flex flex-wrap items-center gap-2">
        <h1 className="mr-auto">Products</h1>
        <div className="flex flex-wrap gap-2">
          <ExportButton exported={productsToExport(filter)} total={list.data?.total} />
          {mayWrite && <ImportLink kind="products" />}
          {add}
        </div>
      </header>
      <Card>
        <div className="flex flex-wrap items-center gap-2 border-line border-b px-4 py-2">
          <div className="w-80 max-sm:w-full">
            <AddressSearch label="Search products" placeholder="Name, brand, category, barcode..." />
          </div>
          <Select
            label="Show"
            hideLabel
            value={filter.gaps}
            onChange={(value) => set({ gaps: value === 'all' ? null : value, page: null })}
            options={gaps.map((value) => ({ value, label: gapLabel[value] }))}
          />
          {picked.size > 0 && (
            <span className="ml-auto flex items-center gap-2">
              <span className="text-text-3">{picked.size} chosen</span>
              <Button onClick={() => setPicked(new Map())} className="max-lg:min-h-12">
                Clear
              </Button>
              <Button
                variant="primary"
                disabled={picked.size < 2}
                onClick={() => setOpened('merge')}
                className="max-lg:min-h-12"
              >
                Merge
              </Button>
            </span>
          )}
        </div>
        {list.error && !list.data ? (
          <FailedPage list={list} title="Products did not load" />
        ) : (
          <ProductsTable
            page={list.data}
            waiting={list.isPlaceholderData}
            sort={filter.sort}
            onSort={(sort) => set({ sort: sort === 'name' ? null : sort, page: null })}
            onPage={(page) => set({ page })}
            picked={mayWrite ? picked : null}
            onPick={setPicked}
            empty={
              <StateView
                icon="box"
                title={isFiltered ? 'No product matches' : 'No products yet'}
                text={
                  isFiltered
                    ? 'Search for something else, or clear the filters.'
                    : 'Add the first one, or import your list with the button above.'
                }
                action={isFiltered ? <ClearFilters onClear={() => set({ q: null, gaps: null, page: null })} /> : add}
              />
            }
          />
        )}
      </Card>
      {opened === 'add' && <ProductForm product={null} onClose={close} />}
      {opened === 'merge' && (
        <MergeDialog products={[...picked.values()]} onClose={close} onDone={() => setPicked(new Map())} />
      )}
    </div>
  );
}
