import { type Day, dayOf, daysBetween } from './calendar.ts';
import { pull } from './demand.ts';
import { type EventIds, eventIds } from './event-ids.ts';
import { dailyFault, faultsOn, silentMachines } from './faults.ts';
import { beginStock, keepLocation, soldOutAlert, type Visit } from './keeping.ts';
import { catalogue } from './operator/catalogue.ts';
import { assortment, planogram } from './operator/layouts.ts';
import { type OperatorPlan, type Span, spanBounds } from './operator/operator.ts';
import type { Site } from './operator/sites.ts';
import { type DrivenDay, pastDay } from './operator/tours.ts';
import { randomOf } from './random.ts';
import type { Alert, Movement, Sale, Stock } from './records.ts';
import { lastUntoldDay, visitId } from './visits.ts';

/** A location with its stock as it stands at the end of the span. */
export type StockedSite = { site: Site; stock: Stock[]; lastSeenMs: number | null };

/** Some locations and all that happened at them: about ten thousand rows, so that any profile fits into memory. */
export type HistoryChunk = { sites: StockedSite[]; sales: Sale[]; movements: Movement[]; alerts: Alert[] };

const rowsPerChunk = 10_000;
const hourMs = 3_600_000;

/** Everything that happened at every location over the span, location by location. */
export function* simulateHistory(plan: OperatorPlan, span: Span): Generator<HistoryChunk> {
  const history = openHistory(plan, span);
  let chunk = emptyChunk();
  for (const site of plan.sites) {
    addSite(history, site, chunk);
    if (chunk.sales.length + chunk.movements.length < rowsPerChunk) continue;
    yield chunk;
    chunk = emptyChunk();
  }
  yield { ...chunk, alerts: [...chunk.alerts, ...sparedFaults(history)] };
}

/** The routes driven on each day of the span, day by day. */
export function* simulateRoutes(plan: OperatorPlan, span: Span): Generator<DrivenDay[]> {
  for (const day of daysBetween(span.from, span.until)) {
    yield plan.territories.flatMap((territory) => pastDay(territory.tours, day) ?? []);
  }
}

type History = {
  plan: OperatorPlan;
  days: Day[];
  fromMs: number;
  toMs: number;
  ids: EventIds;
  silent: Map<number, number>;
  visits: Map<Site, Visit[]>;
  lastId: { market_item: number; machine_slot: number };
};

function openHistory(plan: OperatorPlan, span: Span): History {
  const days = daysBetween(span.from, span.until);
  const machineIds = plan.sites.filter((site) => site.type === 'vending_machine').map((site) => site.id);
  return {
    plan,
    days,
    ...spanBounds(span),
    ids: eventIds(plan.seed, 0),
    silent: silentMachines(plan.seed, machineIds, dayOf(span.until)),
    visits: visitsOf(plan, span),
    lastId: { market_item: 0, machine_slot: 0 },
  };
}

function visitsOf(plan: OperatorPlan, span: Span): Map<Site, Visit[]> {
  const visits = new Map<Site, Visit[]>();
  const untoldUntil = lastUntoldDay(span);
  const driverOf = new Map(plan.territories.map((territory) => [territory.designation, territory.driver.id]));
  for (const routes of simulateRoutes(plan, span)) {
    for (const { tour, day, actualMs } of routes) {
      const actorId = driverOf.get(tour.designation) ?? null;
      for (const [index, site] of tour.sites.entries()) {
        const list = visits.get(site) ?? [];
        visits.set(site, list);
        list.push({
          atMs: actualMs[index] ?? 0,
          actorId,
          id: day > untoldUntil ? visitId(plan.seed, day, site) : null,
        });
      }
    }
  }
  return visits;
}

const emptyChunk = (): HistoryChunk => ({ sites: [], sales: [], movements: [], alerts: [] });

