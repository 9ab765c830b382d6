import { countOf, formatTime } from '../../http/format.ts';
import { stateOf } from '../../offline/day/overlay.ts';
import { entryTitle } from '../../offline/outbox/entry-title.ts';
import { usePhotosOfOthers } from '../../offline/photos/unsent-photos.ts';
import { StateWord } from '../../offline/state-word.tsx';
import { AppLink } from '../../ui/address/app-link.tsx';
import { StateShape } from '../../ui/badge.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import type { DayEnd } from './use-day-end.ts';

/** So many are listed one by one; the number above names them all. */
const listedAtMost = 20;

type Props = {
  end: Pick<DayEnd, 'unsent' | 'sendable' | 'outbox' | 'status' | 'photosUnsent' | 'photosRefused' | 'sendNow'>;
};

/** Whether anything is on this phone alone, first thing on the screen. */
export function UnsentList({ end }: Props) {
  const { unsent, outbox, status, photosUnsent, photosRefused } = end;
  const shown = outbox.slice(0, listedAtMost);
  const photosOfOthers = usePhotosOfOthers();
  return (
    <section aria-label="Not sent" className="border-line border-b">
      <div role="status" className={`flex items-start gap-3 p-4 ${unsent > 0 ? 'bg-bad-soft text-bad-text' : ''}`}>
        <span className="pt-1.5">
          <StateShape tone={unsent > 0 ? 'bad' : 'ok'} size={16} />
        </span>
        <div>
          <h2 className="text-20">{headline(unsent)}</h2>
          <p>{unsent > 0 ? adviceOf(end) : 'You can leave.'}</p>
        </div>
      </div>
      {end.sendable > 0 && (
        <div className="grid p-4">
          <Button size="thumb" variant="primary" icon="upload" onClick={end.sendNow}>
            Send {end.sendable} now
          </Button>
        </div>
      )}
      <ul>
        {shown.map((entry) => (
          <li key={entry.seq} className="grid gap-1 border-line border-t px-4 py-3">
            <StateWord state={stateOf([entry], status.sending)} />
            <span className="font-medium text-16">{entryTitle(entry)}</span>
            <span className="text-text-2">{entry.reason ?? `Since ${formatTime(entry.savedAt)}`}</span>
          </li>
        ))}
      </ul>
      {outbox.length > shown.length && (
        <p className="px-4 pb-3 text-text-2">And {outbox.length - shown.length} more.</p>
      )}
      {photosUnsent > 0 && (
        <p className="border-line border-t px-4 py-3">
          {countOf(photosUnsent, 'photo')} {photosUnsent === 1 ? 'is' : 'are'} on this device alone.
        </p>
      )}
      {photosRefused > 0 && (
        <p className="border-line border-t px-4 py-3">
          {countOf(photosRefused, 'photo')} {photosRefused === 1 ? 'was' : 'were'} not taken by the server. Take again
          or drop.
        </p>
      )}
      {photosOfOthers && <p className="border-line border-t px-4 py-3 text-text-2">{photosOfOthers}</p>}
      {(status.drafts > 0 || status.attention > 0 || photosRefused > 0) && (
        <p className="border-line border-t p-4">
          <AppLink href="/mobile-inventory" className={`${buttonClass({ size: 'field' })} w-full`}>
            {status.drafts > 0 ? 'Save the drafts in Mobile Inventory' : 'Look at them in Mobile Inventory'}
          </AppLink>
        </p>
      )}
    </section>
  );
}

function headline(unsent: number): string {
  if (unsent === 0) return 'Nothing is unsent';
  return `${countOf(unsent, 'change')} ${unsent === 1 ? 'is' : 'are'} not sent`;
}

function adviceOf({ unsent, status, sendable }: Pick<DayEnd, 'unsent' | 'status' | 'sendable'>): string {
  const isOne = unsent === 1;
  if (status.notSaved) return 'This device is full. Free some space first.';
  if (status.signInNeeded) return `Sign in to send ${isOne ? 'it' : 'them'}.`;
  if (!status.online) return 'No network. Stay on the Wi-Fi until nothing is unsent.';
  if (sendable === 0 && status.drafts > 0) return `Save what you typed, then ${isOne ? 'it is' : 'they are'} sent.`;
  return 'Stay on the Wi-Fi until nothing is unsent.';
}
