import { useState } from 'react';
import type { LocationRef } from '../../../domain/location.ts';
import { saveLocation } from '../../offline/actions.ts';
import { closeVisit } from '../../offline/day/visits.ts';
import type { Offline } from '../../offline/offline.ts';
import type { StockEntry } from '../../offline/outbox/records.ts';
import { useOffline } from '../../offline/use-offline.ts';
import { toast } from '../../ui/toasts/toast.ts';
import { signInAddress } from '../unsent/sign-in-address.ts';
import { usePosition } from '../visit/use-position.ts';
import type { DraftDesk } from './draft-desk.ts';

/** How long 'Saving...' may wait for the server before the phone says what it has. */
const patienceMs = 10_000;

const messages = {
  saved: { title: 'Inventory Updated', description: 'All inventory changes have been saved successfully.' },
  failed: {
    title: 'Update Failed',
    description: 'Failed to update inventory. Changes saved locally.',
    variant: 'destructive',
  },
  offline: {
    title: 'Offline Update',
    description: 'Update saved locally. Will sync when connection is restored.',
  },
  finished: { title: 'Visit finished' },
  stillOpen: {
    title: 'Visit not finished yet',
    description:
      'What you noted before you signed out is still sealed. With a network it opens: then finish the visit.',
    variant: 'destructive',
  },
  notKept: {
    title: 'NOT saved',
    description: 'This device could not keep the changes. They are still on this screen.',
    variant: 'destructive',
  },
} as const;

type Saving = {
  isSaving: boolean;
  save: (location: LocationRef) => Promise<void>;
  /** Saves what is left and ends the visit; `onKept` is called once all of it is on the phone. */
  finish: (location: LocationRef, visitId: string, onKept: () => void) => Promise<void>;
};

/** Saves a location's drafts: first on the phone, then, where there is a network, on the server. */
export function useSave(desk: DraftDesk, opened: LocationRef | null): Saving {
  const offline = useOffline();
  const position = usePosition(opened);
  const [isSaving, setIsSaving] = useState(false);
  const save = async (location: LocationRef) => {
    setIsSaving(true);
    try {
      await desk.settled();
      const entries = await saveLocation(offline, { location, position: position() });
      desk.saved(entries);
      if (entries.length > 0) await send(offline, entries);
    } catch {
      toast(messages.notKept);
    } finally {
      setIsSaving(false);
    }
  };
  const finish = async (location: LocationRef, visitId: string, onKept: () => void) => {
    setIsSaving(true);
    try {
      await desk.settled();
      const entries = await saveLocation(offline, { location, position: position() });
      const isClosed = await closeVisit(offline, visitId);
      desk.saved(entries);
      if (isClosed) onKept();
      else toast(messages.stillOpen);
      if (entries.length > 0) await send(offline, entries);
      else if (isClosed) toast(messages.finished);
    } catch {
      toast(messages.notKept);
    } finally {
      setIsSaving(false);
    }
  };
  return { isSaving, save, finish };
}

async function send(offline: Offline, entries: StockEntry[]): Promise<void> {
  if (!offline.online.isOnline()) {
    offline.sender.kick('save');
    toast(messages.offline);
    return;
  }
  await Promise.race([offline.sender.flush(), patience(offline)]);
  const fates = await offline.store.read(['outbox'], async (tx) => {
    const outbox = tx.objectStore('outbox');
    return Promise.all(entries.map((entry) => outbox.get(entry.seq)));
  });
  const held = fates.find((entry) => entry?.status === 'refused' || entry?.status === 'needs_attention');
  const isSaved = fates.every((entry) => entry === undefined || ['saved', 'superseded'].includes(entry.status));
  // Taken, with a remark of the server such as a slot that holds less.
  const remark = fates.find((entry) => entry?.status === 'saved' && entry.reason)?.reason;
  if (isSaved) return toast({ ...messages.saved, ...(remark ? { detail: remark } : {}) });
  // The notice with the same button stands at the top of the screen, the driver's thumb at its foot.
  const signIn = offline.status.get().signInNeeded ? { action: { label: 'Sign in', run: goToSignIn } } : {};
  toast({ ...messages.failed, ...(held?.reason ? { detail: held.reason } : {}), ...signIn });
}

const goToSignIn = (): void => window.location.assign(signInAddress());

function patience(offline: Offline): Promise<void> {
  return new Promise((resolve) => {
    offline.environment.after(patienceMs, resolve);
  });
}
