import { type SQL, sql } from 'drizzle-orm';
import type { CountConflict, CountNotice } from '../../contract/stock-review.ts';
import type { Db } from '../db/database.ts';
import { rows, run } from '../db/database.ts';
import { personName } from '../db/statements/person-name.ts';
import { together } from '../db/together.ts';
import { publish } from '../live/hub.ts';
import type { Booking, LedgerEvent } from './ledger.ts';
import { fromUs, givenUs } from './ledger-queries.ts';

/** Counts that a manager makes out of two others: they settle a difference and make none. */
export const reviewSource = 'review';

/**
 * Two people, one item, half an hour, one count right after the other, and what moved between does not explain the
 * difference: both counts are kept, and both people and a manager are told. A later count of the item ends it.
 */
export async function noteConflicts(tx: Db, events: readonly LedgerEvent[], booking: Booking): Promise<void> {
  // Those known before were looked at when they were new.
  const booked = new Set(booking.results.filter(({ status }) => isNew.has(status)).map(({ eventId }) => eventId));
  const made = events.filter(
    (one) => one.kind === 'count' && one.actorId !== null && one.source !== reviewSource && booked.has(one.eventId),
  );
  const [first] = made;
  if (!first) return;
  const counts = newCounts(made);
  const [, told] = await together([
    endByRecount(tx, counts, first.receivedAt),
    mayConflict(made, booking) ? insertConflicts(tx, counts) : Promise.resolve([]),
  ]);
  if (told.length === 0) return;
  const users = [...new Set(told.flatMap(({ first, second }) => [first, second]))];
  await publish(tx, { topic: 'alerts', routes: [], users });
}

const isNew: ReadonlySet<string> = new Set(['applied', 'superseded']);

/** Whether another count can be near one of these: most items were not counted for days, and then nobody has to look. */
function mayConflict(made: readonly LedgerEvent[], { countedBefore }: Booking): boolean {
  const isNear = (event: LedgerEvent): boolean => {
    const before = countedBefore(event);
    return before !== null && event.effectiveAtUs - before <= nearUs;
  };
  const counted = new Map(made.map((event) => [`${event.itemType}:${event.itemId}`, event.actorId]));
  const bySeveral = (event: LedgerEvent): boolean => counted.get(`${event.itemType}:${event.itemId}`) !== event.actorId;
  return made.some((event) => isNear(event) || bySeveral(event));
}

/** Half an hour, as the statements below have it. */
const nearUs = 30 * 60 * 1_000_000;

/** Counts just booked, as a source of a statement, and the instants half an hour before the first and after the last of them. */
type NewCounts = { source: SQL; early: SQL; late: SQL };

function newCounts(made: readonly LedgerEvent[]): NewCounts {
  const instants = made.map((event) => event.effectiveAtUs);
  const list = made.map(({ eventId, itemType, itemId, quantity, actorId, effectiveAtUs }) => ({
    ...{ eventId, itemType, itemId, quantity, actorId, effectiveAtUs },
  }));
  return {
    source: sql`(select e."eventId" as event_id, e."itemType" as item_type, e."itemId" as item_id, e.quantity,
        e."actorId" as actor_id, ${fromUs(sql`e."effectiveAtUs"`)} as effective_at
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb)
        as e("eventId" uuid, "itemType" text, "itemId" int, quantity int, "actorId" int, "effectiveAtUs" bigint))`,
    early: givenUs(Math.min(...instants) - nearUs),
    late: givenUs(Math.max(...instants) + nearUs),
  };
}

/** A count made after both says what is there. */
async function endByRecount(tx: Db, counts: NewCounts, at: string): Promise<void> {
  await run(
    tx,
    sql`update count_conflicts c set resolved_at = ${at}, resolution = 'recounted', resolved_by = n.actor_id
        from ${counts.source} n
        where c.item_type = n.item_type and c.item_id = n.item_id and c.resolved_at is null and n.effective_at > c.second_at`,
  );
}

/** What an item was created with is where its ledger begins: nobody stood before it. */
const isFirstCount = sql`(o.source = 'office' and o.reason is null)`;

