import type { LocationRef } from '../../domain/location.ts';
import { sentenceOf } from '../http/client.ts';
import { Button } from '../ui/button.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { StateView } from '../ui/state-view.tsx';
import { useVisits } from './api.ts';
import { VisitCard } from './visit-card.tsx';

/** What was done and noted at a location on past visits, newest first. The heading is the page's own. */
export function VisitHistory({ type, id }: LocationRef) {
  const { data, error, isPending, refetch, ...older } = useVisits({ type, id });
  if (isPending) return <SkeletonRows rows={5} className="h-24" />;
  const visits = data?.pages.flatMap((page) => page.visits) ?? [];
  const currency = data?.pages[0]?.currency ?? 'USD';
  return (
    <div className="grid">
      {data && visits.length === 0 && (
        <StateView
          icon="history"
          title="No visits yet"
          text="A visit is here once its first change is saved and sent."
        />
      )}
      {visits.length > 0 && (
        <ol aria-label="Past visits" className="grid">
          {visits.map((visit) => (
            <VisitCard key={visit.id} visit={visit} currency={currency} />
          ))}
        </ol>
      )}
      {error && (
        <div role="alert" className="grid justify-items-center gap-2 p-4 text-center">
          <p className="font-semibold">
            {older.isFetchNextPageError ? 'Older visits did not load' : 'Past visits did not load'}
          </p>
          <p className="text-text-2">{sentenceOf(error)}</p>
          <Button
            icon="refresh"
            className="max-lg:min-h-12"
            onClick={() => void (older.isFetchNextPageError ? older.fetchNextPage() : refetch())}
          >
            Try again
          </Button>
        </div>
      )}
      {older.hasNextPage && !error && (
        <Button
          className="m-4 max-lg:min-h-12"
          pending={older.isFetchingNextPage}
          pendingLabel="Loading..."
          onClick={() => void older.fetchNextPage()}
        >
          Show older visits
        </Button>
      )}
    </div>
  );
}
