import type { DexCounters, SelectionCounters } from './counters.ts';
import type { Counter, Pair, PayingDevice } from './reading.ts';

/** Sold between two reads; money in units of the last decimal place, null where it cannot be told. */
export type Sold = { vends: number; value: Counter };

export type SelectionSold = Sold & {
  id: string;
  name: string;
  price: Counter;
  /** By paying device; null where the file has no such split for this selection. */
  byDevice: Partial<Record<PayingDevice, Sold>> | null;
  /** How the counter got here: plainly, over its highest figure, or from 0 after a reset. */
  by: 'count' | 'wrap' | 'reset';
};

export type DexDifference =
  | { kind: 'baseline'; reason: 'first' | 'other-machine' | 'counters-fell'; fell: string[] }
  | { kind: 'ignored'; reason: 'older' }
  | {
      kind: 'sales';
      selections: SelectionSold[];
      total: Sold | null;
      cash: Sold | null;
      cashless: Sold | null;
      /** Selections without a reading before: counted from here on. */
      added: string[];
    };

/** Most vends of one selection believed in an hour, where a counter fell and a wrap is the question. */
const mostVendsPerHour = 120;
const slackVends = 50;

type Step = { by: SelectionSold['by']; amount: number } | 'unknown' | 'fell';

/**
 * A fall is a wrap where the counter stood above 90 % of a power of ten (10^4 and up) and what follows is plausible.
 */
function wrapped(before: number, after: number, most: number): number | null {
  const top = 10 ** String(before).length;
  if (top < 10_000 || before <= 0.9 * top || after < 0) return null;
  const amount = top - before + after;
  return amount <= most ? amount : null;
}

type Counters = { start: Counter; reset: Counter };

/** From one reading of a counter to the next. */
function step(before: Counters, after: Counters, most: number): Step {
  if (before.start !== null && after.start !== null && (before.start > 0 || after.start > 0)) {
    if (after.start < before.start) {
      const amount = wrapped(before.start, after.start, most);
      return amount === null ? 'fell' : { by: 'wrap', amount };
    }
    const amount = after.start - before.start;
    // A counter that stands still while the other one moves is not kept by this machine.
    const stuck = amount === 0 && before.reset !== null && after.reset !== null && after.reset > before.reset;
    return { by: 'count', amount: stuck ? (after.reset ?? 0) - (before.reset ?? 0) : amount };
  }
  if (before.reset === null || after.reset === null) {
    return before.start === null || after.start === null ? 'unknown' : { by: 'count', amount: 0 };
  }
  if (after.reset >= before.reset) return { by: 'count', amount: after.reset - before.reset };
  // Somebody reset it in between: at least what it has counted since was sold.
  return { by: 'reset', amount: Math.max(0, after.reset) };
}

const vendsIn = (pair: Pair): Counters => ({ start: pair.vends, reset: pair.vendsSinceReset });
const valueIn = (pair: Pair): Counters => ({ start: pair.value, reset: pair.valueSinceReset });

type Between = { hours: number; money: boolean };
type Change = (Sold & { by: SelectionSold['by'] }) | 'unknown' | 'fell';

function change(before: Pair, after: Pair, between: Between & { price: Counter }): Change {
  const { hours, money, price } = between;
  const vends = step(vendsIn(before), vendsIn(after), slackVends + mostVendsPerHour * hours);
  if (typeof vends === 'string') return vends;
  const { by, amount } = vends;
  return { by, vends: amount, value: money ? valueSold(before, after, { vends: amount, price }) : null };
}

/** Money sold: by its own counter, else count times price. A value that fell without reason is not known. */
function valueSold(before: Pair, after: Pair, sold: { vends: number; price: Counter }): Counter {
  const byPrice = sold.price === null ? null : sold.price * sold.vends;
  const most = byPrice === null ? Number.POSITIVE_INFINITY : 3 * byPrice;
  const value = step(valueIn(before), valueIn(after), most);
  if (typeof value === 'string') return sold.vends === 0 ? 0 : byPrice;
  if (sold.vends > 0 && value.amount === 0 && byPrice !== null && after.value === null) return byPrice;
  return value.amount;
}

/** Sums over the machine serve as a check and for the split of cash; that they fell says nothing more. */
function soldIn(before: Pair | null, after: Pair | null, between: Between): Sold | null {
  if (!before || !after) return null;
  const found = change(before, after, { ...between, hours: 100 * between.hours, price: null });
  return typeof found === 'string' ? null : { vends: found.vends, value: found.value };
}

function byDevice(before: SelectionCounters, after: SelectionCounters, between: Between & { price: Counter }) {
  const split: Partial<Record<PayingDevice, Sold>> = {};
  for (const device of ['CA', 'DA', 'DB', 'TA'] as const) {
    const [was, is] = [before.byDevice[device], after.byDevice[device]];
    if (!is) continue;
    if (!was) return null;
    const found = change(was, is, between);
    if (typeof found === 'string') return null;
    split[device] = { vends: found.vends, value: found.value };
  }
  return Object.keys(split).length ? split : null;
}

/** Whether `after` was read before `before`: the machine's own count of reads says it best, else the time of reading. */
function isOlder(before: DexCounters, after: DexCounters): boolean {
  if (before.reads !== null && after.reads !== null && after.reads > before.reads) return false;
  return after.readAtMs <= before.readAtMs;
}

/**
 * What was sold between the last accepted reading of a machine and a new one. The first reading, one of another machine
 * and one whose counters fell without a wrap or a reset (a board was replaced) are new baselines and sell nothing.
 */
export function difference(before: DexCounters | null, after: DexCounters): DexDifference {
  if (!before) return { kind: 'baseline', reason: 'first', fell: [] };
  if (before.serial !== '' && after.serial !== '' && before.serial !== after.serial) {
    return after.readAtMs <= before.readAtMs
      ? { kind: 'ignored', reason: 'older' }
      : { kind: 'baseline', reason: 'other-machine', fell: [] };
  }
  if (isOlder(before, after)) return { kind: 'ignored', reason: 'older' };
  const between: Between = {
    hours: Math.max(0, (after.readAtMs - before.readAtMs) / 3_600_000),
    money: after.decimalPoint !== null && after.decimalPoint === before.decimalPoint,
  };
  const selections: SelectionSold[] = [];
  const [fell, added]: [string[], string[]] = [[], []];
  for (const [key, is] of Object.entries(after.selections)) {
    const was = Object.hasOwn(before.selections, key) ? before.selections[key] : undefined;
    const found = was ? change(was, is, { ...between, price: is.price ?? was.price }) : 'unknown';
    if (!was) added.push(is.id);
    if (found === 'fell') fell.push(is.id);
    if (!was || typeof found === 'string') continue;
    const { id, name, price } = is;
    const split = byDevice(was, is, { ...between, price: is.price ?? was.price });
    selections.push({ id, name, price, ...found, byDevice: split });
  }
  if (fell.length) return { kind: 'baseline', reason: 'counters-fell', fell };
  return {
    kind: 'sales',
    selections,
    total: soldIn(before.total, after.total, between),
    cash: soldIn(before.cash, after.cash, between),
    cashless: soldIn(before.cashless, after.cashless, between),
    added,
  };
}

/** What the next reading is compared with: selections that a file left out keep their last counters. */
export function nextBaseline(before: DexCounters | null, after: DexCounters, found: DexDifference): DexCounters {
  if (found.kind === 'ignored' && before) return before;
  if (found.kind !== 'sales' || !before) return after;
  return { ...after, selections: { ...before.selections, ...after.selections } };
}
