import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { findWrongBalances, recordEvents } from '../inventory/service.ts';
import { countWrongDaySums, countWrongRefunds } from '../need/service.ts';
import { countWrongPaymentSums } from '../payments/service.ts';
import { correctSale, countWrongDailySums, recordSales, refundSales, type Sale } from '../sales/service.ts';
import { saveOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot } from '../testing/factories.ts';
import { rollUpOldMonths } from './service.ts';

const dayMs = 86_400_000;
const kinds = [
  'sale',
  'sale',
  'sale',
  'count',
  'restock',
  'spoilage',
  'refund',
  'correct',
  'move',
  'putAway',
  'putAway',
] as const;
/** `day` counts over four months, of which the first two are put away; about a midnight of UTC or of New York, or at noon. */
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  place: fc.nat(2),
  day: fc.nat(120),
  hour: fc.constantFrom(0, 4.5, 5.5, 12, 23.99),
  n: fc.integer({ min: 0, max: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Place = { machineId: number | null; marketId: number | null; itemId: number; slot: string | null };
type Known = { sale: Sale; isCash: boolean };

onEachDatabase('months that are put away', (open) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-model-'));
  /** The same happens in both; of one the months are put away. */
  let both: { kept: Database; filed: Database };
  let serial = 0;
  let run = 0;

  beforeAll(async () => {
    both = { kept: await open(), filed: await open() };
    for (const { db } of Object.values(both))
      await saveOperator(db, { name: 'T', timeZone: 'America/New_York', currency: 'USD' });
  });
  afterAll(async () => {
    for (const database of Object.values(both)) await database.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Every run has four months of its own, as nothing old comes back. */
  const startOf = (): number => Date.UTC(1980, 4 * run, 1);
  const borderMs = (): number => Date.UTC(1980, 4 * run + 2, 1);
  const nowOf = (): Date => new Date(Date.UTC(1980, 4 * run + 4 + 14, 10));

  async function putAway(): Promise<string[]> {
    const { db } = both.filed;
    const log = { info: () => {} };
    return rollUpOldMonths({ db, clock: { now: nowOf }, env: { ledgerMonths: 16, dataFolder: folder }, log });
  }

  async function somePlaces(): Promise<Place[]> {
    const made: Place[][] = [];
    for (const { db } of Object.values(both)) {
      const machine = await buildMachine(db, { routeDesignation: '101' });
      const market = await buildMarket(db, { routeDesignation: '202' });
      const slots = [
        await buildSlot(db, machine.id, { slotNumber: 'A1' }),
        await buildSlot(db, machine.id, { slotNumber: 'A2' }),
      ];
      const item = await buildItem(db, market.id, { productName: 'Own' });
      made.push([
        ...slots.map((slot) => ({ machineId: machine.id, marketId: null, itemId: slot.id, slot: slot.slotNumber })),
        { machineId: null, marketId: market.id, itemId: item.id, slot: null },
      ]);
    }
    expect(made[0]).toEqual(made[1]);
    return made[0] ?? [];
  }

  const inBoth = async (work: (db: Database['db']) => Promise<unknown>): Promise<void> => {
    for (const { db } of Object.values(both)) await db.transaction((tx) => work(tx as never));
  };

  async function sell(place: Place, { n }: Step, at: Date, hasFiled: boolean): Promise<Known> {
    serial += 1;
    const sale: Sale = {
      ...{
        source: 'test',
        transactionId: `P${serial}`,
        line: null,
        machineId: place.machineId,
        marketId: place.marketId,
      },
      ...{
        slotNumber: place.slot,
        productName: place.marketId === null ? null : 'Own',
        productCode: null,
        category: null,
      },
      ...{
        quantity: n + 1,
        price: '1.50',
        totalAmount: (1.5 * (n + 1)).toFixed(2),
        currency: serial % 7 ? 'USD' : 'EUR',
      },
      ...{ paymentMethod: serial % 2 ? 'cash' : 'credit', soldAt: at, successful: serial % 5 !== 0 },
      ...{ refunded: serial % 6 === 0, flags: null },
    };
    // What comes after months were put away is told later than they were.
    const receivedAt = new Date(Math.max(nowOf().getTime(), hasFiled ? Date.now() + dayMs : 0));
    await inBoth((tx) => recordSales(tx, [sale], receivedAt));
    return { sale, isCash: serial % 2 === 1 };
  }

  const moved = (place: Place, { kind, n }: Step, at: Date) => ({
    eventId: crypto.randomUUID(),
    itemType: place.slot === null ? ('market_item' as const) : ('machine_slot' as const),
    itemId: place.itemId,
    kind: kind as 'count' | 'restock' | 'spoilage',
    quantity: kind === 'spoilage' ? -n : n,
    ...{ reason: null, shown: null, note: null, photoIds: [], effectiveAtUs: at.getTime() * 1000 },
    ...{ receivedAt: at.toISOString(), occurredAtClient: null, actorId: null, deviceId: null, deviceSeq: null },
    ...{ source: 'test', latitude: null, longitude: null, payloadHash: 'x' },
  });

  async function happen(places: readonly Place[], known: Known[], one: Step, hasFiled: boolean): Promise<void> {
    const place = places[one.place];
    const at = new Date(startOf() + one.day * dayMs + one.hour * 3_600_000);
    if (!place) return;
    if (one.kind === 'sale') {
      known.push(await sell(place, one, at, hasFiled));
      return;
    }
    if (one.kind === 'move') {
      const route = [null, '101', '202', '303', ''][one.n] ?? null;
      const table = place.machineId === null ? sql`markets` : sql`vending_machines`;
      await inBoth((tx) =>
        tx.execute(
          sql`update ${table} set route_designation = ${route} where id = ${place.machineId ?? place.marketId}`,
        ),
      );
      return;
    }
    if (one.kind === 'refund' || one.kind === 'correct') {
      const [sold] = known.splice(one.n % Math.max(1, known.length), 1);
      if (!sold) return;
      const { soldAt, transactionId } = sold.sale;
      const here = await rows(both.filed.db, sql`select from sales where transaction_id = ${transactionId}`);
      // Of what is in a file nothing changes any more.
      if (here.length === 0) return;
      serial += 1;
      const decision = `D${serial}`;
      const to = { quantity: one.n + 1, price: '2.00', totalAmount: (2 * (one.n + 1)).toFixed(2) };
      const late = new Date(Math.max(soldAt.getTime(), Date.now() + dayMs));
      if (one.kind === 'refund') await inBoth((tx) => refundSales(tx, [sold.sale]));
      else await inBoth((tx) => correctSale(tx, sold.sale, { to, decision, at: late }));
      known.push(sold);
      return;
    }
    // A count of a time before the opening count would be another history.
    if (one.kind === 'putAway' || (hasFiled && at.getTime() < borderMs())) return;
    const event = moved(place, one, at);
    await inBoth(async (tx) => {
      await tx.execute(sql`select ensure_month_partition('stock_movements', ${at.toISOString()}::timestamptz)`);
      await recordEvents(tx, [event], at.toISOString().slice(0, 10));
    });
  }

  const sums = ({ db }: Database) =>
    rows<{ name: string; told: string }>(
      db,
      sql`select 'items' as name, concat_ws(' ', item_type, item_id, day, units, refunded, amount, spoiled) as told from item_days
            where units <> 0 or amount <> 0 or refunded <> 0 or spoiled <> 0
          union all select 'daily', concat_ws('|', day, route_designation, product_name, payment_method, units, amount, lines)
            from sales_daily where lines <> 0
          union all select 'product', concat_ws('|', day, product_name, units, amount) from sales_by_product where units <> 0 or amount <> 0
          union all select 'route', concat_ws('|', day, route_designation, units, amount) from sales_by_route where units <> 0 or amount <> 0
          union all select 'payments', concat_ws('|', day, system, payment_method, status, currency, lines, units, amount, revenue)
            from payment_days where lines <> 0
          union all select 'hours', concat_ws('|', day, hour, system, currency, lines, amount, revenue) from payment_hours where lines <> 0
          union all select 'places', concat_ws('|', grain, first_day, currency, place, system, lines, failed, revenue)
            from payment_places where lines <> 0
          union all select 'location', concat_ws('|', day, location_type, location_id, units, amount) from place_days
            where units <> 0 or amount <> 0
          order by 1, 2`,
    );
  const stock = ({ db }: Database) =>
    rows(db, sql`select item_type, item_id, quantity from item_balances order by item_type, item_id`);

  const wrongSums = async ({ db }: Database) => [
    await countWrongDaySums(db),
    await countWrongRefunds(db),
    await countWrongPaymentSums(db),
    await countWrongDailySums(db),
  ];

  async function putAwayUnseen(): Promise<void> {
    const [stockBefore, sumsBefore] = [await stock(both.filed), await sums(both.filed)];
    await putAway();
    expect(await putAway()).toEqual([]);
    expect(await stock(both.filed)).toEqual(stockBefore);
    expect(await sums(both.filed)).toEqual(sumsBefore);
  }

  it('change neither the stock nor a sum, whatever comes late, and however often they are put away', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async (steps) => {
        run += 1;
        const places = await somePlaces();
        const known: Known[] = [];
        let hasFiled = false;
        for (const one of steps) {
          if (one.kind === 'putAway') {
            await putAwayUnseen();
            hasFiled = true;
          } else await happen(places, known, one, hasFiled);
        }
        await putAwayUnseen();
        expect(await sums(both.filed)).toEqual(await sums(both.kept));
        expect(await findWrongBalances(both.filed.db)).toEqual([]);
        expect(await wrongSums(both.filed)).toEqual([0, 0, 0, 0]);
        // The sums of a copy that keeps all rows follow the operator into another zone and back.
        const before = await sums(both.kept);
        for (const timeZone of ['Asia/Tokyo', 'America/New_York']) {
          await saveOperator(both.kept.db, { timeZone });
          expect(await wrongSums(both.kept)).toEqual([0, 0, 0, 0]);
        }
        expect(await sums(both.kept)).toEqual(before);
      }),
      { numRuns: process.env.MILKRUN_LONG === '1' ? 60 : 8 },
    );
    const filed = sql`select parent, max(part)::int as parts from rolled_up_months group by 1 order by 1`;
    const twice = { parts: expect.toSatisfy((parts: number) => parts > 1) };
    expect(await rows(both.filed.db, filed)).toEqual([
      { parent: 'sales', ...twice },
      { parent: 'stock_movements', ...twice },
    ]);
  }, 300_000);
});
