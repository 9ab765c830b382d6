import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lengthOf } from '../../domain/report.ts';
import type { Database } from '../db/database.ts';
import { firstRow, rows } from '../db/database.ts';
import type { LedgerEvent } from '../inventory/ledger.ts';
import { recordEvents } from '../inventory/service.ts';
import { countWrongForeignDays, countWrongSlotlessDays } from '../need/service.ts';
import { products } from '../products/tables.ts';
import { recordSales, refundSales, type Sale } from '../sales/service.ts';
import { saveOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot } from '../testing/factories.ts';
import { findMarketPage } from './market-queries.ts';
import { findTradePage } from './sold-queries.ts';
import { findLosses, findSoldOutShare } from './stock-queries.ts';
import type { TradeRow, Wish } from './wish.ts';

const startMs = Date.parse('2026-03-02T05:00:00Z');
const dayMs = 86_400_000;
const short = { range: { from: '2026-03-06', to: '2026-03-09' }, before: { from: '2026-03-02', to: '2026-03-05' } };
const wishes: Wish[] = [
  ...[null, '101', '202'].map((route) => ({ ...short, route })),
  // Over several stretches of sixteen days, of which one begins on the 4th; the second has later days after it.
  {
    ...{ range: { from: '2026-03-05', to: '2026-04-08' }, before: { from: '2026-01-29', to: '2026-03-04' } },
    route: null,
  },
  {
    ...{ range: { from: '2026-02-01', to: '2026-03-07' }, before: { from: '2025-12-28', to: '2026-01-31' } },
    route: '101',
  },
];
const groups = ['product', 'category', 'route', 'location', 'machine', 'market'] as const;

const what = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('sale' as const, 'count' as const, 'spoilage' as const, 'restock' as const) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...([
        'noSlot',
        'refund',
        'undo',
        'product',
        'ownCost',
        'cost',
        'category',
        'rename',
        'route',
        'remove',
        'removePlace',
        'zone',
      ] as const),
    ),
  },
);
const step = fc.record({ what, place: fc.nat(3), atMs: fc.integer({ min: 0, max: 9 * dayMs }), n: fc.nat(3) });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const rest = { units: 1, amount: '1.25', amountBefore: '0.50' };
const orders: Record<string, (row: TradeRow) => number> = {
  '-sales': ({ amount }) => Number(amount),
  '-units': ({ units }) => units,
  '-margin': ({ margin }) => Number(margin),
  '-out': ({ soldOutShare }) => soldOutShare ?? -1,
};

/** What the report says of a group, told from the days of every single item. */
const groupOf = {
  product: { key: sql`coalesce(nullif(s.product_name, ''), p.name, '')`, only: sql`true` },
  category: {
    key: sql`case when s.item_type = 'slotless' and s.product_id <> 0 then coalesce(nullif(p.category, ''), s.category)
      else coalesce(nullif(s.category, ''), p.category, '') end`,
    only: sql`true`,
  },
  route: { key: sql`coalesce(s.route_designation, '')`, only: sql`true` },
  location: { key: sql`s.location_type || ':' || s.location_id`, only: sql`true` },
  machine: {
    key: sql`case s.location_type when 'market' then 'markets' else s.location_type || ':' || s.location_id end`,
    only: sql`true`,
  },
  market: {
    key: sql`s.location_type || ':' || s.location_id`,
    only: sql`s.location_type = 'market' and s.location_id in (select id from markets where deleted_at is null)`,
  },
};

