import type { PickedStop } from '../../../contract/need.ts';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { type ReturnReason, type VisitMovement, visitLine } from '../../../domain/field-event.ts';
import type { DayWork } from '../../offline/driver-day.ts';
import type { StockEntry } from '../../offline/records.ts';

export type ReturnLine = { productName: string; reason: ReturnReason; units: number };

export type Summary = {
  stops: number;
  done: number;
  skipped: number;
  unitsFilled: number;
  /** From the first start to the last end, or to now; null before the start. */
  minutes: number | null;
  miles: number;
  bags: string[];
};

const minuteMs = 60_000;

/** A driver's day in figures, from what this phone knows. */
export function summaryOf(routes: readonly ScheduledRoute[], work: DayWork, nowMs: number): Summary {
  const stops = routes.flatMap((route) => route.stops);
  const starts = routes.flatMap(({ startedAt }) => (startedAt ? [Date.parse(startedAt)] : []));
  const ends = routes.map(({ completedAt }) => (completedAt ? Date.parse(completedAt) : nowMs));
  const filled = [...addsByProduct(work.stock).values()].reduce((sum, units) => sum + units, 0);
  return {
    stops: stops.length,
    done: stops.filter((stop) => stop.completed).length,
    skipped: stops.filter((stop) => !stop.completed && stop.skippedReason !== null).length,
    unitsFilled: filled,
    minutes: starts.length > 0 ? Math.max(0, Math.round((Math.max(...ends) - Math.min(...starts)) / minuteMs)) : null,
    miles: routes.reduce((sum, route) => sum + route.totalDistance, 0),
    bags: bagsOf(work),
  };
}

/** Each visit's last word about its bag, in the order of the visits. */
function bagsOf({ visits }: DayWork): string[] {
  const last = new Map<string, string | null>();
  for (const { event } of visits) last.set(event.visitId, event.bagNumber);
  return [...new Set([...last.values()].flatMap((bag) => (bag ? [bag] : [])))];
}

/** Units put in by product, item by item of each visit. */
function addsByProduct(stock: readonly StockEntry[]): Map<string, number> {
  const items = new Map<string, StockEntry[]>();
  for (const entry of stock) {
    const key = `${entry.event.visitId}:${entry.itemKey}`;
    items.set(key, [...(items.get(key) ?? []), entry]);
  }
  const adds = new Map<string, number>();
  for (const entries of items.values()) {
    const name = entries[0]?.productName ?? '';
    adds.set(name, (adds.get(name) ?? 0) + visitLine(entries.map(movementOf)).adds);
  }
  return adds;
}

function movementOf({ event }: StockEntry): VisitMovement {
  const { kind, quantity, shown, reason } = event;
  return { kind, quantity, shown, reason: reason ?? null };
}

const spoiled: Record<string, ReturnReason> = { expired: 'expired', damaged: 'damaged' };

/**
 * What should be in the truck again: of what was loaded that which was not put in, and what was taken out by why. The
 * driver counts and corrects it.
 */
export function expectedReturns(brought: Iterable<PickedStop>, stock: readonly StockEntry[]): ReturnLine[] {
  const lines = new Map<string, ReturnLine>();
  const add = (productName: string, reason: ReturnReason, units: number): void => {
    if (units <= 0) return;
    const key = keyOf({ productName, reason });
    lines.set(key, { productName, reason, units: (lines.get(key)?.units ?? 0) + units });
  };
  const loaded = new Map<string, number>();
  for (const { items } of brought) {
    for (const { productName, fill } of items) loaded.set(productName, (loaded.get(productName) ?? 0) + fill);
  }
  const put = addsByProduct(stock);
  for (const [name, units] of loaded) add(name, 'unused', units - (put.get(name) ?? 0));
  for (const { productName, event } of stock) {
    if (event.kind === 'removal') add(productName, 'removed', -event.quantity);
    if (event.kind === 'spoilage') add(productName, spoiled[event.reason ?? ''] ?? 'other', -event.quantity);
  }
  return [...lines.values()].sort(byProduct);
}

export function keyOf({ productName, reason }: Pick<ReturnLine, 'productName' | 'reason'>): string {
  return `${reason}:${productName}`;
}

function byProduct(a: ReturnLine, b: ReturnLine): number {
  return a.productName.localeCompare(b.productName) || a.reason.localeCompare(b.reason);
}

/** What a driver typed lies over what is expected; nought takes a line out of the report. */
export function withTyped(expected: readonly ReturnLine[], typed: readonly ReturnLine[]): ReturnLine[] {
  const lines = new Map([...expected, ...typed].map((line) => [keyOf(line), line]));
  return [...lines.values()].sort(byProduct);
}
