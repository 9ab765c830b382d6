import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fold, type Movement } from '../../domain/inventory.ts';
import { rows } from '../db/database.ts';
import { toUs } from '../inventory/ledger-queries.ts';
import { getOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { loadOperator } from './load.ts';
import { carryForward } from './service.ts';

const options = { profile: 'S', seed: 1, days: 10, until: '2026-03-11' } as const;
const quiet = (): void => {};

type Counts = { sales: number; movements: number; keys: number; routes: number; alerts: number; units: number };

function countAll({ deps }: TestApp): Promise<Counts[]> {
  return rows<Counts>(
    deps.db,
    sql`select (select count(*)::int from sales) as sales, (select count(*)::int from stock_movements) as movements,
          (select count(*)::int from event_keys) as keys, (select count(*)::int from routes) as routes,
          (select count(*)::int from vending_machine_alerts) as alerts,
          (select sum(quantity)::int from item_balances) as units`,
  );
}

type Item = { itemType: string; itemId: number; quantity: number; shown: number; anchorEventId: string };
type Told = Movement & { key: string };

/** Balances of all items against the fold of their movements. */
async function wrongBalances({ deps }: TestApp): Promise<Item[]> {
  const items = await rows<Item>(
    deps.db,
    sql`select b.item_type as "itemType", b.item_id as "itemId", b.quantity, b.anchor_event_id as "anchorEventId",
          coalesce(t.current_quantity, i.current_quantity) as shown
        from item_balances b left join vending_machine_inventory t on b.item_type = 'machine_slot' and t.id = b.item_id
        left join inventory_items i on b.item_type = 'market_item' and i.id = b.item_id`,
  );
  const told = await rows<Told>(
    deps.db,
    sql`select item_type || item_id as key, event_id as "eventId", kind, quantity, ${toUs(sql`effective_at`)} as "effectiveAt"
        from stock_movements`,
  );
  const byItem = new Map<string, Told[]>();
  for (const one of told) {
    const list = byItem.get(one.key) ?? [];
    byItem.set(one.key, list);
    list.push(one);
  }
  return items.filter((item) => {
    const folded = fold(byItem.get(`${item.itemType}${item.itemId}`) ?? []);
    const right = folded.quantity === item.quantity && folded.anchor?.eventId === item.anchorEventId;
    return !right || item.shown !== Math.max(0, folded.quantity);
  });
}

/** Stops done without a visit, movements of drivers without one, and movements that lie outside of theirs. */
async function untold({ deps }: TestApp) {
  const [found] = await rows<Record<string, number | boolean>>(
    deps.db,
    sql`select (select count(*)::int from route_stops s left join visits v on v.stop_id = s.id and v.actor_id = s.completed_by
              and v.opened_at = s.actual_arrival and v.closed_at >= v.opened_at and v.route_id = s.route_id
              where s.completed and v.id is null) as stops,
          (select count(*)::int from stock_movements m left join visits v on v.id = m.visit_id
              where m.actor_id is not null and v.id is null) as movements,
          (select count(*)::int from stock_movements m join visits v on v.id = m.visit_id
              where m.actor_id <> v.actor_id or m.effective_at < v.opened_at) as astray,
          (select count(note) between 5 and count(*) / 2 from visits) as noted,
          (select count(bag_number) > 5 from visits) as "waitingBags"`,
  );
  return found;
}

type RouteNow = {
  name: string;
  status: string;
  started: boolean;
  future: boolean;
  stops: number;
  done: number;
  complete: boolean;
};

function routesOf({ deps }: TestApp, day: string): Promise<RouteNow[]> {
  const now = deps.clock.now().toISOString();
  return rows<RouteNow>(
    deps.db,
    sql`select r.name, r.status, r.started_at is not null as started,
          coalesce(greatest(r.started_at, r.completed_at, max(s.actual_arrival)) > ${now}::timestamptz, false) as future,
          count(*)::int as stops, count(*) filter (where s.completed)::int as done,
          bool_and(s.estimated_arrival is not null and s.leg_distance_km > 0 and r.driver_id is not null
            and r.vehicle_id is not null and r.depot_id is not null and r.total_distance > 0) as complete
        from routes r join route_stops s on s.route_id = r.id where r.date = ${day} group by r.id order by r.name`,
  );
}

onEachDatabase('the demo', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(open);
    t.setNow(new Date('2026-03-12T14:00:00Z'));
    await loadOperator(t.deps, options, quiet);
  });
  afterAll(() => t.close());

  it('books every sale with a key, a movement where it succeeded, and its daily sum', async () => {
    const [sums] = await rows<Record<string, number>>(
      t.deps.db,
      sql`select (select count(*)::int from sales s left join event_keys k using (event_id) where k.event_id is null) as "noKey",
            (select count(*)::int from sales s left join stock_movements m on m.event_id = s.event_id and m.kind = 'sale'
              and m.quantity = -s.quantity and m.effective_at = s.sale_date
              where s.successful <> (m.event_id is not null)) as "noMovement",
            (select sum(quantity)::int from sales where successful and not refunded)
              - (select sum(units)::int from sales_daily) as "unsummed",
            (select sum(lines)::int from sales_daily) as lines`,
    );
    expect(sums).toMatchObject({ noKey: 0, noMovement: 0, unsummed: 0 });
    expect(sums?.lines).toBeGreaterThan(2_000);
  });

  it('holds balances equal to the fold of their movements', async () => {
    expect(await wrongBalances(t)).toEqual([]);
  });

  it('tells each visit with what was counted and filled there', async () => {
    expect(await untold(t)).toEqual({ stops: 0, movements: 0, astray: 0, noted: true, waitingBags: true });
  });

  it('refuses a database that is not empty', async () => {
    await expect(loadOperator(t.deps, options, quiet)).rejects.toThrow('The database is not empty');
  });

  it('has the three routes of today, complete, with nothing of the future done', async () => {
    await carryForward(t.deps);
    const routes = await routesOf(t, '2026-03-12');
    expect(routes.map((route) => [route.name, route.status, route.future, route.complete])).toEqual([
      ['Route 101', 'planned', false, true],
      ['Route 202', 'in_progress', false, true],
      ['Route 505', 'completed', false, true],
    ]);
    expect((await getOperator(t.deps.db)).demoUntil).toBe('2026-03-12');
  });

  it('changes nothing the second time in a day', async () => {
    const before = await countAll(t);
    t.setNow(new Date('2026-03-12T22:00:00Z'));
    await carryForward(t.deps);
    expect(await countAll(t)).toEqual(before);
  });

  it('goes on the next night: old routes end, three new ones stand there, sales were made', async () => {
    const [before] = await countAll(t);
    t.setNow(new Date('2026-03-13T04:00:30Z'));
    await carryForward(t.deps);
    const [after] = await countAll(t);
    const old = await routesOf(t, '2026-03-12');
    const fresh = await routesOf(t, '2026-03-13');
    expect(old.every((route) => route.status === 'completed' && route.done === route.stops && !route.future)).toBe(
      true,
    );
    expect(fresh.map((route) => route.status)).toEqual(['planned', 'in_progress', 'completed']);
    expect(fresh.some((route) => route.future)).toBe(false);
    expect(after?.sales).toBeGreaterThan((before?.sales ?? 0) + 50);
  });

  it('catches up with days on which nobody ran it, balances and daily sums included', async () => {
    t.setNow(new Date('2026-03-20T15:00:00Z'));
    await carryForward(t.deps);
    expect(await routesOf(t, '2026-03-17')).toHaveLength(3);
    expect(await routesOf(t, '2026-03-20')).toHaveLength(3);
    expect(await wrongBalances(t)).toEqual([]);
    expect(await untold(t)).toMatchObject({ stops: 0, movements: 0, astray: 0 });
    const [sums] = await rows<{ missing: number }>(
      t.deps.db,
      sql`select (select sum(quantity)::int from sales where successful and not refunded)
            - (select sum(units)::int from sales_daily) as missing`,
    );
    expect(sums?.missing).toBe(0);
  });

  it('always has low stock, open alerts and machines that report', async () => {
    const [now] = await rows<{ low: number; faults: number; heard: number; wrong: number }>(
      t.deps.db,
      sql`select (select sum(low_stock_count)::int from markets) as low,
            (select count(*)::int from vending_machine_alerts where resolved_at is null and slot_id is null) as faults,
            (select count(*)::int from vending_machines where last_seen > '2026-03-20T13:00:00Z') as heard,
            (select count(*)::int from vending_machine_alerts a join vending_machine_inventory t on t.id = a.slot_id
              where a.resolved_at is null and t.current_quantity > 0) as wrong`,
    );
    expect(now?.low).toBeGreaterThan(3);
    expect(now?.faults).toBeGreaterThan(0);
    expect(now?.heard).toBeGreaterThan(40);
    expect(now?.wrong).toBe(0);
  });
});
