import { isGtin } from './product.ts';

/**
 * Card numbers never stay: what looks like one is masked before anything is stored. A run of 13 to 19 digits counts as a
 * card number when its check digit is right (Luhn) and it begins as cards do; both together leave other numbers alone.
 */

const run = /\d(?:[ -]?\d){12,18}/g;

/** Beginnings of the card networks with the lengths they use. */
const networks: readonly { begins: RegExp; lengths: readonly number[] }[] = [
  { begins: /^4/, lengths: [13, 16, 19] },
  { begins: /^(?:5[1-5]|2(?:22[1-9]|2[3-9]|[3-6]|7[01]|720))/, lengths: [16] },
  { begins: /^3[47]/, lengths: [15] },
  { begins: /^3(?:0[0-5]|[689])/, lengths: [14, 16] },
  { begins: /^(?:6011|64[4-9]|65)/, lengths: [16, 19] },
  { begins: /^35(?:2[89]|[3-8])/, lengths: [16] },
  { begins: /^62/, lengths: [16, 17, 18, 19] },
];

function hasRightCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Barcodes of much of Europe begin with 4, as the cards of 13 digits did that nobody issues any more; one in ten has both check digits right. */
const isBarcode = (digits: string): boolean => digits.length === 13 && isGtin(digits);

/** True when the digits are a card number by form and check digit. */
export function isCardNumber(digits: string): boolean {
  const fits = networks.some(({ begins, lengths }) => begins.test(digits) && lengths.includes(digits.length));
  return fits && hasRightCheckDigit(digits) && !isBarcode(digits);
}

/** The text with every card number's digits but the last four replaced; its length stays. */
export function maskCardNumbers(text: string): string {
  return text.replace(run, (found) => {
    const digits = found.replace(/\D/g, '');
    if (!isCardNumber(digits)) return found;
    let left = digits.length - 4;
    return found.replace(/\d/g, (digit) => {
      left -= 1;
      return left >= 0 ? '*' : digit;
    });
  });
}

/** A record of any shape, with card numbers masked in every text and number of it. */
export function withoutCardNumbers(value: unknown): unknown {
  if (typeof value === 'string') return maskCardNumbers(value);
  if (typeof value === 'number') {
    const text = String(value);
    return isCardNumber(text) ? maskCardNumbers(text) : value;
  }
  if (Array.isArray(value)) return value.map(withoutCardNumbers);
  if (value === null || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, withoutCardNumbers(held)]));
}

/** Four digits out of what a system calls the end of a card number; null when there are none. */
export function lastFourOf(text: string | null): string | null {
  const digits = text?.replace(/\D/g, '') ?? '';
  return digits.length >= 4 ? digits.slice(-4) : null;
}
