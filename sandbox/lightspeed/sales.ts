import { at, hash } from '../../simulator/random.ts';
import { type FleetSale, salesOf } from '../fleet.ts';
import type { World } from '../vendor.ts';
import { kinds, uuidOf } from './ids.ts';
import { fine, isInclusive, iso, outletId, productId, taxRate, type Versioned, versionAt } from './records.ts';
import { linesOf, longestTaleMs, type Piece, type Telling, tellingsOf } from './tickets.ts';

const remembersMs = 90 * 86_400_000;

/** Sales whose last change came at an instant or later, oldest version first. */
export function sales(world: World, afterMs: number): Versioned[] {
  const now = world.now().getTime();
  const fromMs = Math.max(afterMs, now - remembersMs);
  return world.fleet.markets
    .flatMap((place) => salesOf(world.fleet, place, new Date(fromMs - longestTaleMs), new Date(now)))
    .flatMap((sale) => versionsOf(world, sale, now))
    .filter(({ changedMs }) => changedMs >= fromMs)
    .sort((a, b) => a.version - b.version);
}

/** The newest of the sale itself, and the return of a thing, which has an id of its own. */
function versionsOf(world: World, sale: FleetSale, now: number): (Versioned & { changedMs: number })[] {
  const told = tellingsOf(sale).filter(({ atMs }) => atMs < now);
  const latest = told.filter(({ what }) => what !== 'returned').at(-1);
  return [latest, told.find(({ what }) => what === 'returned')].flatMap((telling) => {
    if (!telling) return [];
    const version = versionAt(telling.atMs, hash(sale.number));
    return [
      { version, deleted: false, changedMs: telling.atMs, record: saleRecord(world, sale, { telling, version }) },
    ];
  });
}

const statuses = { closed: 'CLOSED', returned: 'CLOSED', parked: 'SAVED', voided: 'VOIDED' } as const;

const idOf = (world: World, kind: number, { number }: FleetSale, ...more: number[]): string =>
  uuidOf(world.seed, kind, Math.floor(number / 4_294_967_296), number % 4_294_967_296, ...more);

type Told = { telling: Telling; version: number };

function saleRecord(world: World, sale: FleetSale, { telling, version }: Told): Record<string, unknown> {
  const { place, number } = sale;
  const isBack = telling.what === 'returned';
  // A return is a sale of its own, with what came back below nothing.
  const more = isBack ? [1] : [];
  const lines = linesOf(sale, telling).map((rungUp, sequence) =>
    lineRecord(world, sale, { ...rungUp, sequence, more }),
  );
  const price = lines.reduce((sum, line) => sum + line.total_price, 0);
  const tax = lines.reduce((sum, line) => sum + line.total_tax, 0);
  const rungUpAt = iso(isBack ? telling.atMs : sale.at.getTime());
  const receipt = isBack ? `${number}R` : String(number);
  return {
    id: idOf(world, kinds.sale, sale, ...more),
    outlet_id: outletId(world, place),
    register_id: registerId(world, sale),
    user_id: uuidOf(world.seed, kinds.register, 0),
    customer_id: null,
    invoice_number: `MR-${receipt}`,
    receipt_number: receipt,
    status: statuses[telling.what],
    note: '',
    short_code: hash(number, ...more).toString(36),
    return_for: isBack ? idOf(world, kinds.sale, sale) : null,
    total_price: fine(price),
    total_tax: fine(tax),
    total_loyalty: 0,
    created_at: rungUpAt,
    updated_at: iso(telling.atMs),
    sale_date: rungUpAt,
    deleted_at: null,
    version,
    line_items: lines,
    payments:
      telling.what === 'parked' ? [] : [paymentRecord(world, sale, { amount: fine(price + tax), at: rungUpAt, more })],
    adjustments: [],
    taxes: [],
  };
}

const registerId = (world: World, { place }: FleetSale): string => uuidOf(world.seed, kinds.register, place.site.id);

type RungUp = { piece: Piece; sequence: number; isBack: boolean; more: number[] };

function lineRecord(world: World, sale: FleetSale, { piece, sequence, isBack, more }: RungUp) {
  const { line, amount } = piece;
  const sign = isBack ? -1 : 1;
  const price = (isInclusive(sale.place) ? amount / (1 + taxRate) : amount) * sign;
  const tax = (isInclusive(sale.place) ? amount - amount / (1 + taxRate) : amount * taxRate) * sign;
  const quantity = piece.quantity * sign;
  return {
    id: idOf(world, kinds.line, sale, ...(sequence > 0 || more.length > 0 ? [sequence, ...more] : [])),
    product_id: productId(world, line),
    tax_id: uuidOf(world.seed, kinds.tax, 1),
    quantity,
    price: fine(price / quantity),
    unit_price: fine(price / quantity),
    unit_tax: fine(tax / quantity),
    price_total: fine(price),
    total_price: fine(price),
    tax_total: fine(tax),
    total_tax: fine(tax),
    total_discount: 0,
    loyalty_value: 0,
    status: 'CONFIRMED',
    sequence,
    is_return: isBack,
    tax_components: [{ rate_id: uuidOf(world.seed, kinds.tax, 1), total_tax: fine(tax) }],
  };
}

type Paid = { amount: number; at: string; more: number[] };

function paymentRecord(world: World, sale: FleetSale, { amount, at: paidAt, more }: Paid) {
  return {
    id: idOf(world, kinds.payment, sale, ...more),
    register_id: registerId(world, sale),
    outlet_id: outletId(world, sale.place),
    name: at(['Credit Card', 'Cash', 'Mobile'], hash(sale.number) % 3),
    amount,
    payment_date: paidAt,
  };
}
