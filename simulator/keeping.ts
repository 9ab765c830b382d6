import type { Day } from './calendar.ts';
import { demandFactor, paymentOf, type SiteKind, saleMinute, seasonOf } from './demand.ts';
import type { EventIds } from './event-ids.ts';
import type { Category } from './operator/catalogue.ts';
import { at, type Random, randomOf } from './random.ts';
import type { Alert, Movement, Sale, Stock } from './records.ts';

/** `id` is null where a visit is not told one by one. */
export type Visit = { atMs: number; actorId: number | null; id: string | null };

/** One location over a span of time. */
export type Keeping = {
  seed: number;
  site: { type: 'market' | 'vending_machine'; id: number; kind: SiteKind; salesPerDay: number };
  /** Changed in place: afterwards what is there at the end. */
  stock: Stock[];
  visits: readonly Visit[];
  days: readonly Day[];
  /** Nothing is sold at or before the first; nothing at all happens after the last. */
  fromMs: number;
  toMs: number;
  /** A silent or broken machine sells nothing after this; null: sales go on. */
  lastSaleMs: number | null;
  ids: EventIds;
};

/** What moved: times never fall and ids rise, so the order of events is never in doubt. */
export type Kept = { sales: Sale[]; movements: Movement[]; alerts: Alert[] };

type Run = Keeping & { kept: Kept; random: Random; clockMs: number; visitsDone: number };

// A driver fills what is below these parts of its par, and not always: the truck may lack it.
const fillBelow = { market_item: 0.38, machine_slot: 0.26 };
const fillChance = { market_item: 0.48, machine_slot: 0.42 };
const fillEmptyChance = 0.65;
/** A count beside a refill, and one for its own sake. */
const countChance = { filling: 0.2, passing: 0.03 };
const shrinkChance = 0.02;
const spoilChance = 0.06;
const failedPart = 0.006;
const refundedPart = 0.004;
const pairPart = 0.06;
/** Time a driver's phone shows between two items of one visit. */
const itemMs = 400;

const perishable: ReadonlySet<Category> = new Set(['Fresh', 'Dairy']);

/** Sells, fills, counts, spoils and loses what stands at one location. */
export function keepLocation(keeping: Keeping): Kept {
  const { seed, site } = keeping;
  const typeCode = site.type === 'market' ? 1 : 2;
  const run: Run = {
    ...keeping,
    kept: { sales: [], movements: [], alerts: [] },
    random: randomOf(seed, typeCode, site.id),
    clockMs: Number.NEGATIVE_INFINITY,
    visitsDone: 0,
  };
  const sellsUntilMs = Math.min(keeping.toMs, keeping.lastSaleMs ?? keeping.toMs);
  for (const day of keeping.days) {
    run.random = randomOf(seed, typeCode, site.id, day.number);
    const shelf = shelfOf(keeping.stock, day.month);
    for (const saleMs of momentsOf(run, day)) {
      if (saleMs <= keeping.fromMs || saleMs > sellsUntilMs) continue;
      visitUntil(run, saleMs);
      sell(run, shelf, saleMs);
    }
  }
  visitUntil(run, keeping.toMs);
  return run.kept;
}

/** The first count of everything, when an operator begins to keep books. */
export function beginStock(keeping: Keeping): Movement[] {
  const random = randomOf(keeping.seed, keeping.site.type === 'market' ? 3 : 4, keeping.site.id);
  const run: Run = {
    ...keeping,
    kept: { sales: [], movements: [], alerts: [] },
    random,
    clockMs: keeping.fromMs,
    visitsDone: 0,
  };
  for (const item of keeping.stock) {
    item.actual = Math.round(item.par * (0.35 + 0.65 * random.next()));
    count(run, item, { atMs: keeping.fromMs, actorId: null, id: null });
  }
  return run.kept.movements;
}

function momentsOf(run: Run, day: Day): number[] {
  if (run.stock.length === 0) return [];
  const { random, site } = run;
  const moments: number[] = [];
  for (let left = random.poisson(site.salesPerDay * demandFactor(site.kind, day)); left > 0; left--) {
    const saleMs = Math.round(day.startMs + saleMinute(site.kind, random.next()) * 60_000);
    // The hour that a spring day lacks would otherwise fall into the next day.
    if (saleMs < day.endMs) moments.push(saleMs);
  }
  return moments.sort((a, b) => a - b);
}

type Shelf = { sums: number[]; total: number };

function shelfOf(stock: readonly Stock[], month: number): Shelf {
  let total = 0;
  const sums = stock.map((item) => {
    total += item.pull * seasonOf(item.category, month);
    return total;
  });
  return { sums, total };
}

function choose(run: Run, shelf: Shelf): Stock {
  const wanted = run.random.next() * shelf.total;
  let low = 0;
  let high = shelf.sums.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(shelf.sums, middle) > wanted) high = middle;
    else low = middle + 1;
  }
  return at(run.stock, low);
}

function tick(run: Run, ms: number): number {
  run.clockMs = Math.min(Math.max(ms, run.clockMs), run.toMs);
  return run.clockMs;
}

