import type { ReactNode } from 'react';
import { sentenceOf } from '../http/client.ts';
import { countOf, formatNumber } from '../http/format.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Button } from '../ui/button.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { NothingToSettle, rowClass, touch } from '../ui/row-to-settle.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedPage } from '../ui/tables/failed-page.tsx';
import { type ToastMessage, toast } from '../ui/toasts/toast.ts';

export function failed(error: unknown): void {
  toast({ title: 'Not done', description: sentenceOf(error), variant: 'destructive' });
}

/** Says what came of a decision. Its row is often gone by then, and what a row is told after that is lost. */
export function sayWhenDone<D>(decision: Promise<D>, inWords: (done: D) => ToastMessage): void {
  decision.then((done) => toast(inWords(done)), failed);
}

/** What came of a decision, in words. */
export function bookedInWords({ booked = 0, held = 0 }: { booked?: number; held?: number }): string {
  if (booked === 0 && held === 0) return 'No sale waited for it.';
  return held > 0
    ? `${countOf(booked, 'sale')} booked, ${countOf(held, 'sale')} still held.`
    : `${countOf(booked, 'sale')} booked.`;
}

type Page<R> = { rows: R[]; total: number; from: number; next: string | null; previous: string | null };
type Query<R> = { data: Page<R> | undefined; error: Error | null; refetch: () => unknown };

type Props<R> = {
  /** Reads the page behind a cursor; null is the first. A hook: called in every render. */
  usePage: (page: string | null) => Query<R>;
  /** What the rows are called, for when they do not load. */
  label: string;
  empty: string;
  children: (row: R) => ReactNode;
};

/** A list that waits for a person, page by page, with its empty, loading and failed states. */
export function PagedList<R extends { id: number }>({ usePage, label, empty, children }: Props<R>) {
  const { get, set } = useAddress();
  const page = get('page');
  const setPage = (next: string | null): void => set({ page: next });
  const { data, error, refetch } = usePage(page);
  const onward = useFocusOnward();
  if (error && !data) {
    return <FailedPage list={{ error, refetch }} title={`${label} did not load`} />;
  }
  if (!data) return <SkeletonRows rows={5} className="m-4 h-16" />;
  if (data.rows.length === 0 && page !== null) return <Turn data={data} onPage={setPage} />;
  if (data.rows.length === 0) return <NothingToSettle>{empty}</NothingToSettle>;
  return (
    <>
      <ul {...onward}>
        {data.rows.map((row) => (
          <li key={row.id} className={rowClass}>
            {children(row)}
          </li>
        ))}
      </ul>
      <Turn data={data} onPage={setPage} />
    </>
  );
}

function Turn<R>({ data, onPage }: { data: Page<R>; onPage: (page: string | null) => void }) {
  const { rows, total, from, next, previous } = data;
  if (next === null && previous === null && rows.length > 0) return null;
  const last = from + rows.length - 1;
  return (
    <footer className="flex flex-wrap items-center justify-end gap-2 border-line border-t px-4 py-2">
      <span className="mr-auto text-12 text-text-3">
        {rows.length === 0
          ? 'All of these are settled.'
          : `${formatNumber(from)} to ${formatNumber(last)} of ${formatNumber(total)}`}
      </span>
      <Button disabled={previous === null && rows.length > 0} onClick={() => onPage(previous)} className={touch}>
        Previous
      </Button>
      <Button disabled={next === null} onClick={() => onPage(next)} className={touch}>
        Next
      </Button>
    </footer>
  );
}
