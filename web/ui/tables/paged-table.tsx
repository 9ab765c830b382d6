import { memo, type ReactNode } from 'react';
import { formatNumber } from '../../http/format.ts';
import { IconButton } from '../button.tsx';
import { usePrinted } from '../use-media.ts';
import { OrderChoice, type Orders } from './order-choice.tsx';
import { bodyCell, HeadCell, SkeletonBody, tableLook } from './table-parts.tsx';
import { useInSight } from './use-in-sight.ts';

export type PagedColumn<R> = {
  key: string;
  header: string;
  head?: ReactNode;
  cell: (row: R) => ReactNode;
  /** What the server sorts this column by; absent: it cannot be sorted. */
  sortBy?: string;
  /** What both directions are called, ascending first: on a phone, where some columns have no room, the order is chosen by these words. */
  orders?: Orders;
  align?: 'left' | 'right';
  className?: string;
};

type Page<R> = {
  rows: R[];
  total: number;
  isMore?: boolean | undefined;
  from: number;
  next: string | null;
  previous: string | null;
};

type Props<R> = {
  label: string;
  page: Page<R> | undefined;
  /** The next answer is on its way; what is shown belongs to the one before. */
  waiting: boolean;
  /** The same array as long as they are the same: then only rows that changed are drawn anew. */
  columns: readonly PagedColumn<R>[];
  rowKey: (row: R) => string | number;
  /** A name of the server's, with a minus before it for the largest first. */
  sort: string;
  onSort: (sort: string) => void;
  onPage: (cursor: string) => void;
  empty: ReactNode;
  /** Rows that are picked stand out. */
  isPicked?: (row: R) => boolean;
};

/** A table whose rows the server searches, sorts and pages: as fast with a hundred thousand of them. */
export function PagedTable<R>({
  label,
  page,
  waiting,
  columns,
  rowKey,
  empty,
  isPicked = nonePicked,
  ...rest
}: Props<R>) {
  const { sort, onSort, onPage } = rest;
  const isPrinted = usePrinted();
  const inSight = useInSight(page?.rows ?? none, rowKey);
  const { drawn, toCome } = isPrinted ? { drawn: page?.rows ?? none, toCome: 0 } : inSight;
  if (page && page.rows.length === 0) return <>{empty}</>;
  return (
    <>
      <OrderChoice
        columns={columns.map(({ header, sortBy, orders }) => ({ header, by: sortBy, orders }))}
        sort={sort}
        onSort={onSort}
      />
      <div className="overflow-x-auto">
        <table
          aria-label={label}
          aria-busy={!page || waiting}
          className={`${tableLook} ${waiting ? 'opacity-70' : ''}`}
        >
          <thead>
            <tr>
              {columns.map((column) => (
                <HeadCell
                  key={column.key}
                  column={column}
                  sorted={sortedAs(sort, column.sortBy)}
                  onSort={column.sortBy ? () => onSort(nextSort(sort, column.sortBy ?? '')) : null}
                />
              ))}
            </tr>
          </thead>
          <tbody>
            {drawn.map((row) => (
              <Row key={rowKey(row)} row={row} columns={columns} isPicked={isPicked(row)} />
            ))}
            {toCome > 0 && (
              <tr aria-hidden style={{ height: toCome * usualRowPx }}>
                <td colSpan={columns.length} />
              </tr>
            )}
            {!page && <SkeletonBody rows={5} columns={columns} />}
          </tbody>
        </table>
      </div>
      {page && <Pager page={page} onPage={onPage} />}
    </>
  );
}

const none: readonly never[] = [];
const nonePicked = (): boolean => false;
const usualRowPx = 56;

type RowProps<R> = { row: R; columns: readonly PagedColumn<R>[]; isPicked: boolean };

function TableRow<R>({ row, columns, isPicked }: RowProps<R>) {
  return (
    <tr className={`border-line border-b last:border-b-0 ${isPicked ? 'bg-accent-soft' : 'hover:bg-hover'}`}>
      {columns.map((column) => (
        <td
          key={column.key}
          className={`${bodyCell} first:pl-4 last:pr-4 ${column.align === 'right' ? 'text-right' : ''} ${column.className ?? ''}`}
        >
          {column.cell(row)}
        </td>
      ))}
    </tr>
  );
}

const Row = memo(TableRow) as typeof TableRow;

function sortedAs(sort: string, name: string | undefined): 'up' | 'down' | null {
  if (sort === name) return 'up';
  return name !== undefined && sort === `-${name}` ? 'down' : null;
}

function nextSort(sort: string, name: string): string {
  return sort === name ? `-${name}` : name;
}

type PagerProps<R> = { page: Page<R>; onPage: (cursor: string) => void };

function Pager<R>({ page, onPage }: PagerProps<R>) {
  const { rows, from, total, isMore, previous, next } = page;
  return (
    <div className="flex min-h-10 items-center justify-between border-line border-t px-4 text-12 text-text-3">
      <span aria-live="polite">
        Rows {formatNumber(from)}–{formatNumber(from + rows.length - 1)} of {isMore ? 'more than ' : ''}
        {formatNumber(total)}
        {(previous || next) && <span className="hidden print:inline">. The others are in an export of the table.</span>}
      </span>
      {(previous || next) && (
        <span className="flex print:hidden">
          <IconButton
            label="Previous page"
            icon="left"
            className="max-lg:h-12 max-lg:w-12"
            disabled={!previous}
            onClick={() => previous && onPage(previous)}
          />
          <IconButton
            label="Next page"
            icon="right"
            className="max-lg:h-12 max-lg:w-12"
            disabled={!next}
            onClick={() => next && onPage(next)}
          />
        </span>
      )}
    </div>
  );
}
