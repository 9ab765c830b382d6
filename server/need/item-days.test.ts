import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ItemType } from '../../domain/inventory.ts';
import type { Database } from '../db/database.ts';
import { rows } from '../db/database.ts';
import type { LedgerEvent } from '../inventory/ledger.ts';
import { recordEvents } from '../inventory/service.ts';
import { beginImport } from '../past-imports/record.ts';
import { correctSale, recordSales, refundSales, type Sale, takeBackSales } from '../sales/service.ts';
import { saveOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot } from '../testing/factories.ts';
import { countWrongDaySums, countWrongRefunds, rebuildItemDays } from './item-days.ts';

const zone = 'America/New_York';
/** Around the night when New York's clocks go forward, so that one day has 23 hours. */
const startMs = Date.parse('2026-03-06T05:00:00Z');
const dayMs = 86_400_000;

type Place = {
  itemType: ItemType;
  itemId: number;
  machineId: number | null;
  marketId: number | null;
  slot: string | null;
};
const late = ['refund', 'correct', 'undo'] as const;
type Late = (typeof late)[number];
type Moving = 'sale' | 'count' | 'restock' | 'spoilage';
const moving = fc.constantFrom<Moving>('sale', 'count', 'count', 'restock', 'spoilage');
type Event = { place: number; atMs: number; kind: Moving | Late; quantity: number };
/** A sale that is there, and the import that brought it. */
type Known = { sale: Sale; importId: number };

const event = fc.record({
  place: fc.nat(2),
  // Anywhere, or about a midnight: the hours that another zone's day would take.
  atMs: fc.oneof(
    fc.integer({ min: 0, max: 5 * dayMs }),
    fc
      .tuple(fc.nat(10), fc.constantFrom(0, -1, -3, 2))
      .map(([n, hours]) => Math.max(0, (n * dayMs) / 2 + hours * 3_600_000)),
  ),
  kind: fc.constantFrom('sale', 'sale', 'sale', 'count', 'restock', 'spoilage', ...late),
  quantity: fc.integer({ min: 0, max: 4 }),
}) satisfies fc.Arbitrary<Event>;

/** As most of it comes, one after the other, or in any order. */
const history = fc.record({ events: fc.array(event, { minLength: 1, maxLength: 18 }), isAlong: fc.boolean() });
const moves = fc.array(
  fc.record({ place: fc.nat(2), atMs: event.map(({ atMs }) => atMs), quantity: fc.nat(3), kind: moving }),
  { minLength: 1, maxLength: 24 },
);

type Row = {
  itemType: string;
  itemId: number;
  day: string;
  units: number;
  refunded: number;
  amount: string;
  soldOut: number;
  closing: number | null;
  spoiled: number;
  missing: number;
};

let serial = 0;
const known: Known[] = [];
const isLate = (kind: Event['kind']): kind is Late => late.some((one) => one === kind);

