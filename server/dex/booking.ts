import type { DexDifference, SelectionSold } from '../../connectors/dex/difference.ts';
import type { DexReading, PayingDevice } from '../../connectors/dex/reading.ts';
import { slotMeant } from '../../domain/trays.ts';
import type { Sale } from '../sales/service.ts';
import type { Told } from './queries.ts';

type Differences = Extract<DexDifference, { kind: 'sales' }>;

export type Booking = {
  machineId: number;
  contentHash: string;
  readAt: Date;
  /** What connected systems tell by themselves: of a machine with a card system only cash is booked, if not even that. */
  told: Told;
  links: Readonly<Record<string, string>>;
  /** Slot numbers of the machine. */
  slots: ReadonlySet<string>;
  currency: string;
};

const methods: Record<PayingDevice, string> = { CA: 'cash', DA: 'cashless', DB: 'cashless', TA: 'token' };

/** Most that one line may say, in whole units of the currency: more is a counter gone wrong, not a sale. */
const mostMoney = 1_000_000;

type Line = { key: string; method: string | null; vends: number; value: number | null; of: SelectionSold | null };

/** Sales of a machine between two reads, as lines of the ledger: one for each selection and way of paying. */
export function salesBetween(found: Differences, reading: DexReading, booking: Booking): Sale[] {
  if (booking.told === 'everything') return [];
  const lines = booking.told === 'card' ? cashLines(found) : found.selections.flatMap(allLines);
  return lines.filter((line) => line.vends > 0).map((line) => toSale(line, reading, booking));
}

/** Only what coins and notes paid for; card sales come from the card system, and never twice. */
function cashLines(found: Differences): Line[] {
  const { cash, total, selections } = found;
  const split = selections.filter((one) => one.byDevice);
  if (split.length === selections.length) {
    return selections.flatMap((one) => lineOf(one, 'CA', one.byDevice?.CA ?? null));
  }
  if (!cash || cash.vends === 0) return [];
  if (total && cash.vends >= total.vends) return selections.map((one) => whole(one, 'cash'));
  // The file does not say which selections were paid in cash: the money is booked, no slot is named.
  return [{ key: '', method: 'cash', vends: cash.vends, value: cash.value, of: null }];
}

function allLines(one: SelectionSold): Line[] {
  const devices = Object.entries(one.byDevice ?? {}).filter(([, sold]) => sold.vends > 0);
  const sum = devices.reduce((vends, [, sold]) => vends + sold.vends, 0);
  // A sale paid partly in cash is counted under both devices: then the ways of paying cannot be told apart.
  if (sum !== one.vends) return [whole(one, null)];
  return (['CA', 'DA', 'DB', 'TA'] as const).flatMap((device) => lineOf(one, device, one.byDevice?.[device] ?? null));
}

const whole = (one: SelectionSold, method: string | null): Line => ({
  key: one.id,
  method,
  vends: one.vends,
  value: one.value,
  of: one,
});

function lineOf(
  one: SelectionSold,
  device: PayingDevice,
  sold: { vends: number; value: number | null } | null,
): Line[] {
  return sold ? [{ key: `${one.id}|${device}`, method: methods[device], ...sold, of: one }] : [];
}

function toSale(line: Line, reading: DexReading, booking: Booking): Sale {
  const { machineId, contentHash, readAt, links, slots } = booking;
  const id = line.of?.id ?? null;
  const told = id === null ? null : (links[id] ?? id).slice(0, 20);
  const known = told === null ? null : slotMeant(slots, told);
  const slotNumber = known ?? told;
  const amount = amountOf(line.value, reading);
  return {
    source: `dex:${machineId}`,
    transactionId: contentHash.slice(0, 32),
    line: line.key,
    machineId,
    marketId: null,
    slotNumber,
    // A slot of ours knows its product; the machine's own name serves where there is none.
    productName: known !== null ? null : (line.of?.name ?? '') || null,
    productCode: null,
    category: null,
    quantity: line.vends,
    price: ((amount ?? 0) / line.vends).toFixed(2),
    totalAmount: (amount ?? 0).toFixed(2),
    currency: reading.currency ?? booking.currency,
    paymentMethod: line.method,
    soldAt: readAt,
    successful: true,
    refunded: false,
    flags: amount === null ? 'dex: amount unknown' : null,
  };
}

function amountOf(value: number | null, { decimalPoint, scaleKnown }: DexReading): number | null {
  if (value === null || !scaleKnown) return null;
  const amount = value / 10 ** (decimalPoint ?? 0);
  return amount <= mostMoney ? amount : null;
}
