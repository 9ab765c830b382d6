import type { LocationRef } from '../../domain/location.ts';
import { getMeta } from './device.ts';
import { type Draft, type ItemRef, placeKey, type VisitDraft } from './records.ts';
import type { Store } from './store.ts';

/** Drafts on the phone: one per person and item, replaced at each change. They survive sign-out and a dead session. */

export async function putDraft(store: Store, draft: Omit<Draft, 'lastServerTime'>): Promise<void> {
  await store.write(['drafts', 'meta'], async (tx) => {
    const contact = await getMeta(tx, 'contact');
    await tx.objectStore('drafts').put({ ...draft, lastServerTime: contact?.lastServerTime ?? null });
  });
}

export async function removeDraft(store: Store, userId: number, item: ItemRef): Promise<void> {
  await store.write(['drafts'], (tx) => tx.objectStore('drafts').delete([userId, item.itemType, item.itemId]));
}

export async function listDrafts(store: Store, userId: number): Promise<Draft[]> {
  return store.read(['drafts'], (tx) => tx.objectStore('drafts').index('byUser').getAll(userId));
}

/** Forgets every unsaved change at a location, its note and its photos. */
export async function clearDrafts(store: Store, userId: number, location: LocationRef): Promise<void> {
  const key = placeKey(location);
  await store.write(['drafts', 'visits'], async (tx) => {
    const drafts = await tx.objectStore('drafts').index('byUser').getAll(userId);
    for (const draft of drafts.filter((one) => one.locationKey === key)) {
      await tx.objectStore('drafts').delete([userId, draft.itemType, draft.itemId]);
    }
    const visit = await tx.objectStore('visits').get([userId, key]);
    if (visit?.opened) await tx.objectStore('visits').put({ ...visit, note: '', photoIds: [] });
    else await tx.objectStore('visits').delete([userId, key]);
  });
}

export async function getVisit(store: Store, userId: number, location: LocationRef): Promise<VisitDraft> {
  const key = placeKey(location);
  const kept = await store.read(['visits'], (tx) => tx.objectStore('visits').get([userId, key]));
  return kept ?? { userId, locationKey: key, note: '', photoIds: [] };
}

export async function putVisit(store: Store, visit: VisitDraft): Promise<void> {
  await store.write(['visits'], (tx) => tx.objectStore('visits').put(visit));
}
