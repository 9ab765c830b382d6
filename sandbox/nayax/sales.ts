import { hash } from '../../simulator/random.ts';
import { type FleetSale, type Place, salesOf } from '../fleet.ts';
import type { World } from '../vendor.ts';
import { bigNumber, machineClock, machineIdOf, type Out, timeText } from './records.ts';

const secondMs = 1_000;
const dayMs = 86_400_000;
/** `lastSales` remembers this long, and no more sales than this. */
const windowDays = 31;
const windowSales = 500;
/** Ids have 64 bits: far above what a JavaScript number holds. */
const firstTransactionId = 9_010_000_000_000_000_000n;

export const transactionIdOf = (sale: FleetSale): bigint => firstTransactionId + BigInt(sale.number);

/** How a sale was paid, and when and for how much it settled. */
export type Settlement = {
  /** Null while it is pending. */
  settledAt: Date | null;
  settled: number;
  authorized: number;
};

export function settlementOf(sale: FleetSale, now: Date): Settlement {
  const authorized = Number(sale.amount);
  const mark = hash(sale.number % 4_294_967_291, 3);
  // Cash settles at once, most cards within minutes, some after half an hour.
  const afterSeconds = mark % 20 === 0 ? 1_800 : 20 + (mark % 120);
  const settledAt = new Date(sale.at.getTime() + (sale.method === 'cash' ? 0 : afterSeconds * secondMs));
  const isPending = settledAt > now;
  // One card sale in forty settles for less than was held: a discount, or one product of two failed.
  const part = sale.method !== 'cash' && mark % 40 === 7 ? 0.5 : 1;
  const settled = sale.failed ? 0 : Math.round(authorized * part * 100) / 100;
  return { settledAt: isPending ? null : settledAt, settled: isPending ? 0 : settled, authorized };
}

export const methods: Record<FleetSale['method'], { method: string; recognition: string }> = {
  cash: { method: 'Cash', recognition: 'Cash' },
  credit: { method: 'Credit Card', recognition: 'Chip' },
  contactless: { method: 'Credit Card', recognition: 'Contactless' },
  mobile: { method: 'Mobile', recognition: 'Mobile wallet' },
};

/** Newest first, of the recent past only; `forgets`: of the last day only. */
export function lastSales(world: World, place: Place, forgets: boolean): Out[] {
  const now = world.now();
  const from = new Date(now.getTime() - (forgets ? 1 : windowDays) * dayMs);
  return salesOf(world.fleet, place, from, new Date(now.getTime() + 1))
    .slice(-windowSales)
    .reverse()
    .map((sale) => saleRecord(sale, now));
}

/** `GET /v1/machines/{id}/lastSales`: the misspelt field as published, the right spelling now and then. */
export function saleRecord(sale: FleetSale, now: Date): Out {
  const { place } = sale;
  const { settledAt, settled, authorized } = settlementOf(sale, now);
  const { method, recognition } = methods[sale.method];
  const isCard = sale.method === 'credit' || sale.method === 'contactless';
  const several = sale.quantity > 1;
  return {
    TransactionID: bigNumber(transactionIdOf(sale)),
    PaymentServiceTransactionID: isCard ? `PS${sale.number}` : null,
    PaymentServiceProviderName: isCard ? 'Nayax Payments' : null,
    MachineID: machineIdOf(place),
    MachineName: place.site.name,
    MachineNumber: place.site.id % 41 === 7 ? '' : place.number,
    InstituteLocationName: place.site.city,
    AuthorizationValue: authorized,
    SettlementValue: settledAt ? settled : null,
    CurrencyCode: 'USD',
    PaymentMethod: method,
    RecognitionMethod: recognition,
    CardNumber: cardNumber(sale),
    CardBrand: brandOf(sale),
    CLI: null,
    ProductName: productName(sale),
    MultivendTransactionBit: several,
    [sale.number % 4 === 0 ? 'MultivendNumberOfProducts' : 'MultivendNumverOfProducts']: several ? sale.quantity : 0,
    UnitOfMeasurement: 'Item',
    Quantity: sale.method === 'cash' ? 0 : 1,
    EnergyConsumed: 0,
    AuthorizationDateTimeGMT: timeText(sale.at, place.site.id),
    MachineAuthorizationTime: machineClock(place, sale.at),
    SettlementDateTimeGMT: settledAt ? timeText(settledAt, place.site.id, 5) : null,
    SiteID: 2,
    SiteName: 'US1',
  };
}

export function brandOf({ method, number }: FleetSale): string | null {
  if (method === 'cash') return 'Cash';
  if (method === 'mobile') return null;
  return number % 3 === 0 ? 'Mastercard' : 'Visa';
}

function cardNumber({ method, number }: FleetSale): string | null {
  if (method === 'cash') return null;
  const last = String(number % 10_000).padStart(4, '0');
  // Prepaid and phone accounts come unmasked.
  return method === 'mobile' ? `00770204${last}` : `************${last}`;
}

/** `Name(code = price)` and a line feed, a line for each piece; some machines tell the controller's number first. */
function productName({ place, line, quantity }: FleetSale): string {
  const codes = place.site.id % 5 === 2 ? `${mdbCodeOf(place, line.slotNumber)},${line.slotNumber}` : line.slotNumber;
  return `${line.product.name}(${codes} = ${Number(line.product.price).toFixed(2)})\n`.repeat(quantity);
}

/** What the machine's controller calls a selection: counted from 1. */
export function mdbCodeOf(place: Place, slotNumber: string | null): number {
  return place.lines.findIndex((line) => line.slotNumber === slotNumber) + 1;
}
