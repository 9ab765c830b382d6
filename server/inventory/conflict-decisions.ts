import { sql } from 'drizzle-orm';
import { AppError, notFound } from '../../domain/errors.ts';
import type { ItemType } from '../../domain/inventory.ts';
import { recordAudit } from '../audit/service.ts';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import type { Caller } from '../http/caller.ts';
import { publish } from '../live/hub.ts';
import { movedInConflict, reviewSource } from './conflicts.ts';
import { toUs } from './ledger-queries.ts';

type Side = 'first' | 'second';

type Found = {
  itemType: ItemType;
  itemId: number;
  /** What the first count says at the time of the second. */
  firstThen: number;
  secondQuantity: number;
  /** A moment after both counts, and after whatever was decided of them before. */
  nextUs: number;
  resolution: Side | 'recounted' | null;
};

/** The count that holds, a moment after both were made. */
export type Decision = { itemType: ItemType; itemId: number; quantity: number; effectiveAtUs: number };

type Wish = { id: number; keep: Side };

/** Decisions follow each other by a millionth of a second, so that the last one holds and nothing later is before it. */
const lastWord = sql`greatest(c.second_at, (select max(r.effective_at) from stock_movements r
  where (r.item_type, r.item_id) = (c.item_type, c.item_id) and r.kind = 'count' and r.source = ${reviewSource}
    and r.effective_at between c.second_at and c.second_at + interval '1 millisecond'))`;

async function findConflict(tx: Db, id: number): Promise<Found> {
  const found = await firstRow<Found>(
    tx,
    sql`select c.item_type as "itemType", c.item_id as "itemId", c.resolution,
          greatest(0, c.first_quantity + ${movedInConflict}) as "firstThen", c.second_quantity as "secondQuantity",
          ${toUs(lastWord)} + 1 as "nextUs"
        from count_conflicts c where c.id = ${id}`,
  );
  if (!found) throw notFound('difference');
  return found;
}

const decided = ({ itemType, itemId, nextUs }: Found, quantity: number): Decision => ({
  ...{ itemType, itemId, quantity },
  effectiveAtUs: Number(nextUs),
});

/** What a choice between the two counts says of the item. */
export async function decisionOf(tx: Db, { id, keep }: Wish): Promise<Decision> {
  const found = await findConflict(tx, id);
  return decided(found, keep === 'first' ? found.firstThen : found.secondQuantity);
}

/** What holds once a choice is taken back, the later count as before it; nothing where that one was chosen. */
export async function decisionBefore(tx: Db, id: number): Promise<Decision | null> {
  const found = await findConflict(tx, id);
  return found.resolution === 'first' ? decided(found, found.secondQuantity) : null;
}

/** Ends a difference in favour of one of the counts, after the stock was booked: batches lock in the same order. */
export async function endConflict(tx: Db, caller: Caller, { id, keep, at }: Wish & { at: Date }): Promise<void> {
  const ended = await firstRow<Changed>(
    tx,
    sql`update count_conflicts set resolved_at = ${at.toISOString()}, resolution = ${keep}, resolved_by = ${caller.userId}
        where id = ${id} and resolved_at is null returning ${changed}`,
  );
  if (!ended) throw new AppError('conflict', 'This difference is settled already: somebody was quicker.');
  await tellOf(tx, caller, { ...ended, action: 'stock.settle-difference', detail: { keep } });
}

/** Opens a difference again that was decided and not counted again since, after the stock was booked. */
export async function reopenConflict(tx: Db, caller: Caller, id: number): Promise<void> {
  const opened = await firstRow<Changed>(
    tx,
    sql`update count_conflicts set resolved_at = null, resolution = null, resolved_by = null
        where id = ${id} and resolution in ('first', 'second') and not exists (
          select 1 from stock_movements o where o.item_type = count_conflicts.item_type and o.item_id = count_conflicts.item_id
            and o.kind = 'count' and o.source <> ${reviewSource} and o.effective_at >= count_conflicts.second_at
            and (o.effective_at, o.event_id) > (count_conflicts.second_at, count_conflicts.second_event_id))
        returning ${changed}`,
  );
  if (!opened) throw new AppError('conflict', 'This difference is open already, or the item was counted again since.');
  await tellOf(tx, caller, { ...opened, action: 'stock.reopen-difference', detail: {} });
}

const changed = sql`item_type as "itemType", item_id as "itemId", array[first_actor_id, second_actor_id] as actors`;

type Changed = { itemType: ItemType; itemId: number; actors: number[] };

type Told = Changed & { action: string; detail: Record<string, unknown> };

async function tellOf(tx: Db, caller: Caller, { itemType, itemId, actors, action, detail }: Told): Promise<void> {
  await recordAudit(tx, caller, { action, objectType: itemType, objectId: itemId, detail });
  await publish(tx, { topic: 'alerts', routes: [], users: actors });
}
