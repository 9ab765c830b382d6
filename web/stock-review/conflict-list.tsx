import type { CountConflict } from '../../contract/stock-review.ts';
import { sentenceOf } from '../http/client.ts';
import { formatDateTime } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { NothingToSettle, rowClass, touch } from '../ui/row-to-settle.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useReopen, useSettle } from './api.ts';
import { More, placeAddress } from './review-parts.tsx';
import { firstThen, itemTitle, movedWords } from './wording.ts';

/** Items that two people counted differently within half an hour: which number holds? */
export function ConflictList({ total, rows }: { total: number; rows: readonly CountConflict[] }) {
  const onward = useFocusOnward();
  const reopen = useReopen();
  // Here, not in the row: by then the row is gone.
  const putBack = (id: number) => reopen.mutate(id, { onError: failed });
  return (
    <Card title="Counts that differ" count={total}>
      {rows.length === 0 && <NothingToSettle>No counts differ.</NothingToSettle>}
      <ul {...onward}>
        {rows.map((conflict) => (
          <Row key={conflict.id} conflict={conflict} onUndo={() => putBack(conflict.id)} />
        ))}
      </ul>
      <More total={total} shown={rows.length} />
    </Card>
  );
}

function failed(error: unknown): void {
  toast({ title: 'Not taken back', description: sentenceOf(error), variant: 'destructive' });
}

function Row({ conflict, onUndo }: { conflict: CountConflict; onUndo: () => void }) {
  const settle = useSettle();
  const keep = (side: 'first' | 'second') =>
    settle.mutate(
      { id: conflict.id, keep: side },
      {
        onSuccess: ({ quantity }) =>
          toast({
            title: 'Count settled',
            description: `${itemTitle(conflict)} holds ${quantity} now.`,
            action: { label: 'Undo', run: onUndo },
          }),
        onError: (error) => toast({ title: 'Not settled', description: sentenceOf(error), variant: 'destructive' }),
      },
    );
  return (
    <li className={rowClass}>
      <div className="min-w-0">
        <p className="font-medium">{itemTitle(conflict)}</p>
        <p className="text-text-2">
          <AppLink href={placeAddress(conflict.location)} className="hover:text-accent hover:underline">
            {conflict.place}
          </AppLink>
        </p>
      </div>
      <div className="grid grid-cols-2 gap-2">
        <Side
          conflict={conflict}
          side="first"
          quantity={firstThen(conflict)}
          pending={settle.isPending}
          onKeep={() => keep('first')}
        />
        <Side
          conflict={conflict}
          side="second"
          quantity={conflict.second.quantity}
          pending={settle.isPending}
          onKeep={() => keep('second')}
        />
      </div>
    </li>
  );
}

type SideProps = {
  conflict: CountConflict;
  side: 'first' | 'second';
  /** At the time of the later count. */
  quantity: number;
  pending: boolean;
  onKeep: () => void;
};

function Side({ conflict, side, quantity, pending, onKeep }: SideProps) {
  const made = conflict[side];
  const moved = side === 'first' ? movedWords(conflict) : null;
  return (
    <div className="grid content-between gap-2 rounded border border-line p-2">
      <div>
        <p className="font-semibold text-20">{made.quantity}</p>
        <p className="text-text-2">{made.person ?? 'Unknown person'}</p>
        {/* Two beside each other on a phone are narrow: the hour is not torn from its AM. */}
        <p className="text-text-2">{formatDateTime(made.at).replace(/ (?=[AP]M$)/, '\u00a0')}</p>
        {moved && <p className="text-12 text-text-3">{`${moved}: ${quantity} at the later count`}</p>}
        {side === 'second' && <p className="text-12 text-text-3">Counts now, being the later one</p>}
      </div>
      <Button pending={pending} onClick={onKeep} className={touch}>
        {`Keep ${quantity}`}
      </Button>
    </div>
  );
}
