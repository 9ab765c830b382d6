import { isRec, type Rec } from './read.ts';

/** Who paid is nobody's business here: names, phones, tokens and loyalty ids of buyers are not kept. */
const buyers =
  /^(?:cli|cardholdername|guestname|useridentity|consumerid|token|nayaxtoken|userpassword|username|zipcode|rawenil.*|parsedenil.*|discountcard.*|shopperip|alias|paymentaccountreference)$/;
const cards = /^(?:cardnumber|cardstring|displaycardnumber|cardbin|cardfirst4digits|issuerbin)$/;

/** The record as it is kept: of card numbers the last four digits, of the buyer nothing. */
export function scrubbed(rec: Rec): Rec {
  return Object.fromEntries(Object.entries(rec).map(([key, value]) => [key, cleaned(key, value)]));
}

function cleaned(key: string, value: unknown): unknown {
  const name = key.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  if (buyers.test(name)) return null;
  if (cards.test(name)) {
    const digits = lastFour(typeof value === 'number' ? String(value) : value);
    return digits && name !== 'cardbin' && name !== 'cardfirst4digits' && name !== 'issuerbin' ? `****${digits}` : null;
  }
  if (Array.isArray(value)) return value.map((one) => (isRec(one) ? scrubbed(one) : one));
  return isRec(value) ? scrubbed(value) : value;
}

/** The last four digits of a card number, masked or not; null where it does not end in four digits. */
export function lastFour(value: unknown): string | null {
  return typeof value === 'string' ? (/(\d{4})\s*$/.exec(value)?.[1] ?? null) : null;
}
