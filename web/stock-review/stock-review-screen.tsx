import { Card } from '../ui/card.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { useReview } from './api.ts';
import { ConflictList } from './conflict-list.tsx';
import { HeldList, LeftOutList } from './held-list.tsx';

/** A route manager, from the dashboard: what the phones sent that a person has to decide about. */
export function StockReviewScreen() {
  const review = useReview();
  return (
    <div className="grid gap-4 p-6 max-lg:p-4">
      <h1>Counts to Review</h1>
      {review.error && !review.data && (
        <FailedView error={review.error} retry={() => void review.refetch()} title="Counts to review did not load" />
      )}
      {review.isPending && <Placeholder />}
      {review.data && (
        <>
          <ConflictList {...review.data.conflicts} />
          <HeldList {...review.data.held} />
          <LeftOutList {...review.data.leftOut} />
        </>
      )}
    </div>
  );
}

function Placeholder() {
  return (
    <div role="status" aria-label="Loading the counts to review" className="grid gap-4">
      <Card title="Counts that differ">
        <Skeleton className="m-4 h-24" />
      </Card>
      <Card title="Changes that were not booked">
        <Skeleton className="m-4 h-24" />
      </Card>
    </div>
  );
}
