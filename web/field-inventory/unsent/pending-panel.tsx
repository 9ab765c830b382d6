import { useState } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { retryEntry } from '../../offline/actions.ts';
import type { ItemState } from '../../offline/day/overlay.ts';
import { entryTitle } from '../../offline/outbox/entry-title.ts';
import type { Draft, Entry } from '../../offline/outbox/records.ts';
import { useDismiss } from '../../offline/outbox/use-dismiss.ts';
import { StateWord } from '../../offline/state-word.tsx';
import { useOffline, useOfflineStatus } from '../../offline/use-offline.ts';
import { Button } from '../../ui/button.tsx';
import { ShowMore } from '../../ui/tables/show-more.tsx';
import { useAttention, useOutbox } from '../use-field.ts';
import { clockTime } from '../wording.ts';

type Open = (ref: LocationRef) => void;

/**
 * Every change that is not simply saved, with its state in words and what can be done about it. Without drafts handed
 * in (the list was not asked for) only what needs attention.
 */
export function PendingPanel({ drafts, onOpen }: { drafts: Draft[] | null; onOpen: Open }) {
  return drafts === null ? <Attention onOpen={onOpen} /> : <Everything drafts={drafts} onOpen={onOpen} />;
}

function Attention({ onOpen }: { onOpen: Open }) {
  return <Entries entries={useAttention() ?? []} drafts={[]} onOpen={onOpen} />;
}

function Everything({ drafts, onOpen }: { drafts: Draft[]; onOpen: Open }) {
  return <Entries entries={useOutbox() ?? []} drafts={drafts} onOpen={onOpen} />;
}

function needsAttention(entry: Entry): boolean {
  return entry.status === 'needs_attention' || entry.status === 'refused';
}

/** A phone may hold thousands after a week without a network: as many are drawn as somebody reads. */
const pageSize = 50;

function Entries({ entries, drafts, onOpen }: { entries: Entry[]; drafts: Draft[]; onOpen: Open }) {
  const [limit, setLimit] = useState(pageSize);
  if (drafts.length + entries.length === 0) {
    return (
      <p className="border-b border-line px-4 py-4 text-text-2">Nothing unsent. Every change is with the server.</p>
    );
  }
  const left = entries.length - limit;
  // What a person has to answer is never behind the rest.
  const shown =
    left > 0
      ? entries.toSorted((a, b) => Number(needsAttention(b)) - Number(needsAttention(a))).slice(0, limit)
      : entries;
  return (
    <>
      <ul aria-label="Pending changes" className="border-b border-line">
        {shown.map((entry) => (
          <EntryRow key={entry.seq} entry={entry} />
        ))}
        {drafts.map((draft) => (
          <li key={`${draft.itemType}${draft.itemId}`} className="grid gap-1 border-t border-line px-4 py-3">
            <StateWord state="draft" />
            <span className="text-16 font-medium text-text">{draft.productName}</span>
            {/* A place that went to another route or was deleted is in no list: its drafts are saved from here. */}
            <Button size="field" onClick={() => onOpen(draft.location)}>
              Open to save
            </Button>
          </li>
        ))}
      </ul>
      <ShowMore
        shown={limit}
        total={entries.length}
        step={pageSize}
        things="changes"
        onMore={() => setLimit(limit + pageSize)}
      />
    </>
  );
}

const stateOfStatus: Record<Entry['status'], ItemState> = {
  unsent: 'saved_on_phone',
  saved: 'saved',
  superseded: 'superseded',
  needs_attention: 'needs_attention',
  refused: 'needs_attention',
};

function EntryRow({ entry }: { entry: Entry }) {
  const offline = useOffline();
  const dismiss = useDismiss();
  const { sending } = useOfflineStatus();
  const state = sending.has(entry.id) ? 'sending' : stateOfStatus[entry.status];
  return (
    <li className="grid gap-1 border-t border-line px-4 py-3">
      <StateWord state={state} />
      <span className="text-16 font-medium text-text">{entryTitle(entry)}</span>
      <span className="text-14 text-text-2">
        {entry.reason ?? `Since ${clockTime(entry.savedAt, offline.environment.now())}`}
      </span>
      {entry.status !== 'unsent' && (
        <span className="grid grid-cols-2 gap-2 pt-1">
          {entry.status === 'refused' && (
            <Button size="field" onClick={() => void retryEntry(offline, entry.seq)}>
              Try again
            </Button>
          )}
          <Button size="field" onClick={() => dismiss(entry)}>
            Dismiss
          </Button>
        </span>
      )}
    </li>
  );
}
