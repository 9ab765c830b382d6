import type { PickedStop } from '../../../contract/need.ts';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import { type ReturnReason, visitLine } from '../../../domain/field-event.ts';
import { isFilling } from '../../../domain/filling.ts';
import type { DayMovement, DayWork } from '../../offline/day/driver-day.ts';

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

/** A driver's day in figures. */
export function summaryOf(routes: readonly ScheduledRoute[], work: DayWork, nowMs: number): Summary {
  const stops = routes.flatMap((route) => route.stops);
  const starts = routes.flatMap(({ startedAt }) => (startedAt ? [Date.parse(startedAt)] : []));
  const ends = routes.map(({ completedAt }) => (completedAt ? Date.parse(completedAt) : nowMs));
  const filled = [...addsByProduct(work.movements).values()].reduce((sum, units) => sum + units, 0);
  return {
    stops: stops.length,
    done: stops.filter((stop) => stop.completed).length,
    skipped: stops.filter((stop) => !stop.completed && stop.skippedReason !== null).length,
    unitsFilled: filled,
    minutes: starts.length > 0 ? Math.max(0, Math.round((Math.max(...ends) - Math.min(...starts)) / minuteMs)) : null,
    miles: routes.reduce((sum, route) => sum + route.totalDistance, 0),
    bags: [...new Set(work.bags.flatMap(({ bagNumber }) => bagNumber || []))],
  };
}

/** Units put in by product, item by item of each visit. */
function addsByProduct(movements: readonly DayMovement[]): Map<string, number> {
  const items = new Map<string, DayMovement[]>();
  for (const movement of movements) {
    const key = `${movement.visitId}:${movement.itemKey}`;
    items.set(key, [...(items.get(key) ?? []), movement]);
  }
  const adds = new Map<string, number>();
  for (const ofItem of items.values()) {
    const name = (ofItem.findLast(isFilling) ?? ofItem[0])?.productName ?? '';
    adds.set(name, (adds.get(name) ?? 0) + visitLine(ofItem).adds);
  }
  return adds;
}

const spoiled: Record<string, ReturnReason> = { expired: 'expired', damaged: 'damaged' };

/**
 * What should be in the truck again: of what was loaded that which was not put in, and what was taken out by why. The
 * driver counts and corrects it.
 */
export function expectedReturns(brought: Iterable<PickedStop>, movements: readonly DayMovement[]): ReturnLine[] {
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
  const put = addsByProduct(movements);
  for (const [name, units] of loaded) add(name, 'unused', units - (put.get(name) ?? 0));
  for (const { productName, kind, quantity, reason } of movements) {
    if (kind === 'removal') add(productName, 'removed', -quantity);
    if (kind === 'spoilage') add(productName, spoiled[reason ?? ''] ?? 'other', -quantity);
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

/** A product that a driver adds by name: one more where it is among the lines already, however it was written. */
export function oneMore(lines: readonly ReturnLine[], added: ReturnLine): ReturnLine {
  const name = added.productName.toLowerCase();
  const found = lines.find((line) => line.reason === added.reason && line.productName.toLowerCase() === name);
  return found ? { ...found, units: found.units + added.units } : added;
}
