import { type Fleet, type FleetSale, type Place, salesOf } from '../fleet.ts';

/** Every third machine has a reader of this system. */
export const placesOf = (fleet: Fleet): Place[] => fleet.machines.filter((place) => place.site.id % 3 === 0);

export const deviceOf = (place: Place): string => `VK${200_000_000 + place.site.id}`;

/** Column names and values of `Transactions in Payment`, as text. */
export type Row = Record<(typeof transactionColumns)[number], string>;

export const transactionColumns = [
  'Reference #',
  'Reconcile Group',
  'Trans Type',
  'Settle State',
  'Tran #',
  'Device',
  'Terminal',
  'Location',
  'Asset #',
  'Client',
  'Date',
  'Card Type',
  'Amount',
  'AP Code',
  'Details',
  'Batch #',
] as const;

/** One transaction before any layout: all amounts in cents. */
export type Trade = {
  reference: string;
  place: Place;
  at: Date;
  cash: boolean;
  wallet: string;
  brand: string;
  settle: string;
  items: { code: string; price: number; quantity: number }[];
  fee: number;
  refund: boolean;
};

/** Transactions of a span, oldest first; the same span gives the same ones, in one call or in many. */
export function tradesOf(fleet: Fleet, from: Date, to: Date): Trade[] {
  return placesOf(fleet)
    .flatMap((place) => salesOf(fleet, place, from, to).flatMap(tradesOfSale))
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.reference < b.reference ? -1 : 1));
}

const brands = ['Visa', 'MasterCard', 'American Express', 'Discover'];
const wallets = ['EMV Contactless', 'Apple Pay EMV', 'Google Pay EMV', ''];

function tradesOfSale(sale: FleetSale): Trade[] {
  const n = sale.number;
  const cash = sale.method === 'cash';
  const codeOf = (slot: string | null): string => {
    const [, row = '', number = '1'] = /^([A-Z]?)(\d+)$/.exec(slot ?? '') ?? [];
    return `0${row}${number.padStart(2, '0')}`;
  };
  const cents = Math.round(Number(sale.line.product.price) * 100);
  const items = [{ code: codeOf(sale.line.slotNumber), price: cents, quantity: sale.quantity }];
  const { lines } = sale.place;
  const other = lines[n % lines.length];
  if (n % 13 === 0 && other && other !== sale.line) {
    items.push({
      code: codeOf(other.slotNumber),
      price: Math.round(Number(other.product.price) * 100),
      quantity: 1,
    });
  }
  const trade: Trade = {
    reference: String(n),
    place: sale.place,
    at: sale.at,
    cash,
    wallet: cash ? '' : (wallets[n % wallets.length] ?? ''),
    brand: cash ? '' : (brands[(n >> 2) % brands.length] ?? ''),
    settle: sale.failed ? 'Failed' : 'Settled',
    items,
    fee: cash ? 0 : 10,
    refund: false,
  };
  if (cash || n % 97 !== 0 || sale.failed) return [trade];
  const refund = { ...trade, at: new Date(sale.at.getTime() + 90_000), refund: true };
  // Nobody publishes whether a refund has the reference of its sale, nor whether it gives the fee back: both are told.
  return [trade, n % 2 === 0 ? refund : { ...refund, reference: `${n}9`, fee: 0 }];
}

export const totalOf = (trade: Trade): number =>
  (trade.refund ? -1 : 1) * trade.items.reduce((sum, item) => sum + item.price * item.quantity, trade.fee);

export function money(cents: number): string {
  const digits = Math.abs(cents).toString().padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${cents < 0 ? '-' : ''}$${whole}.${digits.slice(-2)}`;
}

export function localParts(at: Date, timeZone: string): { date: string; time12: string; time24: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
  }).formatToParts(at);
  const get = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  const hour = Number(get('hour'));
  const rest = `${get('minute')}:${get('second')}`;
  const half = hour < 12 ? 'AM' : 'PM';
  return {
    date: `${get('month')}/${get('day')}/${get('year')}`,
    time12: `${String(hour % 12 || 12).padStart(2, '0')}:${rest} ${half}`,
    time24: `${String(hour).padStart(2, '0')}:${rest}`,
  };
}

const kindOf = (trade: Trade): string => {
  if (trade.refund) return 'Refund';
  if (trade.cash) return 'Cash';
  return trade.wallet === '' ? 'Credit' : `Credit (${trade.wallet})`;
};

export function detailsOf(trade: Trade): string {
  const items = trade.items.map(({ code, price, quantity }) =>
    quantity === 1 ? `${code}(${money(price)})` : `${code}(${quantity} * ${money(price)})`,
  );
  return [...items, ...(trade.fee ? [`Two-Tier(${money(trade.fee)})`] : [])].join(', ');
}

export function transactionRow(trade: Trade, timeZone: string): Row {
  const { date, time12 } = localParts(trade.at, timeZone);
  return {
    'Reference #': trade.reference,
    'Reconcile Group': `RG${(trade.place.site.id % 4) + 1}`,
    'Trans Type': kindOf(trade),
    'Settle State': trade.settle,
    'Tran #': String(Number(trade.reference.slice(-6))),
    Device: deviceOf(trade.place),
    Terminal: `T${trade.place.site.id}`,
    Location: trade.place.site.name,
    'Asset #': trade.place.number,
    Client: trade.place.site.designation,
    Date: `${date} ${time12}`,
    'Card Type': trade.brand,
    Amount: money(totalOf(trade)),
    'AP Code': '',
    Details: detailsOf(trade),
    'Batch #': date.replaceAll('/', '').slice(0, 4),
  };
}
