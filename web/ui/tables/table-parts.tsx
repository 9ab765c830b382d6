import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';
import { Skeleton } from '../skeleton.tsx';

type Head = {
  key: string;
  header: string;
  /** Stands for the words of the head, such as a box that picks every row. */
  head?: ReactNode;
  align?: 'left' | 'right';
  className?: string;
};

/** On a phone names wrap: their lines get room between them and above and below. */
export const bodyCell = 'h-12 truncate px-2 max-sm:py-1.5 max-sm:leading-5.5';

/** Words right of figures stand away from them: two columns that touch read as one. */
export const tableLook =
  'w-full table-fixed border-collapse print:table-auto md:[&_:is(th,td).text-right+:is(th,td):not(.text-right)]:pl-6';

type HeadProps = { column: Head; sorted: 'up' | 'down' | null; onSort: (() => void) | null };

/** Browsers repeat the head of a table on each sheet, but no button in it. */
const onPaper = 'print:before:content-[attr(data-head)]';

/** A column's head; pressed, it sorts. */
export function HeadCell({ column, sorted, onSort }: HeadProps) {
  const direction = sorted === 'down' ? 'descending' : 'ascending';
  const arrow = sorted && { up: ' ↑', down: ' ↓' }[sorted];
  return (
    <th
      scope="col"
      aria-sort={sorted ? direction : undefined}
      data-head={`${column.header}${arrow ?? ''}`}
      className={`${onPaper} h-8 py-0! whitespace-nowrap border-line border-b bg-subtle px-2 font-medium text-12 text-text-3 first:pl-4 last:pr-4 ${column.align === 'right' ? 'text-right' : 'text-left'} ${column.className ?? ''}`}
    >
      {onSort ? (
        <button
          type="button"
          className={`inline-flex h-8 items-center gap-1 hover:text-text print:hidden max-lg:h-12 max-lg:min-w-11 ${column.align === 'right' ? 'justify-end' : ''}`}
          onClick={onSort}
        >
          {column.header}
          {sorted && <Icon name={sorted} size={10} />}
        </button>
      ) : (
        (column.head ?? <span className="print:hidden">{column.header}</span>)
      )}
    </th>
  );
}

/** Rows of the size of what comes. */
export function SkeletonBody({ rows, columns }: { rows: number; columns: readonly Head[] }) {
  return Array.from({ length: rows }, (_, n) => (
    <tr key={`placeholder-${n + 1}`} data-placeholder className="border-line border-b last:border-b-0">
      {columns.map((column) => (
        <td key={column.key} className={`h-12 px-2 first:pl-4 last:pr-4 ${column.className ?? ''}`}>
          <Skeleton className="h-4" />
        </td>
      ))}
    </tr>
  ));
}
