/** Amounts as the reports write them, read exactly: whole hundredths, never floating point. */

const shape =
  /^(?<open>\()?(?<minus>-)?\$?(?<minusInside>-)?(?<whole>\d{1,3}(?:,\d{3})+|\d{1,9})?(?:\.(?<part>\d{1,4}))?\)?$/;

/** `$1,234.50`, `-$1.50`, `($1.50)`, `3.1` in hundredths; null for what is no amount or finer than a cent. */
export function readCents(text: string): bigint | null {
  const groups = shape.exec(text.trim())?.groups;
  if (!groups || (groups.whole === undefined && groups.part === undefined)) return null;
  const part = (groups.part ?? '').padEnd(2, '0');
  if (/[1-9]/.test(part.slice(2))) return null;
  const cents = BigInt((groups.whole ?? '0').replaceAll(',', '')) * 100n + BigInt(part.slice(0, 2));
  const isBelow = [groups.minus, groups.minusInside, groups.open].some((sign) => sign !== undefined);
  return isBelow ? -cents : cents;
}

/** One item or fee of a `Details` or `Column(s)` cell. `price` is of one piece, in hundredths. */
export type Part = { label: string; quantity: number; price: bigint };

const partShape = /^(?<label>[^()]*)\((?:(?<quantity>\d{1,4})\s*\*\s*)?(?<price>[^()*]+)\)$/;

/**
 * Reads `0B06($1.50), 0C02(2 * $1.25), Two-Tier($0.10)`. Null when a part has another form: then nothing of the cell is
 * believed.
 */
export function readParts(cell: string): Part[] | null {
  const parts: Part[] = [];
  // A comma within an amount stands between digits; one between parts follows a closing bracket.
  for (const text of cell.split(/(?<=\))\s*[,;]\s*/)) {
    if (text.trim() === '') continue;
    const groups = partShape.exec(text.trim())?.groups;
    const price = groups?.price === undefined ? null : readCents(groups.price);
    if (!groups || price === null) return null;
    parts.push({ label: (groups.label ?? '').trim(), quantity: Math.max(1, Number(groups.quantity ?? '1')), price });
  }
  return parts;
}

/** Surcharges, discounts and fees stand among the items; a code of a selection is letters and digits without words. */
export function isFee(label: string): boolean {
  return /two[- ]?tier|fee|surcharge|discount|tax|convenience|loyalty|tip/i.test(label);
}
