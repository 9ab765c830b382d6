import type { LocationRef } from '../../../domain/location.ts';
import { getMeta } from '../device.ts';
import { restOfDraft } from './less-saved.ts';
import { type Draft, type ItemRef, itemKey, placeKey, type StockEntry, type VisitDraft } from './records.ts';
import type { Store, WriteTx } from './store.ts';

/** Drafts on the phone: one per person and item, replaced at each change. They survive sign-out and a dead session. */

/** For drafts that may have been begun, and saved, in another tab: what is left of such a one is kept under another id. */
export type GoingOn = { newId: () => string };

/** All of them or none. True where something else is kept than what was given. */
export async function putDrafts(
  store: Store,
  drafts: readonly Omit<Draft, 'lastServerTime'>[],
  goingOn: GoingOn | null = null,
): Promise<boolean> {
  return store.write(goingOn ? ['drafts', 'outbox', 'meta'] : ['drafts', 'meta'], async (tx) => {
    const lastServerTime = (await getMeta(tx, 'contact'))?.lastServerTime ?? null;
    let isOther = false;
    for (const given of drafts) {
      const draft = { ...given, lastServerTime };
      const saved = goingOn ? await savedMeanwhile(tx, draft) : [];
      const kept = goingOn && saved.length > 0 ? restOfDraft(draft, saved, goingOn.newId()) : draft;
      isOther ||= kept !== draft;
      // Not waited for: the end of the transaction tells how they went, and comes the sooner.
      if (kept)
        tx.objectStore('drafts')
          .put(kept)
          .catch(() => undefined);
    }
    return isOther;
  });
}

/** A save takes the draft off the phone in one go with keeping what it said. */
async function savedMeanwhile(tx: WriteTx, draft: Draft): Promise<StockEntry[]> {
  const { draftId, userId, itemType, itemId, locationKey } = draft;
  const kept = await tx.objectStore('drafts').get([userId, itemType, itemId]);
  if (draftId === undefined || kept?.draftId === draftId) return [];
  const entries = await tx.objectStore('outbox').index('byLocation').getAll(locationKey);
  return entries.filter((entry) => entry.type === 'stock-event').filter((entry) => isFrom(draft, entry));
}

/** Whether an entry was saved from this draft, as it was then. */
export const isFrom = (draft: Draft, entry: StockEntry): boolean =>
  entry.draftId === draft.draftId && entry.itemKey === itemKey(draft);

export async function removeDraft(store: Store, userId: number, item: ItemRef): Promise<void> {
  await store.write(['drafts'], (tx) => tx.objectStore('drafts').delete([userId, item.itemType, item.itemId]));
}

export async function listDrafts(store: Store, userId: number): Promise<Draft[]> {
  return store.read(['drafts'], (tx) => tx.objectStore('drafts').index('byUser').getAll(userId));
}

export type VisitWords = Pick<VisitDraft, 'note' | 'photoIds'>;

/** Forgets every unsaved change at a location, its note and its photos; returns those two, for a change of mind. */
export async function clearDrafts(store: Store, userId: number, location: LocationRef): Promise<VisitWords> {
  const key = placeKey(location);
  return store.write(['drafts', 'visits'], async (tx) => {
    const drafts = await tx.objectStore('drafts').index('byUser').getAll(userId);
    for (const draft of drafts.filter((one) => one.locationKey === key)) {
      await tx.objectStore('drafts').delete([userId, draft.itemType, draft.itemId]);
    }
    const visit = await tx.objectStore('visits').get([userId, key]);
    if (visit?.opened) await tx.objectStore('visits').put({ ...visit, note: '', photoIds: [] });
    else await tx.objectStore('visits').delete([userId, key]);
    return { note: visit?.note ?? '', photoIds: visit?.photoIds ?? [] };
  });
}

/** Puts a visit's note and photos back; what was noted or taken since stays. */
export async function restoreWords(
  store: Store,
  here: { userId: number; location: LocationRef },
  { note, photoIds }: VisitWords,
): Promise<void> {
  await changeWords(store, here, (now) => ({
    note: now.note || note,
    photoIds: [...new Set([...photoIds, ...now.photoIds])],
  }));
}

export async function getVisit(store: Store, userId: number, location: LocationRef): Promise<VisitDraft> {
  const key = placeKey(location);
  const kept = await store.read(['visits'], (tx) => tx.objectStore('visits').get([userId, key]));
  return kept ?? emptyVisit(userId, key);
}

const emptyVisit = (userId: number, locationKey: string): VisitDraft => ({
  userId,
  locationKey,
  note: '',
  photoIds: [],
});

/** Changes the words of a visit as it stands at that moment: a photo kept in between stays with it. */
export async function changeWords(
  store: Store,
  { userId, location }: { userId: number; location: LocationRef },
  change: (now: VisitWords) => Partial<VisitWords>,
): Promise<void> {
  const key = placeKey(location);
  await store.write(['visits'], async (tx) => {
    const visit = (await tx.objectStore('visits').get([userId, key])) ?? emptyVisit(userId, key);
    await tx.objectStore('visits').put({ ...visit, ...change(visit) });
  });
}
