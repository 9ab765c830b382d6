import type { ReactNode } from 'react';
import type { HeldEvent } from '../../contract/stock-review.ts';
import { sentenceOf } from '../http/client.ts';
import { formatDateTime } from '../http/format.ts';
import { AppLink } from '../ui/address/app-link.tsx';
import { Flag } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useFocusOnward } from '../ui/focus-onward.ts';
import { NothingToSettle, rowClass, touch } from '../ui/row-to-settle.tsx';
import { toast } from '../ui/toasts/toast.ts';
import { useDecide } from './api.ts';
import { More, placeAddress } from './review-parts.tsx';
import { heldTitle, isTooMuch } from './wording.ts';

type ListProps = { total: number; rows: readonly HeldEvent[] };

/** What phones sent and was not booked: right after all, or to be left out? */
export function HeldList({ total, rows }: ListProps) {
  const undo = useDecide();
  const onward = useFocusOnward();
  // Here, not in the row: by then the row is gone.
  const putBack = (eventId: string) => undo.mutate({ eventId, verb: 'reopen' }, { onError: failed });
  return (
    <Card title="Changes that were not booked" count={total}>
      {rows.length === 0 && <NothingToSettle>No change from the phones waits for a decision.</NothingToSettle>}
      <ul {...onward}>
        {rows.map((held) => (
          <Row key={held.eventId} held={held}>
            <Choice held={held} onUndo={() => putBack(held.eventId)} />
          </Row>
        ))}
      </ul>
      <More total={total} shown={rows.length} />
    </Card>
  );
}

/** What was left out lately; nothing is drawn where nothing was. */
export function LeftOutList({ total, rows }: ListProps) {
  const onward = useFocusOnward();
  if (rows.length === 0) return null;
  return (
    <Card title="Left out in the last 14 days" count={total}>
      <ul {...onward}>
        {rows.map((held) => (
          <Row key={held.eventId} held={held}>
            <PutBack held={held} />
          </Row>
        ))}
      </ul>
      {total > rows.length && (
        <p className="border-line border-t px-4 py-2 text-12 text-text-3">{`The latest ${rows.length} are listed.`}</p>
      )}
    </Card>
  );
}

function failed(error: unknown): void {
  toast({ title: 'Not done', description: sentenceOf(error), variant: 'destructive' });
}

/** The decision stands beneath what the driver was told. */
function Row({ held, children }: { held: HeldEvent; children: ReactNode }) {
  return (
    <li className={rowClass}>
      <div className="min-w-0">
        <p className="font-medium">{heldTitle(held)}</p>
        {isTooMuch(held) && <Flag tone="warn">{`More than the slot holds: ${held.capacity}`}</Flag>}
        <p className="text-text-2">
          {held.location && held.place ? (
            <AppLink href={placeAddress(held.location)} className="hover:text-accent hover:underline">
              {held.place}
            </AppLink>
          ) : (
            (held.place ?? 'Unknown place')
          )}
        </p>
        <p className="text-text-2">{`${held.person ?? 'Unknown person'}, ${formatDateTime(held.happenedAt)}`}</p>
        {held.note && <p className="text-text-2">{`Note: ${held.note}`}</p>}
      </div>
      <div className="grid content-between gap-2">
        <p>
          <span className="text-text-3">Told to the driver: </span>
          {held.reason}
        </p>
        <div className="flex flex-wrap gap-2">{children}</div>
      </div>
    </li>
  );
}

function Choice({ held, onUndo }: { held: HeldEvent; onUndo: () => void }) {
  const decide = useDecide();
  const { eventId } = held;
  const accept = () =>
    decide.mutate(
      { eventId, verb: 'accept' },
      { onSuccess: () => toast({ title: 'Booked', description: heldTitle(held) }), onError: failed },
    );
  const dismiss = () =>
    decide.mutate(
      { eventId, verb: 'dismiss' },
      {
        onSuccess: () =>
          toast({ title: 'Left out', description: heldTitle(held), action: { label: 'Undo', run: onUndo } }),
        onError: failed,
      },
    );
  return (
    <>
      {held.kind !== 'unreadable' && (
        <Button pending={decide.isPending} onClick={accept} className={touch}>
          Book as of then
        </Button>
      )}
      <Button pending={decide.isPending} onClick={dismiss} className={touch}>
        Leave out
      </Button>
    </>
  );
}

function PutBack({ held }: { held: HeldEvent }) {
  const decide = useDecide();
  const putBack = () =>
    decide.mutate(
      { eventId: held.eventId, verb: 'reopen' },
      // In the place of a message that still offers to undo the same.
      { onSuccess: () => toast({ title: 'Put back', description: heldTitle(held) }), onError: failed },
    );
  return (
    <Button pending={decide.isPending} onClick={putBack} className={touch}>
      Put back
    </Button>
  );
}