const near = (side: 'before' | 'after', counts: NewCounts): SQL => {
  const [from, to] =
    side === 'before'
      ? [sql`n.effective_at - interval '30 minutes'`, sql`n.effective_at`]
      : [sql`n.effective_at`, sql`n.effective_at + interval '30 minutes'`];
  const isBeside = side === 'before' ? sql`<` : sql`>`;
  const nearest = side === 'before' ? sql`desc` : sql`asc`;
  return sql`(select ${countFields(sql`o`)} from stock_movements o where o.item_type = n.item_type and o.item_id = n.item_id
    and o.kind = 'count' and o.source <> ${reviewSource} and not ${isFirstCount} and o.effective_at between ${from} and ${to}
    and o.effective_at between ${counts.early} and ${counts.late}
    and (o.effective_at, o.event_id) ${isBeside} (n.effective_at, n.event_id)
    order by o.effective_at ${nearest}, o.event_id ${nearest} limit 1)`;
};

const countFields = (count: SQL): SQL =>
  sql`${count}.event_id, ${count}.quantity, ${count}.actor_id, ${count}.effective_at`;

type Moment = { at: SQL; id: SQL };

/** What was put in and taken out between two counts of an item. */
const movedBetween = (item: SQL, a: Moment, b: Moment, within = sql`true`): SQL => sql`(
  select coalesce(sum(t.quantity), 0)::int from stock_movements t
  where (t.item_type, t.item_id) = ${item} and t.kind <> 'count' and t.effective_at between ${a.at} and ${b.at} and ${within}
    and (t.effective_at, t.event_id) > (${a.at}, ${a.id}) and (t.effective_at, t.event_id) < (${b.at}, ${b.id}))`;

function insertConflicts(tx: Db, counts: NewCounts) {
  const earlier = sql`(n.effective_at, n.event_id) < (o.effective_at, o.event_id)`;
  const moved = movedBetween(
    sql`(n.item_type, n.item_id)`,
    { at: sql`a.effective_at`, id: sql`a.event_id` },
    { at: sql`b.effective_at`, id: sql`b.event_id` },
    sql`t.effective_at between ${counts.early} and ${counts.late}`,
  );
  return rows<{ first: number; second: number }>(
    tx,
    sql`insert into count_conflicts (item_type, item_id, first_event_id, first_quantity, first_actor_id, first_at,
          second_event_id, second_quantity, second_actor_id, second_at)
        select n.item_type, n.item_id, a.event_id, a.quantity, a.actor_id, a.effective_at,
          b.event_id, b.quantity, b.actor_id, b.effective_at
        from ${counts.source} n
        cross join lateral (${near('before', counts)} union all ${near('after', counts)}) o
        cross join lateral (select ${countFields(sql`o`)} where not ${earlier} union all select ${countFields(sql`n`)} where ${earlier}) a
        cross join lateral (select ${countFields(sql`n`)} where not ${earlier} union all select ${countFields(sql`o`)} where ${earlier}) b
        where o.actor_id <> n.actor_id and b.quantity <> greatest(0, a.quantity + ${moved})
        on conflict do nothing
        returning first_actor_id as first, second_actor_id as second`,
  );
}

const joinItem = sql`left join inventory_items i on c.item_type = 'market_item' and i.id = c.item_id
  left join markets mk on mk.id = i.market_id
  left join vending_machine_inventory t on c.item_type = 'machine_slot' and t.id = c.item_id
  left join vending_machines vm on vm.id = t.machine_id
  left join users fu on fu.id = c.first_actor_id left join users su on su.id = c.second_actor_id`;

/** Nobody can count again what was taken out. */
const isThere = sql`coalesce(i.deleted_at, t.deleted_at, mk.deleted_at, vm.deleted_at) is null`;

const itemFields = sql`c.id, c.item_type as "itemType", c.item_id as "itemId",
  coalesce(i.product_name, t.product_name) as "productName", t.slot_number as "slotNumber",
  coalesce(mk.name, vm.name) as place,
  case when mk.id is null then 'vending_machine' else 'market' end as "placeType", coalesce(mk.id, vm.id) as "placeId"`;