onEachDatabase('days of items', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await saveOperator(database.db, { name: 'Test', timeZone: zone, currency: 'USD' });
  });
  afterAll(() => database.close());

  async function threePlaces(): Promise<Place[]> {
    const machine = await buildMachine(database.db);
    const market = await buildMarket(database.db);
    const slots = [await buildSlot(database.db, machine.id), await buildSlot(database.db, machine.id)];
    const item = await buildItem(database.db, market.id, { productName: `Own ${market.id}` });
    return [
      ...slots.map(
        (slot): Place => ({
          itemType: 'machine_slot',
          itemId: slot.id,
          machineId: machine.id,
          marketId: null,
          slot: slot.slotNumber,
        }),
      ),
      { itemType: 'market_item', itemId: item.id, machineId: null, marketId: market.id, slot: null },
    ];
  }

  async function happen(places: readonly Place[], one: Event): Promise<void> {
    const place = places[one.place];
    if (!place) return;
    const at = new Date(startMs + one.atMs);
    if (isLate(one.kind)) await happenLater(one.kind, one.quantity);
    else if (one.kind === 'sale') await sell(place, one.quantity + 1, at);
    else await move(place, { kind: one.kind, quantity: one.quantity }, at);
  }

  /** What becomes of a sale that is known already: any of them, the oldest as well as the newest. */
  async function happenLater(kind: Late, quantity: number): Promise<void> {
    const [one] = known.splice(quantity % Math.max(1, known.length), 1);
    if (!one) return;
    const { db } = database;
    const at = new Date(startMs + 9 * dayMs);
    if (kind === 'undo') return db.transaction((tx) => takeBackSales(tx, one.importId, at));
    serial += 1;
    const to = { quantity: quantity + 1, price: '1.50', totalAmount: (1.5 * (quantity + 1)).toFixed(2) };
    if (kind === 'refund') await db.transaction((tx) => refundSales(tx, [one.sale]));
    else await db.transaction((tx) => correctSale(tx, one.sale, { to, decision: `D${serial}`, at }));
    known.push(one);
  }

  async function sell(place: Place, quantity: number, at: Date): Promise<void> {
    serial += 1;
    const sale: Sale = {
      source: 'test',
      transactionId: `R${serial}`,
      line: null,
      machineId: place.machineId,
      marketId: place.marketId,
      slotNumber: place.slot,
      productName: place.marketId === null ? null : `Own ${place.marketId}`,
      productCode: null,
      category: null,
      quantity,
      price: '1.50',
      totalAmount: (1.5 * quantity).toFixed(2),
      currency: serial % 7 === 0 ? 'EUR' : 'USD',
      paymentMethod: 'cash',
      soldAt: at,
      successful: serial % 5 !== 0,
      refunded: serial % 6 === 0,
      flags: null,
    };
    await database.db.transaction(async (tx) => {
      const importId = await beginImport(tx, { kind: 'sales', file: 'sales.csv', by: null, at });
      await recordSales(tx, [sale], at);
      known.push({ sale, importId });
    });
  }

  async function move(place: Place, one: { kind: Moving; quantity: number }, at: Date): Promise<void> {
    await moveTogether([movement(place, one, at)]);
  }

  const moveTogether = (movements: LedgerEvent[]) =>
    database.db.transaction((tx) => recordEvents(tx, movements, '2026-03-06'));

  function movement(place: Place, one: { kind: Moving; quantity: number }, at: Date): LedgerEvent {
    const change = one.kind === 'spoilage' ? -one.quantity : one.quantity;
    return {
      eventId: crypto.randomUUID(),
      itemType: place.itemType,
      itemId: place.itemId,
      kind: one.kind,
      quantity: change,
      reason: null,
      shown: null,
      note: null,
      photoIds: [],
      effectiveAtUs: at.getTime() * 1000,
      receivedAt: at.toISOString(),
      occurredAtClient: null,
      actorId: null,
      deviceId: null,
      deviceSeq: null,
      source: 'test',
      latitude: null,
      longitude: null,
      payloadHash: 'x',
    };
  }

  const kept = (places: readonly Place[]) =>
    rows<Row>(
      database.db,
      sql`select item_type as "itemType", item_id as "itemId", day::text, units, refunded, amount::text, sold_out_seconds as "soldOut", closing,
            spoiled, missing
          from item_days where (item_type, item_id) in (select p."itemType", p."itemId"
            from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p("itemType" text, "itemId" int))
          order by item_type, item_id, day`,
    );

  /** Units of the sales themselves. */
  async function sold(places: readonly Place[]): Promise<number> {
    const found = await rows<{ units: number }>(
      database.db,
      sql`select coalesce(sum(s.quantity), 0)::int as units from sales s
            join jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p("itemId" int, "machineId" int)
              on p."itemId" = s.item_id and p."machineId" is not distinct from s.machine_id
          where s.successful and not s.refunded`,
    );
    return found[0]?.units ?? 0;
  }

  /** The same rows by a plain walk over the ledger, minute by minute of nothing but its own definition. */
  async function expected(places: readonly Place[]): Promise<Row[]> {
    const found: Row[] = [];
    for (const place of [...places].sort((a, b) =>
      (a.itemType + a.itemId.toString().padStart(9)).localeCompare(b.itemType + b.itemId.toString().padStart(9)),
    )) {
      const moves = await rows<{
        kind: string;
        quantity: number;
        day: string;
        at: number;
        starts: number;
        ends: number;
      }>(
        database.db,
        sql`select kind, quantity, d.day::text, floor(extract(epoch from effective_at))::float8 as at,
              extract(epoch from d.day::timestamp at time zone ${zone})::float8 as starts,
              extract(epoch from (d.day + 1)::timestamp at time zone ${zone})::float8 as ends
            from stock_movements, lateral (select (effective_at at time zone ${zone})::date as day) d
            where item_type = ${place.itemType} and item_id = ${place.itemId} order by effective_at, event_id`,
      );
      const amounts = await rows<{ day: string; amount: string }>(
        database.db,
        sql`select (sale_date at time zone ${zone})::date::text as day, sum(total_amount)::text as amount from sales
            where item_id = ${place.itemId} and coalesce(machine_id, -1) = ${place.machineId ?? -1}
              and successful and not refunded and currency = 'USD' group by 1`,
      );
      const refunds = await rows<{ day: string; units: number }>(
        database.db,
        sql`select (sale_date at time zone ${zone})::date::text as day, sum(quantity)::int as units from sales
            where item_id = ${place.itemId} and coalesce(machine_id, -1) = ${place.machineId ?? -1}
              and successful and refunded group by 1`,
      );
      const back = new Map(refunds.map((one) => [one.day, one.units]));
      const told = walk(place, moves, new Map(amounts.map((one) => [one.day, one.amount])));
      found.push(
        ...told.map((row) => {
          const refunded = back.get(row.day) ?? 0;
          return { ...row, refunded, units: row.units - refunded };
        }),
      );
    }
    return found;
  }

  it('equal the fold of the ledger after any movements in any order of arrival, and so does a rebuild', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ events, isAlong }) => {
        const places = await threePlaces();
        known.length = 0;
        for (const one of isAlong ? [...events].sort((a, b) => a.atMs - b.atMs) : events) await happen(places, one);
        const now = await kept(places);
        expect(now).toEqual(await expected(places));
        expect(await sold(places)).toBe(now.reduce((sum, row) => sum + row.units, 0));
        expect([await countWrongRefunds(database.db), await countWrongDaySums(database.db)]).toEqual([0, 0]);
        await rebuildItemDays(database.db);
        expect(await kept(places)).toEqual(now);
      }),
      { numRuns: process.env.MILKRUN_LONG === '1' ? 60 : 20 },
    );
  });

  it('equal that fold when movements come many at once', async () => {
    await fc.assert(
      fc.asyncProperty(moves, fc.integer({ min: 1, max: 8 }), async (all, atOnce) => {
        const places = await threePlaces();
        const along = [...all].sort((a, b) => a.atMs - b.atMs);
        for (let n = 0; n < along.length; n += atOnce) {
          await moveTogether(
            along.slice(n, n + atOnce).flatMap(({ place, kind, quantity, atMs }) => {
              const change = kind === 'sale' ? -quantity : quantity;
              const to = places[place];
              return to ? [movement(to, { kind, quantity: change }, new Date(startMs + atMs))] : [];
            }),
          );
        }
        expect(await kept(places)).toEqual(await expected(places));
      }),
      { numRuns: process.env.MILKRUN_LONG === '1' ? 60 : 20 },
    );
  });

  it('follow the operator into another time zone', async () => {
    const places = await threePlaces();
    await happen(places, { place: 0, atMs: dayMs - 60_000, kind: 'count', quantity: 3 });
    expect((await kept(places)).map((row) => row.day)).toEqual(['2026-03-06']);
    await saveOperator(database.db, { timeZone: 'Europe/Berlin' });
    expect((await kept(places)).map((row) => row.day)).toEqual(['2026-03-07']);
    await saveOperator(database.db, { timeZone: zone });
    expect((await kept(places)).map((row) => row.day)).toEqual(['2026-03-06']);
  });

  it('lose units and money of a sale that is refunded later, and the stock stays as it is', async () => {
    const places = await threePlaces();
    serial = 210_000;
    const [place] = places;
    if (!place) throw new Error('no place was made');
    await sell(place, 2, new Date(startMs + dayMs));
    expect(await kept(places)).toMatchObject([{ units: 2, amount: '3.00' }]);
    await database.db.execute(
      sql`update sales set refunded = true where item_id = ${place.itemId} and machine_id is not null`,
    );
    expect(await kept(places)).toMatchObject([{ units: 0, refunded: 2, amount: '0.00' }]);
    // A count that comes later writes the day anew.
    await happen(places, { place: 0, atMs: dayMs - 60_000, kind: 'count', quantity: 3 });
    expect(await kept(places)).toMatchObject([{ day: '2026-03-06' }, { units: 0, refunded: 2, closing: 1 }]);
  });
});

