import { useState } from 'react';
import type { CountNotice } from '../../../contract/stock-review.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { locationKey } from '../../../domain/place.ts';
import { countOf } from '../../http/format.ts';
import { listCountNotices } from '../../offline/kept/notices.ts';
import type { StoredKind } from '../../offline/outbox/signal.ts';
import { useOffline, useStored } from '../../offline/use-offline.ts';
import { Button } from '../../ui/button.tsx';
import { clockTime } from '../wording.ts';

/** A whole machine may differ; the day's work stays in sight above the fold. */
const firstNotices = 2;

const downloaded: readonly StoredKind[] = ['download'];

type CountNoticesProps = { opened: LocationRef | null; onOpen: (ref: LocationRef) => void };

/** Counts of this person that a colleague made differently: here only one of the two can be right. */
export function CountNotices({ opened, onOpen }: CountNoticesProps) {
  const [isAll, setIsAll] = useState(false);
  const all = useStored(listCountNotices, downloaded) ?? [];
  // How one ended is news for the list; at the machine its stock has the room.
  const here = all.filter(
    ({ location, resolution }) => !opened || (resolution === null && locationKey(location) === locationKey(opened)),
  );
  if (here.length === 0) return null;
  const shown = isAll ? here : here.slice(0, firstNotices);
  const left = here.length - shown.length;
  return (
    <ul aria-label="Counts that differ" className="border-line border-b">
      {shown.map((notice) => (
        <Notice key={notice.id} notice={notice} onOpen={opened ? null : onOpen} />
      ))}
      {left > 0 && (
        <li className="grid border-line border-t px-4 py-3">
          <Button size="field" onClick={() => setIsAll(true)}>
            {`Show ${countOf(left, 'more count')} that ${left === 1 ? 'differs' : 'differ'}`}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Notice({ notice, onOpen }: { notice: CountNotice; onOpen: CountNoticesProps['onOpen'] | null }) {
  const offline = useOffline();
  const now = offline.environment.now();
  const { mine, other, place, productName, slotNumber, location, resolution } = notice;
  const isOpen = resolution === null;
  const look = isOpen ? 'bg-warn-soft text-warn-text' : 'text-text-2';
  const who = other.person ?? 'Somebody else';
  return (
    <li className={`grid gap-1 border-line border-t px-4 py-3 first:border-t-0 ${look}`}>
      <span className="font-semibold text-16">{slotNumber ? `${productName}, ${slotNumber}` : productName}</span>
      <span className="text-14">{place}</span>
      <span className="text-16">
        {`You counted ${mine.quantity} at ${clockTime(mine.at, now)}, ${who} ${other.quantity} at ${clockTime(other.at, now)}. ${endOf(notice)}`}
      </span>
      {isOpen && onOpen && (
        <Button size="field" onClick={() => onOpen(location)}>
          Count again
        </Button>
      )}
    </li>
  );
}

function endOf({ resolution, mineHolds, other }: CountNotice): string {
  if (resolution === null) return 'Count again if you are near; else the office decides.';
  if (resolution === 'recounted') return 'It was counted again since.';
  return mineHolds ? 'Your count holds.' : `The count of ${other.person ?? 'somebody else'} holds.`;
}