function sell(run: Run, shelf: Shelf, saleMs: number): void {
  const { random, site } = run;
  const first = choose(run, shelf);
  // Half of those who find their choice gone take another.
  const item = first.actual > 0 || random.chance(0.5) ? first : choose(run, shelf);
  if (item.actual <= 0) return;
  const chance = random.next();
  const quantity = site.type === 'market' && item.actual > 1 && random.chance(pairPart) ? 2 : 1;
  const state = saleState(chance);
  const atMs = tick(run, saleMs);
  const payment = paymentOf(site.type === 'market' ? 'market' : site.kind, random.next());
  run.kept.sales.push({
    eventId: run.ids(),
    itemType: item.itemType,
    itemId: item.id,
    atMs,
    quantity,
    payment,
    state,
  });
  if (state === 'failed') return;
  item.actual -= quantity;
  believe(run, item, item.believed - quantity, atMs);
}

function saleState(chance: number): Sale['state'] {
  if (chance < failedPart) return 'failed';
  return chance < failedPart + refundedPart ? 'refunded' : 'sold';
}

/** Every movement ends here: the ledger's quantity, and the sold-out alert that follows from it. */
function believe(run: Run, item: Stock, quantity: number, atMs: number): void {
  item.believed = quantity;
  item.movements += 1;
  if (quantity <= 0) {
    item.soldOutMs ??= atMs;
    return;
  }
  if (item.soldOutMs !== null && item.slotNumber) run.kept.alerts.push(soldOutAlert(item, item.soldOutMs, atMs));
  item.soldOutMs = null;
}

export function soldOutAlert(item: Stock, atMs: number, resolvedMs: number | null): Alert {
  return {
    machineId: item.locationId,
    slotId: item.id,
    alertType: 'out_of_stock',
    message: `${item.slotNumber} ${item.productName} is sold out`,
    severity: 'medium',
    atMs,
    resolvedMs,
  };
}

function visitUntil(run: Run, ms: number): void {
  for (let visit = run.visits[run.visitsDone]; visit && visit.atMs <= ms; visit = run.visits[run.visitsDone]) {
    run.visitsDone += 1;
    serve(run, visit);
  }
}

function serve(run: Run, visit: Visit): void {
  for (const [index, item] of run.stock.entries()) {
    const atMs = visit.atMs + (index + 1) * itemMs;
    if (item.actual > 0 && run.random.chance(shrinkChance)) item.actual -= 1;
    spoil(run, item, { ...visit, atMs });
    const wanted =
      item.actual <= item.par * fillBelow[item.itemType] &&
      run.random.chance(item.actual <= 0 ? fillEmptyChance : fillChance[item.itemType]);
    const looks = run.random.chance(wanted ? countChance.filling : countChance.passing);
    // A count of before the books' last entry would be overruled by it.
    if ((looks || (wanted && item.actual !== item.believed)) && visit.atMs > run.fromMs) {
      count(run, item, { ...visit, atMs });
    }
    if (wanted) restock(run, item, { ...visit, atMs });
  }
}

function spoil(run: Run, item: Stock, visit: Visit): void {
  if (!item.category || !perishable.has(item.category) || item.itemType === 'machine_slot') return;
  if (item.actual <= 0 || !run.random.chance(spoilChance)) return;
  const gone = Math.min(item.actual, run.random.int(1, 2));
  item.actual -= gone;
  move(run, item, { kind: 'spoilage', quantity: -gone, reason: null }, visit);
}

function restock(run: Run, item: Stock, visit: Visit): void {
  const quantity = item.par - item.actual;
  if (quantity <= 0) return;
  item.actual += quantity;
  move(run, item, { kind: 'restock', quantity, reason: 'barcode_restock' }, visit);
}

function move(run: Run, item: Stock, what: Pick<Movement, 'kind' | 'quantity' | 'reason'>, visit: Visit): void {
  const atMs = tick(run, visit.atMs);
  const { itemType, id: itemId, believed } = item;
  run.kept.movements.push({
    ...what,
    eventId: run.ids(),
    itemType,
    itemId,
    shown: believed,
    atMs,
    actorId: visit.actorId,
    visitId: visit.id,
  });
  if (what.kind === 'restock') item.restockedMs = atMs;
  believe(run, item, believed + what.quantity, atMs);
}

function count(run: Run, item: Stock, visit: Visit): void {
  const atMs = tick(run, visit.atMs);
  const eventId = run.ids();
  const isFirst = item.anchor === null;
  run.kept.movements.push({
    eventId,
    itemType: item.itemType,
    itemId: item.id,
    kind: 'count',
    quantity: item.actual,
    reason: item.actual === 0 ? 'empty_slot' : 'manual_count',
    shown: isFirst ? null : item.believed,
    atMs,
    actorId: visit.actorId,
    visitId: visit.id,
  });
  item.anchor = { eventId, atMs };
  item.restockedMs = atMs;
  believe(run, item, item.actual, atMs);
}
