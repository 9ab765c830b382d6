import { AppError } from '../../../domain/errors.ts';
import type { ItemType } from '../../../domain/inventory.ts';
import { minimumAboveCapacity, type SlotLevels } from '../../../domain/machine.ts';
import { may } from '../../../domain/permissions.ts';
import { olderEdit } from '../../audit/older-edit.ts';
import type { Db } from '../../db/database.ts';
import type { Caller } from '../../http/caller.ts';
import type { EditHeaders } from '../../http/edit-headers.ts';
import { publish } from '../../live/hub.ts';
import { existsEvent } from '../queries.ts';

/** Counting is field work; everything else about an item is office data. */
export function requireOffice(caller: Caller): void {
  if (may(caller.role, 'office:write')) return;
  throw new AppError('not-allowed', 'Your role may count stock but not change anything else about it.');
}

/**
 * Refuses an edit built on an older version. A count sent again by its key is the same edit, not a second one. `editor` names
 * who was quicker, where that is known.
 */
export async function requireVersion(
  tx: Db,
  version: number,
  headers: EditHeaders,
  editor: () => Promise<string | null> = async () => null,
): Promise<void> {
  if (headers.version === null || headers.version === version) return;
  if (headers.eventId && (await existsEvent(tx, headers.eventId))) return;
  throw olderEdit('This was', await editor());
}

type Told = { currentQuantity?: number | undefined; reason?: unknown; note?: unknown; occurredAt?: unknown };

/**
 * Whether an edit says again what there was in the version it builds on, and nothing of a count: that is none, for a sale that
 * is told of later would be undone by it.
 */
export function isAsRead(held: number, told: Told, { version, eventId }: EditHeaders): boolean {
  if (version === null || eventId !== null || told.currentQuantity !== held) return false;
  return told.reason === undefined && told.note === undefined && told.occurredAt === undefined;
}

/** Of several slots that are sent, `path` leads to the one. */
export function requireMinimumFits(
  slot: SlotLevels & { slotNumber: string },
  before: SlotLevels | null,
  path = '',
): void {
  const sentence = minimumAboveCapacity(slot, before);
  if (sentence) throw new AppError('invalid-input', sentence, { fields: { [`${path}minimumQuantity`]: sentence } });
}

type Touched = { itemType: ItemType; itemId: number; location: number; designations: (string | null)[] };

/** Tells open screens that an item and the sums of its location changed. */
export async function tellEdit(tx: Db, touched: Touched): Promise<void> {
  const routes = [...new Set(touched.designations.flatMap((designation) => designation ?? []))];
  const topic = touched.itemType === 'market_item' ? 'markets' : 'machines';
  await publish(tx, { topic: 'stock', ids: [touched.itemId], routes });
  await publish(tx, { topic, ids: [touched.location], routes });
}
