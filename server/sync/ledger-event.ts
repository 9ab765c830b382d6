import { AppError } from '../../domain/errors.ts';
import { isFilling } from '../../domain/filling.ts';
import type { LedgerEvent } from '../inventory/ledger.ts';
import type { Incoming } from './incoming.ts';

type Origin = { deviceId: string | null; receivedAt: Date; actorId: number | null };

/** A phone's event as the ledger takes it. */
export function ledgerEvent(one: Incoming, { deviceId, receivedAt, actorId }: Origin): LedgerEvent {
  const event = one.event;
  if (!event) throw new AppError('internal', 'An unread event reached the ledger.');
  return {
    eventId: event.eventId,
    itemType: event.itemType,
    itemId: event.itemId,
    kind: event.kind,
    quantity: event.quantity,
    reason: event.reason,
    shown: event.shown,
    note: event.note,
    photoIds: event.photoIds,
    visitId: event.visitId,
    productId: movedProduct(one),
    effectiveAtUs: one.effectiveUs,
    receivedAt: receivedAt.toISOString(),
    // In UTC: the database takes fewer offsets than a phone may write.
    occurredAtClient: new Date(event.occurredAtClient).toISOString(),
    actorId,
    deviceId,
    deviceSeq: event.deviceSeq,
    source: 'field',
    latitude: rounded(event.position?.latitude),
    longitude: rounded(event.position?.longitude),
    payloadHash: one.hash,
  };
}

/** What the phone showed there, or what was planned there and came with this filling. */
function movedProduct({ event, item, effectiveUs }: Incoming): number | null {
  const isPlanned = item?.plannedAtUs != null && item.plannedAtUs <= effectiveUs;
  if (event && isPlanned && isFilling(event)) return item.plannedId;
  return event?.productId ?? null;
}

/** Three decimals, about 100 m: enough to say 'was there', too little for a track. */
function rounded(degrees: number | undefined): number | null {
  return degrees === undefined ? null : Math.round(degrees * 1000) / 1000;
}
