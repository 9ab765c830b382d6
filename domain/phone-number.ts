const inBrackets = (ten: string): string => `(${ten.slice(0, 3)}) ${ten.slice(3, 6)}-${ten.slice(6)}`;

/** (XXX) XXX-XXXX once exactly ten digits are typed; anything else stays as typed. */
export function phoneAsTyped(typed: string): string {
  const digits = typed.replace(/\D/g, '');
  return digits.length === 10 ? inBrackets(digits) : typed;
}

/** The numbering plan of the United States and Canada: neither the area nor the exchange begins with 0 or 1. */
const northAmerican = /^(?:\+?1)?([2-9]\d{2}[2-9]\d{6})$/;

/** Codes of countries with one or two digits; all others have three. */
const countryCode = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/;

/**
 * A phone number as a person writes it: `(512) 555-0100` in the United States and Canada, elsewhere the country's code and
 * the rest in threes. What is no bare number (an extension, words, separators of another country) stays as it was written.
 */
export function phoneText(number: string): string {
  const [, ten] = northAmerican.exec(number.replace(/[\s().\-/]/g, '')) ?? [];
  if (ten) return inBrackets(ten);
  if (!/^\+\d{8,15}$/.test(number)) return number;
  const [, country, rest = ''] = countryCode.exec(number.slice(1)) ?? [];
  // One digit is never left alone at the end.
  return country ? `+${country} ${rest.replace(/\d{3}(?=\d{2})/g, '$& ')}` : number;
}
