import type { LocationRef } from '../../../domain/location.ts';
import { getMeta, nextNumbers } from '../device.ts';
import type { OfflineEnvironment } from '../environment.ts';
import type { Offline } from '../offline.ts';
import { placeKey, type VisitDraft } from '../outbox/records.ts';
import type { WriteTx } from '../outbox/store.ts';
import { queueVisit } from './visit-events.ts';

export { isAmount } from './visit-events.ts';

/** A driver's visit of a location, on the phone from its opening to its end. */

type Source = Pick<OfflineEnvironment, 'now' | 'randomBytes'>;
export type VisitStart = { location: LocationRef; routeId: number | null; stopId: number | null };

/** Nothing was noted or saved yet: it may have been a look only. */
export function isEmptyVisit(visit: VisitDraft): boolean {
  const { note, photoIds, bagNumber, refunds, savedAt, sealed } = visit;
  return savedAt === undefined && !sealed && !note && !bagNumber && !refunds && photoIds.length === 0;
}

/** Words of it are still to be opened: they belong to the visit as it is sent. */
const isWaitingForWords = ({ sealed }: VisitDraft): boolean => sealed?.some(({ isShut }) => !isShut) ?? false;

/** Words of it stay sealed for good: the server has no key to them. */
export const lostWords = ({ sealed }: VisitDraft): boolean => sealed?.some(({ isShut }) => isShut) ?? false;

/**
 * Resumes the open visit of a location, or opens one; returns its id. Visits left at other locations with everything
 * saved have ended with their last save: nobody stands before two machines. So have those of places that left this phone.
 */
export async function openVisit(offline: Offline, start: VisitStart): Promise<string> {
  const { environment, store } = offline;
  const locationKey = placeKey(start.location);
  const { visitId, closed } = await store.write(
    ['visits', 'drafts', 'outbox', 'meta', 'markets', 'machines'],
    async (tx) => {
      const userId = (await getMeta(tx, 'session'))?.person.id;
      if (userId === undefined) throw new Error('Sign in first');
      const closed = await closeLeft(tx, environment, { userId, locationKey });
      const kept = await tx.objectStore('visits').get([userId, locationKey]);
      if (kept?.opened && !isEmptyVisit(kept)) return { visitId: kept.opened.visitId, closed };
      const [number] = await nextNumbers(tx, environment, 1);
      const id = kept?.opened?.visitId ?? number?.id ?? '';
      const opened = { visitId: id, ...start, at: new Date(environment.now()).toISOString() };
      await tx.objectStore('visits').put({ userId, locationKey, note: '', photoIds: [], ...kept, opened });
      return { visitId: id, closed };
    },
  );
  offline.signal.changed(closed > 0 ? ['visits', 'outbox'] : ['visits']);
  if (closed > 0) offline.sender.kick('save');
  return visitId;
}

/** Nobody can come back to a place that was deleted or given to another route: what was only noted there goes as it is. */
async function endOfGone(tx: WriteTx, visit: VisitDraft): Promise<string | undefined> {
  const { opened } = visit;
  if (!opened || isEmptyVisit(visit)) return undefined;
  const { type, id } = opened.location;
  const isHere = await tx.objectStore(type === 'market' ? 'markets' : 'machines').getKey(id);
  return isHere === undefined ? opened.at : undefined;
}

/** Returns how many ended: each is an event that waits to be sent. */
async function closeLeft(tx: WriteTx, source: Source, here: { userId: number; locationKey: string }): Promise<number> {
  const range = IDBKeyRange.bound([here.userId, ''], [here.userId, '\uffff']);
  const [visits, drafts] = await Promise.all([
    tx.objectStore('visits').getAll(range),
    tx.objectStore('drafts').index('byUser').getAll(here.userId),
  ]);
  let closed = 0;
  for (const visit of visits) {
    const isOpen = drafts.some((draft) => draft.locationKey === visit.locationKey);
    if (visit.locationKey === here.locationKey || isOpen || isWaitingForWords(visit)) continue;
    const closedAt = visit.savedAt ?? (await endOfGone(tx, visit));
    if (closedAt === undefined) continue;
    await queueVisit(tx, source, { visit, closedAt, isAside: true });
    await tx.objectStore('visits').delete([visit.userId, visit.locationKey]);
    closed += 1;
  }
  return closed;
}

/**
 * Ends a visit: it is kept as an event to send, and the next opening of its location begins another. False where it stays
 * open, because words left sealed at a sign-out belong to it and are not open again.
 */
export async function closeVisit(offline: Offline, visitId: string): Promise<boolean> {
  const { environment, store } = offline;
  const isClosed = await store.write(['visits', 'outbox', 'meta'], async (tx) => {
    const visit = (await tx.objectStore('visits').getAll()).find((one) => one.opened?.visitId === visitId);
    if (!visit) return true;
    if (isWaitingForWords(visit)) return false;
    await queueVisit(tx, environment, { visit, closedAt: new Date(environment.now()).toISOString(), isAside: false });
    await tx.objectStore('visits').delete([visit.userId, visit.locationKey]);
    return true;
  });
  offline.signal.changed(['visits', 'outbox']);
  offline.sender.kick('save');
  return isClosed;
}

export type VisitChange = Partial<Pick<VisitDraft, 'note' | 'bagNumber' | 'refunds'>>;

/** Keeps what the driver notes of a visit, at every key. */
export async function changeVisit(offline: Offline, visitId: string, change: VisitChange): Promise<void> {
  await offline.store.write(['visits'], async (tx) => {
    const visit = (await tx.objectStore('visits').getAll()).find((one) => one.opened?.visitId === visitId);
    if (visit) await tx.objectStore('visits').put({ ...visit, ...change });
  });
  offline.signal.changed(['visits']);
}
