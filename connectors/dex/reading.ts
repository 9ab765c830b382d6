import type { Checksum, CrcForm } from './checksum.ts';

/** A counter as the file has it; null: not reported, which is not 0. Money is in units of the last decimal place. */
export type Counter = number | null;

/** Since the machine was initialised, and since the last reset. */
export type Pair = { vends: Counter; value: Counter; vendsSinceReset: Counter; valueSinceReset: Counter };

/** Who paid: coins and notes, the first and second cashless device, tokens. */
export type PayingDevice = 'CA' | 'DA' | 'DB' | 'TA';

export type DexSelection = Pair & {
  /** As the buyer presses it; text, blanks around it removed. */
  id: string;
  /** Empty where the machine has none. */
  name: string;
  price: Counter;
  capacity: Counter;
  level: Counter;
  minimum: Counter;
  /** The machine says that it is not there. */
  absent: boolean;
  test: Pair | null;
  free: Pair | null;
  /** When it was last sold out, machine clock. */
  soldOutAt: string | null;
  byDevice: (Pair & { device: PayingDevice; priceList: string; price: Counter })[];
  /** Sales paid partly in cash and partly cashless: counted under both devices. */
  mixedVends: Counter;
  /** Prices and counts by price list, of files without the split by device. */
  lists: { list: string; price: Counter; vends: Counter; vendsSinceReset: Counter }[];
  /** Elements of PA1 and PA2 as the bytes stand. */
  raw: { pa1: string[]; pa2: string[] };
};

export type DexEvent = {
  /** Three letters in most files; kept as it is where it is something else. */
  code: string;
  /** Number of the device or selection it is about. */
  detail: string | null;
  /** Null for a code without a published meaning. */
  description: string | null;
  /** Machine clock, `2023-12-10T01:59:02`; null where the file has no date or one that is none. */
  at: string | null;
  durationMin: Counter;
  countSinceReset: Counter;
  count: Counter;
  /** True: still present. Null: not told. */
  active: boolean | null;
  raw: string[];
};

export type DexTube = {
  tube: string;
  coinValue: Counter;
  coins: Counter;
  filledByHand: Counter;
  paidOutByHand: Counter;
  full: boolean | null;
};

export type WarningCode =
  | 'crc-mismatch'
  | 'crc-form'
  | 'segment-count'
  | 'no-end'
  | 'carrier-header'
  | 'escaped'
  | 'cut'
  | 'shifted-elements'
  | 'swapped-counters'
  | 'unknown-scale'
  | 'unknown-segments'
  | 'sums-differ';
export type DexWarning = { code: WarningCode; message: string };

/** One DEX / EVA-DTS audit file, read. Counters are raw integers; `decimalPoint` says how many decimals money has. */
export type DexReading = {
  crc: Checksum['verdict'];
  crcForm: CrcForm | null;
  crcStated: string | null;
  crcComputed: string | null;
  segmentCount: { stated: number | null; counted: number } | null;
  serial: string;
  model: string;
  identity: {
    build: string;
    location: string;
    assetNumber: string;
    /** Name in DXS: three letters of the maker and seven more. */
    communicationId: string;
    standard: string;
    controlBoard: { serial: string; model: string; software: string } | null;
  };
  decimalPoint: number | null;
  /** False: money cannot be read off this file, only counts. */
  scaleKnown: boolean;
  /** Three letters, where the file names a currency we know. */
  currency: string | null;
  /** Machine clock at reading, local and without a zone: `2023-12-10T23:10:54`. */
  machineTime: string | null;
  reads: { count: Counter; at: string | null; previousAt: string | null } | null;
  /** VA1: paid vends. `vends` number and `value` money since initialisation. */
  vends: Counter;
  value: Counter;
  /** CA2 and DA2 + DB2: value since initialisation. */
  cash: Counter;
  cashless: Counter;
  totals: {
    paid: Pair | null;
    test: Pair | null;
    free: Pair | null;
    cash: Pair | null;
    cashless1: Pair | null;
    cashless2: Pair | null;
    tokens: { vend: Pair; value: Pair } | null;
  };
  cashIn: { total: Counter; toBox: Counter; toTubes: Counter; bills: Counter; totalSinceReset: Counter } | null;
  tubeValue: Counter;
  tubes: DexTube[];
  powerCuts: { sinceReset: Counter; total: Counter } | null;
  /** Degrees Celsius. */
  temperature: number | null;
  selections: DexSelection[];
  /** Counters since reset stand where counters since initialisation belong, and the other way round. */
  countersSwapped: boolean;
  /** Do the sums agree, as far as the file has both sides? Null: cannot be said. A hint, never a reason to refuse. */
  checks: { devicesAddUp: boolean | null; selectionValues: boolean | null; selectionVends: boolean | null };
  events: DexEvent[];
  /** Numeric elements of the totals as they stand, by segment (the first of each). */
  counters: Record<string, Counter[]>;
  warnings: DexWarning[];
};