type Move = { kind: string; quantity: number; day: string; at: number; starts: number; ends: number };

function walk(place: Place, moves: readonly Move[], amounts: Map<string, string>): Row[] {
  let quantity: number | null = null;
  const days = new Map<string, Row>();
  moves.forEach((move, index) => {
    const before = moves[index - 1];
    const row = days.get(move.day) ?? {
      itemType: place.itemType,
      itemId: place.itemId,
      day: move.day,
      units: 0,
      refunded: 0,
      amount: amounts.get(move.day) ?? '0.00',
      soldOut: 0,
      closing: null,
      spoiled: 0,
      missing: 0,
    };
    days.set(move.day, row);
    if (quantity === 0) row.soldOut += move.at - (before?.day === move.day ? before.at : move.starts);
    if (move.kind === 'count' && quantity !== null) row.missing += Math.max(0, quantity - move.quantity);
    if (move.kind === 'spoilage') row.spoiled -= move.quantity;
    if (move.kind === 'count') quantity = move.quantity;
    else if (quantity !== null) quantity += move.quantity;
    if (move.kind === 'sale') row.units -= move.quantity;
    row.closing = quantity;
    if (quantity === 0 && moves[index + 1]?.day !== move.day) row.soldOut += move.ends - move.at;
  });
  return [...days.values()];
}
