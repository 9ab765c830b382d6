import { dayIn } from '../../domain/time.ts';
import { dayOf, daysBetween, timeZone } from '../../simulator/calendar.ts';
import { pull } from '../../simulator/demand.ts';
import { type EventIds, eventIdRange, eventIds } from '../../simulator/event-ids.ts';
import { dailyFault, faultsOn, longestFaultDays, silentMachines } from '../../simulator/faults.ts';
import { asOf, machinesWithFaults, seedOfPull } from '../../simulator/history.ts';
import { keepLocation, soldOutAlert } from '../../simulator/keeping.ts';
import type { OperatorPlan } from '../../simulator/operator/operator.ts';
import type { Site } from '../../simulator/operator/sites.ts';
import type { Alert, Stock } from '../../simulator/records.ts';
import type { Db } from '../db/database.ts';
import { publish } from '../live/hub.ts';
import { carryIncidents } from './carry-incidents.ts';
import {
  findActiveMachines,
  findConnected,
  lockStock,
  refoldBalances,
  resolveRefilled,
  resolveRepaired,
  type StockRow,
  updateLastSeen,
} from './carry-queries.ts';
import { type Carry, carryRoutes, type VisitsBySite } from './carry-routes.ts';
import { insertSimulatedAlerts } from './load-queries.ts';
import { ensureMonths, insertMoves, insertSales, sumSales } from './movement-queries.ts';

const sitesAtOnce = { vending_machine: 500, market: 50 };

/** Lives the operator's life on: routes, sales, visits, alerts and reports since it was last carried forward. */
export async function carry(tx: Db, span: Carry): Promise<void> {
  const { plan, fromMs, nowMs, today } = span;
  await ensureMonths(tx, fromMs, nowMs);
  const visits = await carryRoutes(tx, span);
  const active = await findActiveMachines(tx);
  const machineIds = plan.sites.filter((site) => site.type === 'vending_machine').map((site) => site.id);
  const silent = silentMachines(plan.seed, machineIds, dayOf(today));
  const series = dayOf(today).number;
  const life = { ...span, visits, silent, ids: eventIds(plan.seed, series) };
  for (const type of ['vending_machine', 'market'] as const) {
    for (const group of groupsOf(plan, type)) await carrySites(tx, life, type, group);
  }
  await sumSales(tx, eventIdRange(plan.seed, series));
  await carryFaults(tx, span, active);
  await resolveRefilled(tx, nowMs);
  await updateLastSeen(
    tx,
    machineIds
      .filter((id) => active.has(id))
      .map((id) => ({ id, seenMs: Math.min(silent.get(id) ?? nowMs, nowMs - (id % 40) * 60_000) })),
  );
  await carryIncidents(tx, span);
  for (const topic of ['stock', 'machines', 'markets', 'alerts', 'routes', 'sales'] as const)
    await publish(tx, { topic });
}

function groupsOf(plan: OperatorPlan, type: Site['type']): Site[][] {
  const sites = plan.sites.filter((site) => site.type === type);
  const size = sitesAtOnce[type];
  return Array.from({ length: Math.ceil(sites.length / size) }, (_, n) => sites.slice(n * size, (n + 1) * size));
}

type Life = Carry & { visits: VisitsBySite; silent: Map<number, number>; ids: EventIds };

async function carrySites(tx: Db, life: Life, type: Site['type'], sites: readonly Site[]): Promise<void> {
  const first = sites[0];
  const last = sites.at(-1);
  if (!first || !last) return;
  const found = await lockStock(tx, type, { from: first.id, to: last.id });
  const bySite = new Map<number, Stock[]>();
  for (const row of found) {
    const list = bySite.get(row.locationId) ?? [];
    bySite.set(row.locationId, list);
    list.push(toStock(row, type, life));
  }
  const itemType = type === 'market' ? 'market_item' : 'machine_slot';
  const kept = sites.map((site) => keep(life, site, bySite.get(site.id) ?? []));
  const movements = kept.flatMap((one) => one.movements);
  const connected = await findConnected(tx, type);
  const sales = kept.flatMap((one, index) => (connected.has(sites[index]?.id ?? 0) ? [] : one.sales));
  await insertMoves(tx, movements);
  await insertSales(tx, sales);
  const touched = new Set([...movements, ...sales].map((one) => one.itemId));
  await refoldBalances(tx, itemType, [...touched], life.nowMs);
  await insertSimulatedAlerts(
    tx,
    kept.flatMap((one) => one.alerts),
  );
}

function toStock(row: StockRow, type: Site['type'], life: Life): Stock {
  const itemType = type === 'market' ? 'market_item' : 'machine_slot';
  return {
    ...row,
    itemType,
    productId: row.productId ?? 0,
    capacity: row.par,
    price: '0',
    actual: Math.max(0, row.believed),
    // Every item of the operator has been counted before; which count it was does not matter here.
    anchor: { eventId: '', atMs: 0 },
    movements: 0,
    restockedMs: null,
    soldOutMs: row.believed > 0 ? null : life.fromMs,
    pull: pull(row.id, seedOfPull(life.plan.seed, itemType)),
  };
}

function keep(life: Life, site: Site, stock: Stock[]) {
  const { fromMs, nowMs } = life;
  const kept = keepLocation({
    seed: life.plan.seed,
    site,
    stock,
    visits: life.visits.get(site) ?? [],
    days: daysBetween(dayIn(timeZone, new Date(fromMs)), dayIn(timeZone, new Date(nowMs))),
    fromMs,
    toMs: nowMs,
    lastSaleMs: site.type === 'market' ? null : (life.silent.get(site.id) ?? null),
    ids: life.ids,
  });
  const open = stock.flatMap((item) =>
    item.soldOutMs === null || !item.slotNumber ? [] : soldOutAlert(item, item.soldOutMs, null),
  );
  // What was sold out before has its alert already.
  return { ...kept, alerts: [...kept.alerts, ...open].filter((alert) => alert.atMs > fromMs) };
}

/** Faults that began since, and repairs of those that were open. */
async function carryFaults(tx: Db, { plan, fromMs, nowMs, today }: Carry, active: Set<number>): Promise<void> {
  const machines = machinesWithFaults(plan).filter((machine) => active.has(machine.id));
  const since = dayIn(timeZone, new Date(fromMs - longestFaultDays * 86_400_000));
  const faults = daysBetween(since, today).flatMap((day): Alert[] => [
    ...machines.flatMap((machine) => faultsOn(plan.seed, machine, day)),
    ...dailyFault(plan.seed, machines, day),
  ]);
  await resolveRepaired(
    tx,
    faults.flatMap(({ machineId, alertType, atMs, resolvedMs }) =>
      resolvedMs !== null && resolvedMs <= nowMs ? { machineId, alertType, atMs, resolvedMs } : [],
    ),
  );
  const begun = faults.filter((fault) => fault.atMs > fromMs && fault.atMs <= nowMs);
  await insertSimulatedAlerts(
    tx,
    begun.map((fault) => asOf(fault, nowMs)),
  );
}
