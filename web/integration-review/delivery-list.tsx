import type { DeliveryTold, Replayed } from '../../contract/integration-review.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { formatDateTime, formatNumber } from '../http/format.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/select.tsx';
import { toast } from '../ui/toast.ts';
import { useAddress } from '../ui/use-address.ts';
import { useAllDeliveries, useDeadDeliveries, useReplay, useWaitingDeliveries } from './api.ts';
import { failed, PagedList, touch } from './parts.tsx';

const states: Record<DeliveryTold['status'], { tone: Tone; label: string }> = {
  pending: { tone: 'run', label: 'Waiting' },
  done: { tone: 'ok', label: 'Processed' },
  dead: { tone: 'bad', label: 'Failed' },
};
const choices = ['dead', 'pending', 'all'] as const;
const pages = { dead: useDeadDeliveries, pending: useWaitingDeliveries, all: useAllDeliveries };
const empties = { dead: 'No message failed.', pending: 'No message waits.', all: 'No message came in yet.' };

/** Messages that partner systems sent by themselves, and what came of each. */
export function DeliveryList() {
  const address = useAddress();
  const status = choices.find((one) => one === address.get('messages')) ?? 'dead';
  return (
    <>
      <div className="px-4 py-3">
        <Select
          label="Show"
          className="w-48"
          value={status}
          onChange={(next) => address.set({ messages: next })}
          options={[
            { value: 'dead', label: 'Failed messages' },
            { value: 'pending', label: 'Waiting messages' },
            { value: 'all', label: 'All messages' },
          ]}
        />
      </div>
      <PagedList key={status} usePage={pages[status]} empty={empties[status]}>
        {(delivery) => <DeliveryRow delivery={delivery} />}
      </PagedList>
    </>
  );
}

function outcomeOf({ error, repeats, status }: DeliveryTold): string {
  if (error) return error;
  const end = status === 'done' ? 'processed once' : 'not processed yet';
  return repeats > 0 ? `Told ${formatNumber(repeats + 1)} times, ${end}.` : `${end[0]?.toUpperCase()}${end.slice(1)}.`;
}

function replayedInWords({ status, error }: Replayed) {
  if (status === 'done') return { title: 'Replayed', description: 'The message is processed.' };
  const why = error ?? 'It is not processed yet.';
  return status === 'dead'
    ? { title: 'Failed again', description: why, variant: 'destructive' as const }
    : { title: 'Failed for now', description: `${why} It is tried again by itself.`, variant: 'destructive' as const };
}

function DeliveryRow({ delivery }: { delivery: DeliveryTold }) {
  const { id, system, configName, eventType, receivedAt, attempts, status, canReplay } = delivery;
  const replay = useReplay();
  return (
    <>
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {eventType} <Badge tone={states[status].tone}>{states[status].label}</Badge>
        </p>
        <p className="text-text-2">{formatDateTime(receivedAt)}</p>
        <p className="text-text-3">{`${systemLabel[system]}, ${configName}`}</p>
      </div>
      <div className="grid content-between gap-2">
        <p>{outcomeOf(delivery)}</p>
        {status === 'pending' && attempts > 0 && (
          <p className="text-text-3">{`Tried ${formatNumber(attempts)} times so far`}</p>
        )}
        {canReplay && (
          <Button
            pending={replay.isPending}
            onClick={() =>
              replay.mutate(id, {
                onSuccess: (done) => toast(replayedInWords(done)),
                onError: failed,
              })
            }
            className={`justify-self-start ${touch}`}
          >
            Replay
          </Button>
        )}
      </div>
    </>
  );
}
