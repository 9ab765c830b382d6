import type { Counter, DexReading, DexSelection, Pair, PayingDevice } from './reading.ts';

/** The counters of one selection or of the whole machine. */
export type SelectionCounters = Pair & {
  id: string;
  name: string;
  price: Counter;
  /** By paying device, price lists added together; empty where the file has no such split. */
  byDevice: Partial<Record<PayingDevice, Pair>>;
};

/** What is kept of an accepted reading to take the next one's difference from. Plain JSON. */
export type DexCounters = {
  serial: string;
  /** When it was read: by the carrier, else by the machine's clock. Milliseconds of UTC. */
  readAtMs: number;
  /** EA3: how often the machine was read by then. */
  reads: Counter;
  /** Null: money is not to be compared. */
  decimalPoint: number | null;
  total: Pair | null;
  cash: Pair | null;
  cashless: Pair | null;
  selections: Record<string, SelectionCounters>;
};

/** Ids are compared without blanks around them; everything else about them is the machine's own. */
export const selectionKey = (id: string): string => id.trim();

const added = (a: Counter, b: Counter): Counter => (a === null || b === null ? (a ?? b) : a + b);

function addPairs(a: Pair, b: Pair): Pair {
  return {
    vends: added(a.vends, b.vends),
    value: added(a.value, b.value),
    vendsSinceReset: added(a.vendsSinceReset, b.vendsSinceReset),
    valueSinceReset: added(a.valueSinceReset, b.valueSinceReset),
  };
}

const sumOf = (pairs: readonly Pair[]): Pair | null =>
  pairs.length ? pairs.reduce((sum, pair) => addPairs(sum, pair)) : null;

const pairOf = ({ vends, value, vendsSinceReset, valueSinceReset }: Pair): Pair => ({
  vends,
  value,
  vendsSinceReset,
  valueSinceReset,
});

/** Counters in their right places: one maker has those since reset where those since the start belong. */
const righted = (pair: Pair, swapped: boolean): Pair =>
  swapped
    ? {
        vends: pair.vendsSinceReset,
        value: pair.valueSinceReset,
        vendsSinceReset: pair.vends,
        valueSinceReset: pair.value,
      }
    : pairOf(pair);

function ofSelection(selection: DexSelection, swapped: boolean): SelectionCounters {
  const byDevice: SelectionCounters['byDevice'] = {};
  for (const split of selection.byDevice) {
    const before = byDevice[split.device];
    byDevice[split.device] = before ? addPairs(before, pairOf(split)) : pairOf(split);
  }
  const { id, name, price } = selection;
  return { id, name, price, byDevice, ...righted(selection, swapped) };
}

/** The counters of a reading; `readAtMs` as for `DexCounters`. A selection listed twice counts as listed first. */
export function countersOf(reading: DexReading, readAtMs: number): DexCounters {
  const selections: DexCounters['selections'] = {};
  for (const selection of reading.selections) {
    const key = selectionKey(selection.id);
    if (key !== '' && !Object.hasOwn(selections, key)) {
      selections[key] = ofSelection(selection, reading.countersSwapped);
    }
  }
  const { paid, cash, cashless1, cashless2 } = reading.totals;
  return {
    serial: reading.serial,
    readAtMs,
    reads: reading.reads?.count ?? null,
    decimalPoint: reading.scaleKnown ? reading.decimalPoint : null,
    total: paid,
    cash,
    cashless: sumOf([cashless1, cashless2].filter((pair) => pair !== null)),
    selections,
  };
}