function addSite(history: History, site: Site, chunk: HistoryChunk): void {
  const { plan, days, fromMs, toMs } = history;
  const stock = stockOf(history, site);
  const lastSeenMs = lastSeen(history, site);
  const keeping = {
    seed: plan.seed,
    site,
    stock,
    days,
    fromMs,
    toMs,
    visits: history.visits.get(site) ?? [],
    lastSaleMs: lastSale(site, { fromMs, toMs, lastSeenMs }),
    ids: history.ids,
  };
  append(chunk.movements, beginStock(keeping));
  const kept = keepLocation(keeping);
  append(chunk.sales, kept.sales);
  append(chunk.movements, kept.movements);
  append(chunk.alerts, kept.alerts);
  append(chunk.alerts, openAlerts(history, site, stock));
  chunk.sites.push({ site, stock, lastSeenMs });
}

/** A spread would overflow the stack at these lengths. */
function append<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one);
}

function lastSeen(history: History, site: Site): number | null {
  if (site.type === 'market') return null;
  const silentSince = history.silent.get(site.id);
  if (silentSince !== undefined) return silentSince;
  return history.toMs - (site.id % 40) * 60_000;
}

function lastSale(site: Site, at: { fromMs: number; toMs: number; lastSeenMs: number | null }): number {
  if (site.status === 'inactive') return at.fromMs;
  if (site.status === 'maintenance') return at.toMs - 50 * hourMs;
  return at.lastSeenMs ?? at.toMs;
}

function openAlerts(history: History, site: Site, stock: readonly Stock[]): Alert[] {
  if (site.type === 'market') return [];
  const soldOut = stock.flatMap((item) => (item.soldOutMs === null ? [] : soldOutAlert(item, item.soldOutMs, null)));
  const machine = { id: site.id, hasCooler: hasCooler(site) };
  const faults = history.days.flatMap((day) => faultsOn(history.plan.seed, machine, day));
  return [...soldOut, ...faults.map((fault) => asOf(fault, history.toMs))];
}

function sparedFaults(history: History): Alert[] {
  const machines = machinesWithFaults(history.plan);
  return history.days
    .flatMap((day) => dailyFault(history.plan.seed, machines, day))
    .map((fault) => asOf(fault, history.toMs));
}

/** Machines as faults know them. */
export function machinesWithFaults(plan: OperatorPlan): { id: number; hasCooler: boolean }[] {
  return plan.sites
    .filter((site) => site.type === 'vending_machine' && site.status === 'active')
    .map((site) => ({ id: site.id, hasCooler: hasCooler(site) }));
}

/** An alert as it stood at an instant: a repair still to come has not happened. */
export function asOf(alert: Alert, ms: number): Alert {
  return alert.resolvedMs !== null && alert.resolvedMs > ms ? { ...alert, resolvedMs: null } : alert;
}

function hasCooler(site: Site): boolean {
  return site.model?.trays.some((tray) => tray.categories.includes('Water')) ?? false;
}

function stockOf(history: History, site: Site): Stock[] {
  const { seed } = history.plan;
  if (site.type === 'market') {
    const items = assortment(catalogue, randomOf(seed, 5, site.id));
    return items.map((item) => blankStock(history, site, { ...item, slotNumber: null, capacity: item.par }));
  }
  const slots = site.model ? planogram(site.model, randomOf(seed, 6, site.id)) : [];
  return slots.map((slot) => blankStock(history, site, slot));
}

type Standing = {
  product: (typeof catalogue)[number];
  slotNumber: string | null;
  capacity: number;
  par: number;
  minimum: number;
};

function blankStock(history: History, site: Site, standing: Standing): Stock {
  const itemType = site.type === 'market' ? 'market_item' : 'machine_slot';
  history.lastId[itemType] += 1;
  const id = history.lastId[itemType];
  const { product, slotNumber, capacity, par, minimum } = standing;
  return {
    itemType,
    id,
    locationId: site.id,
    productId: product.id,
    productName: product.name,
    slotNumber,
    category: product.category,
    capacity,
    par,
    minimum,
    price: product.price,
    believed: 0,
    actual: 0,
    anchor: null,
    movements: 0,
    restockedMs: null,
    soldOutMs: null,
    pull: pull(id, seedOfPull(history.plan.seed, itemType)),
  };
}

/** Market items and slots are numbered apart: their pulls come from different series. */
export function seedOfPull(seed: number, itemType: Stock['itemType']): number {
  return seed * 2 + (itemType === 'market_item' ? 1 : 0);
}
