import { currencyOf } from './currency.ts';
import { counter, counters, machineTime, plainName, text, valueFirst } from './elements.ts';
import { readEvent } from './events.ts';
import type { Counter, DexReading, DexTube, Pair } from './reading.ts';
import { openEnvelope, type Segment } from './segments.ts';
import { readSelections, type Selections } from './selections.ts';
import { checkSums, warningsOf } from './warnings.ts';

/** Segments whose numbers are kept as they stand. */
const rawCounters = /^(?:VA[1-3]|CA(?:2|3|4|7|8|9|10|15)|D[AB](?:2|4|5)|TA2|EA[37])$/;

type Lookup = (id: string) => Segment | undefined;

/**
 * Reads a DEX / EVA-DTS audit file (versions 5, 6 and 6.1) as machines and carriers really send it.
 * Throws DexError, and nothing else, for bytes that are no DEX file; everything odd within one is a warning.
 */
export function readDex(bytes: Uint8Array): DexReading {
  const envelope = openEnvelope(bytes);
  const { segments } = envelope;
  const first = new Map<string, Segment>();
  for (const segment of segments) if (!first.has(segment.id)) first.set(segment.id, segment);
  const find: Lookup = (id) => first.get(id);
  const found = readSelections(segments);
  const totals = readTotals(find);
  const money = readScale(find, found);
  const reading: DexReading = {
    crc: envelope.crc.verdict,
    crcForm: envelope.crc.form,
    crcStated: envelope.crc.stated,
    crcComputed: envelope.crc.computed,
    segmentCount: envelope.segmentCount,
    serial: text(find('ID1'), 1).slice(0, 100),
    model: plainName(text(find('ID1'), 2)),
    identity: readIdentity(find),
    ...money,
    ...readClock(find),
    vends: totals.paid?.vends ?? null,
    value: totals.paid?.value ?? null,
    cash: totals.cash?.value ?? null,
    cashless: sumOf([totals.cashless1?.value, totals.cashless2?.value]),
    totals,
    ...readCash(segments, find),
    powerCuts: readPowerCuts(find('EA7')),
    temperature: readTemperature(segments),
    selections: found.selections,
    countersSwapped: found.swapped,
    checks: checkSums(totals, found.selections),
    events: segments.flatMap((one) => (one.id === 'EA1' || one.id === 'EA2' ? (readEvent(one) ?? []) : [])),
    counters: Object.fromEntries(
      [...first].flatMap(([id, segment]) => (rawCounters.test(id) ? [[id, counters(segment)]] : [])),
    ),
    warnings: [],
  };
  return { ...reading, warnings: warningsOf(envelope, reading, found) };
}

/** The sum of what is reported; null where nothing is. */
function sumOf(values: readonly (Counter | undefined)[]): Counter {
  const told = values.filter((value): value is number => value !== null && value !== undefined);
  return told.length ? told.reduce((sum, value) => sum + value, 0) : null;
}

function readTotals(find: Lookup): DexReading['totals'] {
  const pair = (id: string): Pair | null => {
    const segment = find(id);
    return segment ? valueFirst(segment) : null;
  };
  const tokens = find('TA2');
  return {
    paid: pair('VA1'),
    test: pair('VA2'),
    free: pair('VA3'),
    cash: pair('CA2'),
    cashless1: pair('DA2'),
    cashless2: pair('DB2'),
    tokens: tokens ? { vend: valueFirst(tokens), value: valueFirst(tokens, 5) } : null,
  };
}

function readIdentity(find: Lookup): DexReading['identity'] {
  const [frame, machine, board] = [find('DXS'), find('ID1'), find('CB1')];
  return {
    build: text(machine, 3),
    location: plainName(text(machine, 4)),
    assetNumber: plainName(text(machine, 6)),
    communicationId: text(frame, 1).slice(0, 20),
    standard: text(frame, 3).slice(0, 20),
    controlBoard: board ? { serial: text(board, 1), model: plainName(text(board, 2)), software: text(board, 3) } : null,
  };
}

/**
 * How many decimals money has. Zero decimals with coin-sized figures are a machine that does not say, not one that sells
 * for whole units: a price of 5 or 100 cannot be told apart from 0.05 and 1.00.
 */
function readScale(find: Lookup, found: Selections) {
  const scale = find('ID4');
  const told = counter(scale, 1);
  const decimalPoint = told !== null && told >= 0 && told <= 4 ? told : null;
  const currency = currencyOf(text(scale, 2), text(scale, 3));
  const prices = found.selections.map((one) => one.price ?? 0);
  const wholeUnits = decimalPoint === 0 && currency !== null && noDecimals.has(currency) && prices.some((p) => p >= 10);
  return { decimalPoint, scaleKnown: (decimalPoint !== null && decimalPoint > 0) || wholeUnits, currency };
}

/** Currencies without a smaller unit. */
const noDecimals = new Set(['JPY', 'KRW', 'HUF', 'CLP', 'VND']);

function readClock(find: Lookup): Pick<DexReading, 'machineTime' | 'reads'> {
  const [clock, reads] = [find('ID5'), find('EA3')];
  const readAt = machineTime(text(reads, 2), text(reads, 3));
  return {
    machineTime: readAt ?? machineTime(text(clock, 1), text(clock, 2)),
    reads: reads
      ? { count: counter(reads, 1), at: readAt, previousAt: machineTime(text(reads, 5), text(reads, 6)) }
      : null,
  };
}

function readCash(segments: readonly Segment[], find: Lookup): Pick<DexReading, 'cashIn' | 'tubeValue' | 'tubes'> {
  const cashIn = find('CA3');
  return {
    cashIn: cashIn
      ? {
          totalSinceReset: counter(cashIn, 1),
          total: counter(cashIn, 5),
          toBox: counter(cashIn, 6),
          toTubes: counter(cashIn, 7),
          bills: counter(cashIn, 8),
        }
      : null,
    tubeValue: counter(find('CA15'), 1),
    tubes: segments.flatMap((segment) => (segment.id === 'CA17' ? readTube(segment) : [])),
  };
}

function readTube(segment: Segment): DexTube {
  const full = text(segment, 6);
  return {
    tube: text(segment, 1),
    coinValue: counter(segment, 2),
    coins: counter(segment, 3),
    filledByHand: counter(segment, 4),
    paidOutByHand: counter(segment, 5),
    full: full === '' ? null : full === '1',
  };
}

function readPowerCuts(segment: Segment | undefined): DexReading['powerCuts'] {
  return segment ? { sinceReset: counter(segment, 1), total: counter(segment, 2) } : null;
}

/**
 * MA5 is the maker's free text. One form is known to be a temperature: `MA5*TEMP*fahrenheit*celsius`, believed only
 * when both say the same.
 */
function readTemperature(segments: readonly Segment[]): number | null {
  for (const segment of segments) {
    if (segment.id !== 'MA5' || text(segment, 1).toUpperCase() !== 'TEMP') continue;
    const [fahrenheit, celsius] = [counter(segment, 2), counter(segment, 3)];
    if (fahrenheit === null || celsius === null) continue;
    if (Math.abs(((fahrenheit - 32) * 5) / 9 - celsius) <= 1) return celsius;
  }
  return null;
}