/** What moved between the two counts of a difference, `c`. */
export const movedInConflict = movedBetween(
  sql`(c.item_type, c.item_id)`,
  { at: sql`c.first_at`, id: sql`c.first_event_id` },
  { at: sql`c.second_at`, id: sql`c.second_event_id` },
);

type PlacedRow = {
  id: number;
  productName: string;
  slotNumber: string | null;
  place: string;
  placeType: 'market' | 'vending_machine';
  placeId: number;
  firstQuantity: number;
  firstAt: string;
  secondQuantity: number;
  secondAt: string;
};

type ConflictRow = PlacedRow &
  Pick<CountConflict, 'itemType' | 'itemId' | 'moved' | 'quantityNow'> & {
    firstPerson: string | null;
    secondPerson: string | null;
  };

const iso = (at: string | Date): string => new Date(at).toISOString();

/** Differences nobody has settled, the oldest first, and how many there are in all. */
export async function listConflicts(db: Db, limit: number): Promise<{ total: number; rows: CountConflict[] }> {
  const found = await rows<ConflictRow & { total: number }>(
    db,
    sql`select ${itemFields}, ${movedInConflict} as moved, coalesce(i.current_quantity, t.current_quantity) as "quantityNow",
          c.first_quantity as "firstQuantity", ${personName('fu')} as "firstPerson", c.first_at as "firstAt",
          c.second_quantity as "secondQuantity", ${personName('su')} as "secondPerson", c.second_at as "secondAt",
          count(*) over ()::int as total
        from count_conflicts c ${joinItem}
        where c.resolved_at is null and coalesce(i.id, t.id) is not null and ${isThere}
        order by c.second_at, c.id limit ${limit}`,
  );
  return { total: found[0]?.total ?? 0, rows: found.map(toConflict) };
}

function toConflict(row: ConflictRow): CountConflict {
  const { itemType, itemId, productName, slotNumber, place, moved, quantityNow, id } = row;
  return {
    ...{ id, itemType, itemId, productName, slotNumber, place, moved, quantityNow },
    location: { type: row.placeType, id: row.placeId },
    first: { quantity: row.firstQuantity, person: row.firstPerson, at: iso(row.firstAt) },
    second: { quantity: row.secondQuantity, person: row.secondPerson, at: iso(row.secondAt) },
  };
}

type NoticeRow = PlacedRow & {
  isFirst: boolean;
  otherPerson: string | null;
  resolution: CountNotice['resolution'];
};

/** What a person is told of own counts that differ from somebody else's: open ones, and those ended since an instant. */
export async function listOwnConflicts(db: Db, userId: number, endedSince: Date): Promise<CountNotice[]> {
  const found = await rows<NoticeRow>(
    db,
    sql`select ${itemFields}, c.first_actor_id = ${userId} as "isFirst", c.resolution,
          case when c.first_actor_id = ${userId} then ${personName('su')} else ${personName('fu')} end as "otherPerson",
          c.first_quantity as "firstQuantity", c.first_at as "firstAt",
          c.second_quantity as "secondQuantity", c.second_at as "secondAt"
        from count_conflicts c ${joinItem}
        where (c.first_actor_id = ${userId} or c.second_actor_id = ${userId}) and coalesce(i.id, t.id) is not null and ${isThere}
          and (c.resolved_at is null or c.resolved_at > ${endedSince.toISOString()})
        order by c.second_at desc limit 50`,
  );
  return found.map(toNotice);
}

function toNotice(row: NoticeRow): CountNotice {
  const { isFirst, resolution } = row;
  const first = { quantity: row.firstQuantity, at: iso(row.firstAt) };
  const second = { quantity: row.secondQuantity, at: iso(row.secondAt) };
  const isDecided = resolution === 'first' || resolution === 'second';
  return {
    id: row.id,
    productName: row.productName,
    slotNumber: row.slotNumber,
    place: row.place,
    location: { type: row.placeType, id: row.placeId },
    mine: isFirst ? first : second,
    other: { ...(isFirst ? second : first), person: row.otherPerson },
    resolution,
    mineHolds: isDecided ? (resolution === 'first') === isFirst : null,
  };
}
