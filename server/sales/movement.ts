import type { MovementKind } from '../../domain/inventory.ts';
import type { LedgerEvent } from '../inventory/ledger.ts';
import { payloadHash } from '../inventory/payload-hash.ts';

type Booked = { machineId: number | null; soldAtUs: string };
type Change = { eventId: string; itemId: number; kind: MovementKind; quantity: number; source: string; at: Date };

/**
 * What changes the stock of a sale that was booked before, at the very instant of that sale: a count since then has seen it
 * already, and the days since are reckoned as if it had been told so at once.
 */
export function movementAtSale(
  { machineId, soldAtUs }: Booked,
  { eventId, itemId, kind, quantity, source, at }: Change,
): LedgerEvent {
  const itemType = machineId === null ? ('market_item' as const) : ('machine_slot' as const);
  const content = { itemType, itemId, kind, quantity };
  return {
    ...content,
    eventId,
    reason: null,
    shown: null,
    note: null,
    photoIds: [],
    effectiveAtUs: Number(soldAtUs),
    receivedAt: at.toISOString(),
    occurredAtClient: null,
    actorId: null,
    deviceId: null,
    deviceSeq: null,
    source: source.slice(0, 20),
    latitude: null,
    longitude: null,
    payloadHash: payloadHash(content),
  };
}
