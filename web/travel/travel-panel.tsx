import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { memo, type ReactNode, useState } from 'react';
import type { Reply } from '../../contract/endpoint.ts';
import { getTravelEstimate, learnTravelEstimate, resetTravelEstimate } from '../../contract/roads.ts';
import { useMay } from '../auth/api.ts';
import { call, sentenceOf } from '../http/client.ts';
import { formatDate } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/dialog.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { FailedView } from '../ui/state-view.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { bandNames, errorText, legsText, outcomeTexts, sourceTexts, speedText } from './wording.ts';

type State = Reply<typeof getTravelEstimate>;

/** Where driving times come from and how exact they are, for those who plan by them. */
export const TravelPanel = memo(function TravelPanel() {
  const state = useQuery(queryFor(getTravelEstimate, {}));
  const mayWrite = useMay('office:write');
  const { data } = state;
  return (
    <Card title="How travel times are made" actions={data && mayWrite && <Actions isLearned={data.learned !== null} />}>
      {state.error && !data && (
        <FailedView error={state.error} retry={() => void state.refetch()} title="Travel times did not load" />
      )}
      {state.isPending && <SkeletonRows rows={3} className="h-8" />}
      {data && <Figures state={data} />}
    </Card>
  );
});

function Figures({ state: { source, detourFactor, speedsKmh, learned } }: { state: State }) {
  const [town, around, beyond] = speedsKmh;
  const [first, second, third] = bandNames();
  return (
    <>
      <p className="px-4 pt-3 text-text-2">{sourceTexts[source]}</p>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(8.75rem,1fr))] gap-4 p-4">
        <Figure name="Detour factor" value={detourFactor.toFixed(2)} detail="road over straight line" />
        <Figure name={first} value={speedText(town)} />
        <Figure name={second} value={speedText(around)} />
        <Figure name={third} value={speedText(beyond)} />
        {learned && (
          <>
            <Figure
              name="Error before"
              value={errorText(learned.errorBeforeMin)}
              detail="mean of a leg, usual figures"
            />
            <Figure
              name="Error after"
              value={errorText(learned.errorAfterMin)}
              detail="mean of a leg, learned figures"
            />
            <Figure name="Learned from" value={legsText(learned.legs)} detail={`on ${formatDate(learned.fittedAt)}`} />
          </>
        )}
      </dl>
      {!learned && (
        <p className="px-4 pb-4 text-12 text-text-3">
          Usual figures of cities. Completed routes teach better ones every night, from 30 legs on.
        </p>
      )}
    </>
  );
}

function Figure({ name, value, detail }: { name: string; value: ReactNode; detail?: string }) {
  return (
    <div>
      <dt className="text-12 text-text-3">{name}</dt>
      <dd className="font-semibold tabular-nums">{value}</dd>
      {detail && <dd className="text-12 text-text-3">{detail}</dd>}
    </div>
  );
}

function Actions({ isLearned }: { isLearned: boolean }) {
  const client = useQueryClient();
  const [asking, setAsking] = useState(false);
  const show = (state: State) => client.setQueryData(queryFor(getTravelEstimate, {}).queryKey, state);
  const learn = useMutation({
    mutationFn: () => call(learnTravelEstimate, {}),
    onSuccess: ({ outcome, ...state }) => {
      show(state);
      toast(outcomeTexts[outcome]);
    },
    onError: (error) => toast({ title: 'Nothing learned', description: sentenceOf(error), variant: 'destructive' }),
  });
  const reset = useMutation({
    mutationFn: () => call(resetTravelEstimate, {}),
    onSuccess: (state) => {
      show(state);
      setAsking(false);
      toast({ title: 'Usual figures', description: 'The next night learns from completed routes again.' });
    },
    onError: (error) => toast({ title: 'Nothing reset', description: sentenceOf(error), variant: 'destructive' }),
  });
  return (
    <>
      {isLearned && (
        <Button variant="quiet" className="max-lg:min-h-12" onClick={() => setAsking(true)}>
          Reset
        </Button>
      )}
      <Button
        className="max-lg:min-h-12"
        pending={learn.isPending}
        pendingLabel="Learning..."
        onClick={() => learn.mutate()}
      >
        Learn Now
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Go back to the usual figures?"
        confirmLabel="Reset"
        onConfirm={() => reset.mutate()}
        pending={reset.isPending}
      >
        What was learned from completed routes is forgotten. New plans are timed by the usual figures; routes already
        planned keep their times.
      </ConfirmDialog>
    </>
  );
}