onEachDatabase('sums of days', (open) => {
  let database: Database;
  let catalogue: number[] = [];
  let serial = 0;
  const sold: { source: string; transactionId: string; line: null }[] = [];
  beforeAll(async () => {
    database = await open();
    await saveOperator(database.db, { name: 'Test', timeZone: 'America/New_York', currency: 'USD' });
    const made = await database.db
      .insert(products)
      .values([
        { name: 'Cola', category: 'Drinks', unitCost: '0.50' },
        { name: 'Chips', category: 'Snacks', unitCost: null },
      ])
      .returning();
    catalogue = made.map((one) => one.id);
  });
  afterAll(() => database.close());

  type Place = { machineId: number | null; marketId: number | null; itemId: number; slot: string | null; name: string };

  async function somePlaces(): Promise<Place[]> {
    const { db } = database;
    const machine = await buildMachine(db, { routeDesignation: '101' });
    const other = await buildMachine(db, { routeDesignation: null });
    const market = await buildMarket(db, { routeDesignation: '202' });
    const slots = [
      await buildSlot(db, machine.id, { productId: catalogue[0] ?? null, productName: 'Cola' }),
      await buildSlot(db, machine.id, { productName: 'Own', category: 'Odd', cost: '0.30' }),
      await buildSlot(db, other.id, { productId: catalogue[1] ?? null, productName: 'Chips' }),
    ];
    const item = await buildItem(db, market.id, { productId: catalogue[0] ?? null, productName: 'Cola' });
    return [
      ...slots.map((slot) => ({
        ...{
          machineId: slot.machineId,
          marketId: null,
          itemId: slot.id,
          slot: slot.slotNumber,
          name: slot.productName,
        },
      })),
      { machineId: null, marketId: market.id, itemId: item.id, slot: null, name: 'Cola' },
    ];
  }

  const table = (place: Place) => (place.machineId === null ? sql`inventory_items` : sql`vending_machine_inventory`);
  const locations = (place: Place) => (place.machineId === null ? sql`markets` : sql`vending_machines`);

  async function happen(place: Place, { what: kind, atMs, n }: Step): Promise<void> {
    const { db } = database;
    const at = new Date(startMs + atMs);
    if (kind === 'sale') return sell(place, n + 1, at);
    if (kind === 'noSlot')
      return sell({ ...place, slot: 'Z9', name: ['Chips', 'Ghost', '', 'Ghost'][n] ?? '' }, n + 1, at);
    if (kind === 'count' || kind === 'spoilage' || kind === 'restock') return move(place, kind, n, at);
    const last = sold.at(-1);
    if (kind === 'refund' && last) await db.transaction((tx) => refundSales(tx, [last]));
    if (kind === 'undo' && last) await db.execute(sql`delete from sales where transaction_id = ${last.transactionId}`);
    const item = sql`${table(place)} set`;
    const product = catalogue[n % 2] ?? 0;
    if (kind === 'product')
      await db.execute(
        sql`update ${item} product_id = ${product}, product_name = (select name from products where id = ${product}) where id = ${place.itemId}`,
      );
    if (kind === 'ownCost' && place.machineId !== null)
      await db.execute(
        sql`update ${item} cost = ${n === 0 ? null : n}, category = ${n === 1 ? null : `C${n}`} where id = ${place.itemId}`,
      );
    if (kind === 'rename')
      await db.execute(sql`update ${item} product_name = ${`Name ${n}`} where product_id = ${product}`);
    if (kind === 'cost')
      await db.execute(sql`update products set unit_cost = ${n === 0 ? null : n} where id <= ${product}`);
    if (kind === 'category') await db.execute(sql`update products set category = ${`K${n}`} where id = ${product}`);
    const gone = sql`deleted_at = case when deleted_at is null then now() end`;
    if (kind === 'remove') await db.execute(sql`update ${item} ${gone} where id = ${place.itemId}`);
    const location = place.machineId ?? place.marketId;
    if (kind === 'removePlace') await db.execute(sql`update ${locations(place)} set ${gone} where id = ${location}`);
    if (kind === 'route')
      await db.execute(
        sql`update ${locations(place)} set route_designation = ${[null, '101', '202', ''][n]} where id = ${location}`,
      );
    if (kind === 'zone') await saveOperator(db, { timeZone: n % 2 ? 'Europe/Berlin' : 'America/New_York' });
  }

  async function sell(place: Place, quantity: number, at: Date): Promise<void> {
    serial += 1;
    const sale: Sale = {
      ...{
        source: 'test',
        transactionId: `R${serial}`,
        line: null,
        machineId: place.machineId,
        marketId: place.marketId,
      },
      ...{
        slotNumber: place.slot,
        productName: place.marketId === null && place.slot !== 'Z9' ? null : place.name || null,
        productCode: place.name === '' ? '4006381333931' : null,
        category: quantity > 3 ? 'Told' : null,
      },
      ...{
        quantity,
        price: '1.50',
        totalAmount: (1.5 * quantity).toFixed(2),
        currency: serial % 7 === 0 ? 'EUR' : 'USD',
      },
      ...{ paymentMethod: 'cash', soldAt: at, successful: serial % 5 !== 0, refunded: false, flags: null },
    };
    sold.push({ source: 'test', transactionId: sale.transactionId, line: null });
    await database.db.transaction((tx) => recordSales(tx, [sale], at));
  }

  async function move(place: Place, kind: 'count' | 'spoilage' | 'restock', n: number, at: Date): Promise<void> {
    const event: LedgerEvent = {
      ...{
        eventId: crypto.randomUUID(),
        itemType: place.machineId === null ? 'market_item' : 'machine_slot',
        itemId: place.itemId,
      },
      ...{ kind, quantity: kind === 'spoilage' ? -n : n, reason: null, shown: null, note: null, photoIds: [] },
      ...{ effectiveAtUs: at.getTime() * 1000, receivedAt: at.toISOString(), occurredAtClient: null, actorId: null },
      ...{ deviceId: null, deviceSeq: null, source: 'test', latitude: null, longitude: null, payloadHash: 'x' },
    };
    await database.db.transaction((tx) => recordEvents(tx, [event], '2026-03-06'));
  }

  /** Every kept sum that is not all zeros. */
  async function kept(): Promise<unknown> {
    const all: unknown[] = [];
    for (const name of [
      'foreign_days',
      'kind_days',
      'kind_stretches',
      'place_days',
      'place_stretches',
      'place_blocks',
      'designation_days',
      'sales_by_route',
      'sales_by_product',
    ]) {
      const found = await rows<{ row: Record<string, unknown> }>(
        database.db,
        sql`select to_jsonb(t) as row from ${sql.identifier(name)} t order by t::text`,
      );
      const figures =
        /^(units|amount|cost|costed|spoiled|missing|empty_seconds|emptied|filled|items|empty_now|filled_on)$/;
      const told = found.filter(({ row }) =>
        Object.entries(row).some(([key, value]) => figures.test(key) && value !== 0),
      );
      all.push([name, told.map(({ row }) => row)]);
    }
    return all;
  }

  async function rebuilt(): Promise<unknown> {
    await database.db.transaction(async (tx) => {
      await tx.execute(
        sql`select set_config('milkrun.rebuilding', 'on', true), rebuild_slotless_days(), set_config('milkrun.rebuilding', '', true)`,
      );
      await tx.execute(sql`select rebuild_stock_days(), rebuild_foreign_days()`);
      await tx.execute(sql`delete from sales_daily`);
      await tx.execute(sql`select rebuild_sales_daily()`);
    });
    return kept();
  }

  const days = ({ range, before }: Wish) => sql`(
    select d.*, coalesce((
             select sum(x.quantity) from sales x
             where x.item_id = d.item_id and d.item_type = case when x.machine_id is null then 'market_item' else 'machine_slot' end and x.successful
               and not x.refunded and x.currency = 'EUR' and (x.sale_date at time zone 'America/New_York')::date = d.day), 0)
           + coalesce((
             select sum(x.foreign_units) from slotless_sales x
             where d.item_type = 'slotless' and x.item_id = d.item_id and x.day = d.day), 0) as euros,
           d.day between ${range.from}::date and ${range.to}::date as within,
           d.day between ${before.from}::date and ${before.to}::date as earlier,
           case when d.day between ${range.from}::date and ${range.to}::date then d.sold_out_seconds else 0 end
           + case when d.closing = 0 then 86400 * greatest(0, least(coalesce((
               select min(n.day) from item_days n where n.item_type = d.item_type and n.item_id = d.item_id and n.day > d.day
                 and n.closing is not null), ${range.to}::date + 1), ${range.to}::date + 1) - greatest(d.day + 1, ${range.from}::date)) else 0 end
             as empty from item_days d)`;

  const ofRoute = ({ route }: Wish) => (route === null ? sql`true` : sql`s.route_designation = ${route}`);

  async function expected(wish: Wish, by: (typeof groups)[number]): Promise<unknown[]> {
    const { key, only } = groupOf[by];
    return rows(
      database.db,
      sql`select g.key, g.units::int, g.amount::numeric(14, 2)::text as amount, g.before::numeric(14, 2)::text as "amountBefore",
                 g.margin::numeric(14, 2)::text as margin, g.costed::numeric(14, 2)::text as "costedAmount",
                 case when (select min(day) from item_days) <= ${wish.range.to}::date
                   then g.empty / nullif(g.places * ${lengthOf(wish.range)} * 86400::float8, 0) end as share
          from (select ${key} as key, coalesce(sum(d.units) filter (where d.within), 0) as units,
                       coalesce(sum(d.amount) filter (where d.within), 0) as amount,
                       coalesce(sum(d.amount) filter (where d.earlier), 0) as before,
                       coalesce(sum(d.amount - (d.units - d.euros) * s.cost) filter (where d.within), 0) as margin,
                       coalesce(sum(d.amount) filter (where d.within and s.cost is not null), 0) as costed,
                       count(distinct (s.item_type, s.item_id)) filter (where s.living) as places,
                       coalesce(sum(d.empty) filter (where s.living), 0)::float8 as empty
                from stock_sellers s left join products p on p.id = s.product_id left join ${days(wish)} d using (item_type, item_id)
                where ${only} and ${ofRoute(wish)} group by 1) g
          where g.units <> 0 or g.amount <> 0 or g.before <> 0 or g.places > 0 order by g.key`,
    );
  }

  async function expectedShare(wish: Wish): Promise<number | null> {
    const found = await firstRow<{ share: number | null }>(
      database.db,
      sql`select case when (select min(day) from item_days) <= ${wish.range.to}::date then
            coalesce(sum(d.empty), 0)::float8 / nullif(count(distinct (s.item_type, s.item_id)) * ${lengthOf(wish.range)} * 86400::float8, 0) end as share
          from stock_sellers s left join ${days(wish)} d using (item_type, item_id) where s.living and ${ofRoute(wish)}`,
    );
    return found?.share ?? null;
  }

  async function expectedLosses(wish: Wish): Promise<unknown[]> {
    return rows(
      database.db,
      sql`select s.product_name as "productName", coalesce(sum(d.spoiled) filter (where d.within), 0)::int as spoiled,
                 coalesce(sum(d.missing) filter (where d.within), 0)::int as missing,
                 (sum(d.spoiled * s.cost) filter (where d.within))::numeric(14, 2)::text as "spoiledCost"
          from ${days(wish)} d join stock_sellers s using (item_type, item_id)
          where (d.within or d.earlier) and (d.spoiled > 0 or d.missing > 0) and ${ofRoute(wish)} group by 1 order by 1`,
    );
  }

  async function reported(wish: Wish, by: (typeof groups)[number]) {
    const asked = { sort: 'name', limit: 1000 };
    if (by !== 'market') return (await findTradePage(database.db, wish, { ...asked, by, rest: null })).rows;
    const { rows: found } = await findMarketPage(database.db, wish, asked);
    return found.map((row) => ({ ...row, key: `market:${row.id}` }));
  }

  /** The same in any order, a few lines at a time: every page takes up where the one before ends. */
  async function walked(wish: Wish, by: 'location' | 'machine', sort: string) {
    const found: Awaited<ReturnType<typeof findTradePage>>['rows'] = [];
    let page: string | undefined;
    do {
      const { rows: some, next, total } = await findTradePage(database.db, wish, { by, sort, limit: 3, page, rest });
      found.push(...some);
      expect(total).toBeGreaterThanOrEqual(found.length);
      page = next ?? undefined;
    } while (page);
    return found;
  }

  const byKey = (one: { key: string }, other: { key: string }): number => (one.key < other.key ? -1 : 1);
  const rounded = (share: number | null): number | null => (share === null ? null : Math.round(share * 1e6));

  it('equal what the rows say, whatever changes later, and so do the reports', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const places = await somePlaces();
        for (const one of steps) {
          const place = places[one.place];
          if (place) await happen(place, one);
        }
        for (const wish of wishes) {
          for (const by of groups) {
            const found = (await reported(wish, by)).sort(byKey).map(({ soldOutShare, key, ...row }) => {
              const { units, amount, amountBefore, margin, costedAmount } = row;
              return { key, units, amount, amountBefore, margin, costedAmount, share: rounded(soldOutShare) };
            });
            const wanted = (await expected(wish, by)) as { key: string; share: number | null }[];
            const told = wanted.sort(byKey).map(({ share, ...row }) => ({ ...row, share: rounded(share) }));
            // Every living market is in its report, also one that has nothing to tell.
            const isTold = (row: { amount?: unknown; amountBefore?: unknown; share: number | null }): boolean =>
              by !== 'market' || row.share !== null || row.amount !== '0.00' || row.amountBefore !== '0.00';
            expect([wish, by, found.filter(isTold)]).toEqual([wish, by, told.filter(isTold)]);
          }
          for (const by of ['location', 'machine'] as const) {
            const whole = (await findTradePage(database.db, wish, { by, sort: 'name', limit: 1000, rest })).rows;
            for (const [sort, value] of Object.entries(orders)) {
              const lines = await walked(wish, by, sort);
              expect([...lines].sort(byKey)).toEqual([...whole].sort(byKey));
              const values = lines.map(value);
              expect([wish, by, sort, values]).toEqual([wish, by, sort, [...values].sort((a, b) => b - a)]);
            }
          }
          expect(rounded(await findSoldOutShare(database.db, wish))).toBe(rounded(await expectedShare(wish)));
          const losses = await findLosses(database.db, wish);
          const names = losses.map(({ productName, spoiled, missing, spoiledCost }) => {
            return { productName, spoiled, missing, spoiledCost };
          });
          expect(names.sort((a, b) => (a.productName < b.productName ? -1 : 1))).toEqual(await expectedLosses(wish));
        }
        expect([await countWrongSlotlessDays(database.db), await countWrongForeignDays(database.db)]).toEqual([0, 0]);
        const before = await kept();
        expect(before).toEqual(await rebuilt());
      }),
      { numRuns: process.env.MILKRUN_LONG === '1' ? 30 : 8 },
    );
  }, 300_000);
});
