import { decimals } from './read.ts';

/** One product of a sale as its name tells: `Name(code = price)`. `code` is what the buyer pressed, else the MDB code. */
export type ProductLine = { name: string | null; code: string | null; slotNumber: string | null; price: number | null };

const form = /^(.*?)\s*\(([^()]*)\)\s*$/;

/**
 * Lines of a ProductName. Real ones read `Name(code = price)` and end with a line feed, one line per item of a
 * multivend; `Name(MDB code,PA code = price)` and the plain name occur too.
 */
export function productLines(told: string | null): ProductLine[] {
  return (told ?? '')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(lineOf);
}

function lineOf(line: string): ProductLine {
  const parts = form.exec(line);
  const [codes = '', price = ''] = (parts?.[2] ?? '').split('=').map((part) => part.trim());
  // A name may end in parentheses of its own: 'Water (large)' has no code.
  const isCode = parts !== null && /^[A-Za-z0-9]{0,6}(?:\s*,\s*[A-Za-z0-9]{0,6})?$/.test(codes) && codes !== '';
  if (!parts || (!isCode && price === '')) return { name: line, code: null, slotNumber: null, price: null };
  const [first = '', second = ''] = codes.split(',').map((code) => code.trim());
  const code = second || first || null;
  const amount = Number(price);
  return {
    name: parts[1]?.trim() || null,
    code,
    slotNumber: code,
    price: price !== '' && Number.isFinite(amount) ? amount : null,
  };
}

/**
 * Shares a settled amount among lines by their prices, evenly where those are not known; the last line takes what
 * rounding left, so that the lines add up to what was paid.
 */
export function shares(total: string, lines: readonly ProductLine[]): string[] {
  const sum = lines.reduce((all, line) => all + (line.price ?? 0), 0);
  const known = sum > 0 && lines.every((line) => line.price !== null);
  let left = Math.round(Number(total) * 10_000);
  const whole = left;
  return lines.map((line, index) => {
    const part = known ? (line.price ?? 0) / sum : 1 / lines.length;
    const share = index === lines.length - 1 ? left : Math.round((whole * part) / 100) * 100;
    left -= share;
    return decimals(share / 10_000);
  });
}
