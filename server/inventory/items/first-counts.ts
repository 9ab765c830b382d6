import { randomUUID } from 'node:crypto';
import type { ItemType } from '../../../domain/inventory.ts';
import type { Db } from '../../db/database.ts';
import { bookEvents, type LedgerEvent } from '../ledger.ts';
import { payloadHash } from '../payload-hash.ts';

type FirstCount = { itemType: ItemType; itemId: number; quantity: number; actorId: number | null; at: Date };

/** The count that begins an item's ledger when it is created with a quantity. */
export async function recordFirstCount(tx: Db, first: FirstCount): Promise<void> {
  await recordFirstCounts(tx, [first]);
}

export async function recordFirstCounts(tx: Db, counts: readonly FirstCount[]): Promise<void> {
  if (counts.length > 0) await bookEvents(tx, counts.map(eventOf));
}

function eventOf({ itemType, itemId, quantity, actorId, at }: FirstCount): LedgerEvent {
  const content = { itemType, itemId, kind: 'count' as const, quantity };
  return {
    ...content,
    eventId: randomUUID(),
    reason: null,
    shown: null,
    note: null,
    photoIds: [],
    effectiveAtUs: at.getTime() * 1000,
    receivedAt: at.toISOString(),
    occurredAtClient: null,
    actorId,
    deviceId: null,
    deviceSeq: null,
    source: 'office',
    latitude: null,
    longitude: null,
    payloadHash: payloadHash(content),
  };
}
