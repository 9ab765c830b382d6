/** Longest and shortest number E.164 knows, country code included. */
const digitsOfNumber = /^[1-9]\d{7,14}$/;

/**
 * A phone number as people write it, in the one form that is stored and sent to: `+` and digits (E.164). Ten digits
 * without a country code are a number of the United States. Null for what cannot be a number.
 */
export function toE164(written: string): string | null {
  const digits = written.replace(/\D/g, '');
  if (written.replace(/[\s().\-/]/g, '').replace(/^\+/, '') !== digits) return null;
  const whole = international(written.trim(), digits);
  return whole && digitsOfNumber.test(whole) ? `+${whole}` : null;
}

function international(written: string, digits: string): string | null {
  if (written.startsWith('+')) return digits;
  if (digits.startsWith('00')) return digits.slice(2);
  if (digits.length === 10) return `1${digits}`;
  return digits.length === 11 && digits.startsWith('1') ? digits : null;
}
