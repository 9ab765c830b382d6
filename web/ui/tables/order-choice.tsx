import { Select } from '../forms/select.tsx';

/** What both directions of a column are called, ascending first. */
export type Orders = readonly [up: string, down: string];

export const byName: Orders = ['A to Z', 'Z to A'];
export const byTime: Orders = ['oldest first', 'newest first'];
export const byNumber: Orders = ['lowest first', 'highest first'];

type Ordered = { header: string; by: string | undefined; orders: Orders | undefined };
type Props = { columns: readonly Ordered[]; sort: string; onSort: (sort: string) => void };

/** The order on a phone, where some columns have no room; for tables whose columns say what theirs are called. */
export function OrderChoice({ columns, sort, onSort }: Props) {
  const options = columns.flatMap(({ header, by, orders }) =>
    by && orders ? orders.map((word, n) => ({ value: n ? `-${by}` : by, label: `${header}: ${word}` })) : [],
  );
  if (options.length === 0) return null;
  const choices = sort === '' ? [{ value: '', label: 'As they came' }, ...options] : options;
  return (
    <div className="border-line border-b px-4 py-2 md:hidden print:hidden">
      <Select label="Sort by" value={sort} onChange={onSort} options={choices} />
    </div>
  );
}
