import { at, hash } from '../../simulator/random.ts';
import { type FleetSale, isSameLine, type Line } from '../fleet.ts';

/** What the till tells of one of the fleet's sales: at once, and again when something becomes of it. */
export type Telling = { what: 'closed' | 'parked' | 'voided' | 'returned'; atMs: number };

/** Some pieces of one product. */
export type Piece = { line: Line; quantity: number; amount: number };

/** What a sale or its return changes in the stock of a product. */
export type Move = { line: Line; quantity: number; atMs: number; number: number };

const minute = 60_000;
const voidedAfterMs = 20 * minute;
const parkedForMs = 15 * minute;
const returnedAfterMs = 40 * minute;

/** Nothing is told of a sale later than this. */
export const longestTaleMs = returnedAfterMs;

const isParked = ({ number }: FleetSale): boolean => hash(number, 61) % 12 === 0;
const isReturned = ({ number }: FleetSale): boolean => hash(number, 62) % 20 === 0;

/**
 * Everything that is told of a sale, in the order in which it comes: one that failed is seen as closed first and voided later,
 * some wait parked until they are paid, and of some a thing is brought back, which is a sale of its own.
 */
export function tellingsOf(sale: FleetSale): Telling[] {
  const soldMs = sale.at.getTime();
  if (sale.failed) {
    return [
      { what: 'closed', atMs: soldMs },
      { what: 'voided', atMs: soldMs + voidedAfterMs },
    ];
  }
  const paid: Telling[] = isParked(sale)
    ? [
        { what: 'parked', atMs: soldMs },
        { what: 'closed', atMs: soldMs + parkedForMs },
      ]
    : [{ what: 'closed', atMs: soldMs }];
  return isReturned(sale) ? [...paid, { what: 'returned', atMs: soldMs + returnedAfterMs }] : paid;
}

/** Who takes two takes two different things: the till rings up a line for each. */
export function piecesOf({ place, line, quantity, number, amount }: FleetSale): Piece[] {
  const others = place.lines.filter((one) => !isSameLine(one, line));
  if (quantity < 2 || others.length === 0) return [{ line, quantity, amount: Number(amount) }];
  const other = at(others, hash(number, 63) % others.length);
  return [
    { line, quantity: quantity - 1, amount: (Number(amount) / quantity) * (quantity - 1) },
    { line: other, quantity: 1, amount: Number(other.product.price) },
  ];
}

/** Only the first thing of a sale is brought back. */
export const broughtBack = (sale: FleetSale): Piece => at(piecesOf(sale), 0);

/** What is taken for it at once, where it is exchanged for something else. */
function takenInstead(sale: FleetSale): Piece[] {
  if (hash(sale.number, 64) % 3 !== 0) return [];
  const line = at(sale.place.lines, hash(sale.number, 65) % sale.place.lines.length);
  return [{ line, quantity: 1, amount: Number(line.product.price) }];
}

/** The lines of a telling, what is brought back first. */
export function linesOf(sale: FleetSale, { what }: Telling): { piece: Piece; isBack: boolean }[] {
  const sold = (pieces: Piece[]) => pieces.map((piece) => ({ piece, isBack: false }));
  if (what !== 'returned') return sold(piecesOf(sale));
  return [{ piece: broughtBack(sale), isBack: true }, ...sold(takenInstead(sale))];
}

/** What left the shelves and came back to them by now. A parked sale moves nothing before it is paid, a voided one nothing. */
export function movesOf(sale: FleetSale, now: Date): Move[] {
  if (sale.failed) return [];
  return tellingsOf(sale)
    .filter(({ what, atMs }) => what !== 'parked' && atMs < now.getTime())
    .flatMap((telling) =>
      linesOf(sale, telling).map(({ piece: { line, quantity }, isBack }) => ({
        line,
        quantity: isBack ? quantity : -quantity,
        atMs: telling.atMs,
        number: sale.number,
      })),
    );
}
