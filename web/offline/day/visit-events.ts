import type { VisitEvent } from '../../../domain/field-event.ts';
import { keepableText } from '../../../domain/plain-text.ts';
import { getMeta, nextNumbers } from '../device.ts';
import type { OfflineEnvironment } from '../environment.ts';
import type { VisitDraft, VisitEntry } from '../outbox/records.ts';
import type { WriteTx } from '../outbox/store.ts';

/** A visit as an event, inside the caller's transaction. */

const schemaVersion = 1;

/** Most photos the server takes for one visit. */
export const maxPhotos = 20;

/** As much of a note as the server takes. Half a character at the cut, as of an emoji, is none. */
export const noteText = (note: string): string | null => keepableText(note.trim().slice(0, 500)) || null;

type Source = Pick<OfflineEnvironment, 'now' | 'randomBytes'>;

/** Keeps an open visit after a save, and says it to the server as it stands, in the transaction of the counts. */
export async function keepVisit(tx: WriteTx, source: Source, visit: VisitDraft): Promise<void> {
  if (!visit.opened) {
    await tx.objectStore('visits').delete([visit.userId, visit.locationKey]);
    return;
  }
  await tx.objectStore('visits').put(visit);
  await queueVisit(tx, source, { visit, closedAt: null, isAside: true });
}

/** `isAside`: nobody asked for it, it goes along with the last save of the visit. */
type Queued = { visit: VisitDraft; closedAt: string | null; isAside: boolean };

export async function queueVisit(tx: WriteTx, source: Source, { visit, closedAt, isAside }: Queued): Promise<void> {
  if (!visit.opened) return;
  const [number] = await nextNumbers(tx, source, 1);
  const contact = await getMeta(tx, 'contact');
  if (!number) return;
  const savedAt = new Date(source.now()).toISOString();
  const event: VisitEvent = {
    eventId: number.id,
    schemaVersion,
    occurredAtClient: savedAt,
    deviceSeq: number.seq,
    lastServerTime: contact?.lastServerTime ?? null,
    type: 'visit',
    ...about(visit, visit.opened),
    closedAtClient: closedAt,
  };
  const { userId, locationKey } = visit;
  const answer = { status: 'unsent' as const, reason: null, savedAt, answeredAt: null };
  const part = isAside && visit.savedSeq !== undefined ? { partOf: visit.savedSeq } : {};
  const entry: VisitEntry = { type: 'visit', ...number, userId, locationKey, ...answer, ...part, event };
  await tx.objectStore('outbox').add(entry);
}

function about(visit: VisitDraft, opened: NonNullable<VisitDraft['opened']>) {
  const { visitId, location, routeId, stopId, at } = opened;
  return {
    visitId,
    location,
    routeId,
    stopId,
    openedAtClient: at,
    note: noteOf(visit),
    bagNumber: visit.bagNumber?.trim().slice(0, 50) || null,
    refunds: isAmount(visit.refunds) ? (visit.refunds?.trim() ?? null) : null,
    photoIds: visit.photoIds.slice(0, maxPhotos),
    position: visit.position ?? null,
  };
}

/** As the server takes it, such as 2.50. */
export function isAmount(typed: string | undefined): boolean {
  return typed !== undefined && /^\d{1,6}(\.\d{1,2})?$/.test(typed.trim());
}

/** Refunds that are no amount go along in the note: what was typed is not lost. */
function noteOf({ note, refunds }: VisitDraft): string | null {
  const odd = refunds?.trim() && !isAmount(refunds) ? [`Refunds: ${refunds.trim()}`] : [];
  return noteText([note.trim(), ...odd].filter(Boolean).join('\n'));
}
