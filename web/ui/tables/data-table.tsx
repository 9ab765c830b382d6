import { type ReactNode, useMemo, useState } from 'react';
import { formatNumber } from '../../http/format.ts';
import { useAddress } from '../address/use-address.ts';
import { IconButton } from '../button.tsx';
import { usePrinted } from '../use-media.ts';
import { OrderChoice, type Orders } from './order-choice.tsx';
import { bodyCell, HeadCell, SkeletonBody, tableLook } from './table-parts.tsx';

export type Column<R> = {
  key: string;
  header: string;
  cell: (row: R) => ReactNode;
  /** Present: the column can be sorted. */
  sortValue?: (row: R) => string | number;
  /** What both directions are called: on a phone, where some columns have no room, the order is chosen by these words. */
  orders?: Orders;
  align?: 'left' | 'right';
  /** For hiding at sizes and for widths, e.g. `max-lg:hidden w-40`. */
  className?: string;
};

type Sort = { key: string; down: boolean };

/** Rows in the order that is chosen in the head of a table. */
export type Sorting<R> = { sorted: readonly R[] | undefined; sort: Sort | null; setSort: (sort: Sort) => void };

/** For whoever shows a table and also does something else with its rows in their order. */
export function useSorting<R>(
  rows: readonly R[] | undefined,
  columns: readonly Column<R>[],
  { first, name }: { first?: Sort | undefined; name?: string | undefined },
): Sorting<R> {
  const { get, set } = useAddress();
  const [own, setOwn] = useState<Sort | null>(first ?? null);
  const kept = name ? get(`${name}-sort`) : null;
  const sort = useMemo(() => (kept === null ? own : sortOf(kept)), [kept, own]);
  const setSort = (next: Sort): void => {
    if (name) set({ [`${name}-sort`]: textOf(next), [`${name}-page`]: null });
    else setOwn(next);
  };
  const sorted = useMemo(() => sortRows(rows, columns, sort), [rows, columns, sort]);
  return { sorted, sort, setSort };
}

/** As in addresses of lists that the server sorts: a minus before it for the largest first. */
const textOf = (sort: Sort | null): string => (sort ? `${sort.down ? '-' : ''}${sort.key}` : '');
const sortOf = (text: string): Sort => ({ key: text.replace(/^-/, ''), down: text.startsWith('-') });

type Props<R> = {
  label: string;
  /** Under which the address keeps its order and its page; without it nothing of them is shared. */
  name?: string;
  rows: readonly R[] | undefined;
  columns: readonly Column<R>[];
  rowKey: (row: R) => string | number;
  /** Shown when there are no rows. */
  empty: ReactNode;
  pageSize?: number;
  skeletonRows?: number;
  initialSort?: Sort;
  /** Where the caller holds the order; without it the table does. */
  sorting?: Sorting<R>;
};

/** A table with sorting and paging; only a page of rows is in the document, but on paper all are. */
export function DataTable<R>({
  label,
  name,
  rows,
  columns,
  rowKey,
  empty,
  pageSize = 25,
  skeletonRows = 5,
  initialSort,
  sorting,
}: Props<R>) {
  const own = useSorting(sorting ? undefined : rows, columns, { first: initialSort, name });
  const { sorted, sort, setSort } = sorting ?? own;
  const { page, setPage } = usePageOf(name);
  const isPrinted = usePrinted();
  if (sorted && sorted.length === 0) return <>{empty}</>;
  const pages = Math.max(1, Math.ceil((sorted?.length ?? 0) / pageSize));
  const at = Math.min(page, pages - 1);
  const shown = isPrinted ? sorted : sorted?.slice(at * pageSize, (at + 1) * pageSize);
  return (
    <>
      <OrderChoice
        columns={columns.map(({ key, header, sortValue, orders }) => ({ header, by: sortValue && key, orders }))}
        sort={textOf(sort)}
        onSort={(text) => setSort(sortOf(text))}
      />
      <div className="overflow-x-auto">
        <table aria-label={label} aria-busy={!rows} className={tableLook}>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeadCell
                  key={column.key}
                  column={column}
                  sorted={sort?.key === column.key ? directionOf(sort) : null}
                  onSort={
                    column.sortValue
                      ? () => setSort({ key: column.key, down: sort?.key === column.key ? !sort.down : false })
                      : null
                  }
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown?.map((row) => (
              <tr key={rowKey(row)} className="border-line border-b last:border-b-0 hover:bg-hover">
                {columns.map((column) => (
                  <td
                    key={column.key}
                    className={`${bodyCell} first:pl-4 last:pr-4 ${column.align === 'right' ? 'text-right' : ''} ${column.className ?? ''}`}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
            {!shown && <SkeletonBody rows={skeletonRows} columns={columns} />}
          </tbody>
        </table>
      </div>
      {sorted && sorted.length > pageSize && !isPrinted && (
        <Pager at={at} pageSize={pageSize} total={sorted.length} onPage={setPage} />
      )}
    </>
  );
}

/** Counted from 0; in the address from 1, as people do. */
function usePageOf(name: string | undefined): { page: number; setPage: (page: number) => void } {
  const { get, set } = useAddress();
  const [own, setOwn] = useState(0);
  if (!name) return { page: own, setPage: setOwn };
  const asked = Math.floor(Number(get(`${name}-page`) ?? 1)) - 1;
  return {
    page: asked > 0 ? asked : 0,
    setPage: (page) => set({ [`${name}-page`]: page === 0 ? null : String(page + 1) }),
  };
}

const directionOf = ({ down }: Sort): 'up' | 'down' => (down ? 'down' : 'up');

function sortRows<R>(
  rows: readonly R[] | undefined,
  columns: readonly Column<R>[],
  sort: Sort | null,
): readonly R[] | undefined {
  const sortValue = columns.find((column) => column.key === sort?.key)?.sortValue;
  if (!rows || !sort || !sortValue) return rows;
  const sign = sort.down ? -1 : 1;
  return [...rows].sort((a, b) => {
    const [x, y] = [sortValue(a), sortValue(b)];
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y);
    return sign * String(x).localeCompare(String(y), 'en', { numeric: true });
  });
}

type PagerProps = { at: number; pageSize: number; total: number; onPage: (page: number) => void };

function Pager({ at, pageSize, total, onPage }: PagerProps) {
  const last = Math.min(total, (at + 1) * pageSize);
  return (
    <div className="flex min-h-10 items-center justify-between border-line border-t px-4 text-12 text-text-3">
      <span aria-live="polite">
        Rows {formatNumber(at * pageSize + 1)}–{formatNumber(last)} of {formatNumber(total)}
      </span>
      <span className="flex">
        <IconButton
          label="Previous page"
          icon="left"
          className="max-lg:h-12 max-lg:w-12"
          disabled={at === 0}
          onClick={() => onPage(at - 1)}
        />
        <IconButton
          label="Next page"
          icon="right"
          className="max-lg:h-12 max-lg:w-12"
          disabled={last >= total}
          onClick={() => onPage(at + 1)}
        />
      </span>
    </div>
  );
}
