import { useState } from 'react';
import type { DeliveryContent as Content, DeliveryTold, Replayed } from '../../contract/integration-review.ts';
import { systemLabel } from '../../domain/integration-labels.ts';
import { sentenceOf } from '../http/client.ts';
import { countOf, formatDateTime, formatMoney, formatNumber } from '../http/format.ts';
import { useAddress } from '../ui/address/use-address.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Select } from '../ui/forms/select.tsx';
import { touch } from '../ui/row-to-settle.tsx';
import {
  useAllDeliveries,
  useDeadDeliveries,
  useDeliveryContent,
  useLeftOutDeliveries,
  useReplay,
  useWaitingDeliveries,
} from './api.ts';
import { LeaveOut, LeftOut, TakeBack } from './leave-out.tsx';
import { PagedList, sayWhenDone } from './parts.tsx';

const states: Record<DeliveryTold['status'], { tone: Tone; label: string }> = {
  pending: { tone: 'run', label: 'Waiting' },
  done: { tone: 'ok', label: 'Processed' },
  dead: { tone: 'bad', label: 'Failed' },
  left_out: { tone: 'idle', label: 'Left out' },
};
const choices = ['dead', 'pending', 'left_out', 'all'] as const;
const pages = {
  dead: useDeadDeliveries,
  pending: useWaitingDeliveries,
  left_out: useLeftOutDeliveries,
  all: useAllDeliveries,
};
const empties = {
  dead: 'No message failed.',
  pending: 'No message waits.',
  left_out: 'No message is left out.',
  all: 'No message came in yet.',
};

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
          onChange={(next) => address.set({ messages: next, page: null })}
          options={[
            { value: 'dead', label: 'Failed messages' },
            { value: 'pending', label: 'Waiting messages' },
            { value: 'left_out', label: 'Left out messages' },
            { value: 'all', label: 'All messages' },
          ]}
        />
      </div>
      <PagedList key={status} usePage={pages[status]} label="Messages" empty={empties[status]}>
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
  const [isOpen, setOpen] = useState(false);
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
          <p className="text-text-3">{`Tried ${countOf(attempts, 'time')} so far`}</p>
        )}
        {status === 'left_out' && <LeftOut delivery={delivery} />}
        {status === 'dead' && (
          <p className="text-text-3">
            {canReplay
              ? 'It is not tried again by itself: replay it when the cause is gone, or leave it out.'
              : 'Its content was kept for 30 days, so it cannot be replayed any more: leave it out.'}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {canReplay && (
            <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className={touch}>
              {isOpen ? 'Hide content' : 'Show content'}
            </Button>
          )}
          <Choice delivery={delivery} />
        </div>
        {isOpen && <DeliveryContent id={id} />}
      </div>
    </>
  );
}

function Choice({ delivery: { id, status, canReplay }, delivery }: { delivery: DeliveryTold }) {
  const replay = useReplay();
  if (status === 'left_out') return <TakeBack id={id} />;
  return (
    <>
      {canReplay && (
        <Button
          pending={replay.isPending}
          onClick={() => sayWhenDone(replay.mutateAsync(id), replayedInWords)}
          className={touch}
        >
          Replay
        </Button>
      )}
      {status === 'dead' && <LeaveOut delivery={delivery} />}
    </>
  );
}

/** What came: its sales where it can be read, and the text as received. */
function DeliveryContent({ id }: { id: number }) {
  const { data, error } = useDeliveryContent(id);
  if (error) return <p className="text-bad-text">{sentenceOf(error)}</p>;
  if (!data) return <p className="text-text-3">Loading…</p>;
  return (
    <div className="grid min-w-0 gap-2">
      {data.sales.length > 0 && (
        <ul>
          {data.sales.map((sale) => (
            <li key={JSON.stringify(sale)}>{saleInWords(sale)}</li>
          ))}
        </ul>
      )}
      {data.text === null ? (
        <p className="text-text-3">It is a file, not a text.</p>
      ) : (
        <pre className="max-h-80 overflow-auto whitespace-pre-wrap break-all rounded-s bg-subtle p-3 text-12">
          {data.text}
        </pre>
      )}
      {data.isShortened && <p className="text-text-3">Only its beginning is shown.</p>}
    </div>
  );
}

function saleInWords({ deviceId, productName, amount, currency, soldAt }: Content['sales'][number]): string {
  const what = `${productName ?? 'Unnamed product'}, ${formatMoney(amount, currency)}`;
  return `${what}, ${deviceId ? `device ${deviceId}` : 'device not told'}, ${formatDateTime(soldAt)}`;
}
