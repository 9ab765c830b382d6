import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Card } from '../ui/card.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';

type Props<T> = {
  title: string;
  query: UseQueryResult<T>;
  /** Height of the placeholder's rows, so that nothing jumps. */
  row: string;
  actions?: ReactNode;
  className?: string;
  children: (data: T) => ReactNode;
};

/** A section with data of its own: what was measured last stays when a later try fails, and says so. */
export function Section<T>({ title, query, row, actions, className = '', children }: Props<T>) {
  const { data, error } = query;
  return (
    <Card title={title} actions={actions} className={className}>
      {data === undefined && !error && <SkeletonRows rows={5} className={row} />}
      {data === undefined && error && (
        <FailedView error={error} retry={() => void query.refetch()} title={`${title} did not load`} />
      )}
      {data !== undefined && error && (
        <p role="status" className="border-line border-b bg-warn-soft px-4 py-2 text-warn-text">
          The newest try failed; this is what was measured before.
        </p>
      )}
      {data !== undefined && children(data)}
    </Card>
  );
}
