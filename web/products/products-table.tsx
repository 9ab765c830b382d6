import { type ReactNode, useMemo } from 'react';
import type { Product } from '../../contract/products.ts';
import { formatMoney } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { ProductPicture } from '../ui/product-picture.tsx';
import { byName, byNumber } from '../ui/tables/order-choice.tsx';
import { type PagedColumn, PagedTable } from '../ui/tables/paged-table.tsx';
import type { useProductPage } from './api.ts';
import { marginText } from './margin-text.ts';

type Picked = ReadonlyMap<number, Product>;

type Props = {
  page: ReturnType<typeof useProductPage>['data'];
  waiting: boolean;
  sort: string;
  onSort: (sort: string) => void;
  onPage: (cursor: string) => void;
  /** What is chosen for a merge; null where this person may not merge. */
  picked: Picked | null;
  onPick: (picked: Picked) => void;
  empty: ReactNode;
};

export function ProductsTable({ picked, onPick, ...rest }: Props) {
  const columns = useMemo(
    (): PagedColumn<Product>[] => (picked ? [pickColumn(picked, onPick), ...shown] : shown),
    [picked, onPick],
  );
  return <PagedTable label="Products" columns={columns} rowKey={(row) => row.id} {...rest} />;
}

function pickColumn(picked: Picked, onPick: (picked: Picked) => void): PagedColumn<Product> {
  return {
    key: 'pick',
    header: 'Pick',
    className: 'w-12 print:hidden',
    cell: (row) => (
      <label className="grid size-8 items-center justify-items-start max-lg:size-12">
        <span className="sr-only">Choose {row.name}</span>
        <input
          type="checkbox"
          className="size-4 accent-accent"
          checked={picked.has(row.id)}
          onChange={({ target }) => {
            const next = new Map(picked);
            if (target.checked) next.set(row.id, row);
            else next.delete(row.id);
            onPick(next);
          }}
        />
      </label>
    ),
  };
}

const missing = <span className="text-text-3">Not set</span>;

const shown: PagedColumn<Product>[] = [
  {
    ...{ key: 'name', header: 'Product', sortBy: 'name', orders: byName },
    cell: (row) => (
      <span className="flex items-center gap-2">
        <ProductPicture productId={row.id} picture={row.picture} size={32} />
        <AppLink
          href={`/products/${row.id}`}
          className="text-link whitespace-normal font-medium max-lg:py-1 lg:truncate"
        >
          {row.name}
        </AppLink>
      </span>
    ),
  },
  {
    ...{ key: 'brand', header: 'Brand', sortBy: 'brand', orders: byName, className: 'w-36 max-xl:hidden' },
    cell: (row) => row.brand ?? missing,
  },
  {
    ...{ key: 'category', header: 'Category', sortBy: 'category', orders: byName, className: 'w-40 max-md:hidden' },
    cell: (row) => row.category ?? missing,
  },
  {
    ...{
      key: 'price',
      header: 'Price',
      align: 'right',
      sortBy: 'price',
      orders: byNumber,
      className: 'w-24 max-sm:w-22 max-sm:pr-4',
    },
    cell: (row) => (row.unitPrice === null ? missing : formatMoney(row.unitPrice)),
  },
  {
    ...{
      key: 'cost',
      header: 'Cost',
      align: 'right',
      sortBy: 'cost',
      orders: byNumber,
      className: 'w-24 max-sm:hidden',
    },
    cell: (row) => (row.unitCost === null ? missing : formatMoney(row.unitCost)),
  },
  {
    ...{
      key: 'margin',
      header: 'Margin',
      align: 'right',
      sortBy: 'margin',
      orders: byNumber,
      className: 'w-20 max-xl:pr-4 max-lg:hidden',
    },
    cell: marginText,
  },
  {
    ...{ key: 'case', header: 'Case', align: 'right', className: 'w-16 max-[87rem]:pr-4 max-xl:hidden' },
    cell: (row) => row.caseSize ?? missing,
  },
  {
    ...{ key: 'barcodes', header: 'Barcodes', className: 'w-44 max-[87rem]:hidden' },
    cell: ({ barcodes }) => {
      const [first, ...more] = barcodes;
      return first === undefined ? missing : `${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
    },
  },
];
