import { Secret, TOTP } from 'otpauth';

const periodS = 30;
const secretBytes = 20;
/** Steps before and after now that count too: a phone's clock may be half a minute off. */
const window = 1;

/** A new secret as an authenticator app reads it, in base32. */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32;

const totpOf = (secret: string, label = '', issuer = '') =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: periodS });

/** The address an authenticator app scans. */
export function totpUri(secret: string, { label, issuer }: { label: string; issuer: string }): string {
  return totpOf(secret, label, issuer).toString();
}

/** The 30 s step whose code this is, or null; compared in constant time. */
export function stepOfCode(secret: string, code: string, at: Date): number | null {
  const timestamp = at.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window });
  return delta === null ? null : Math.floor(timestamp / 1000 / periodS) + delta;
}

/** The code at an instant. */
export const codeAt = (secret: string, at: Date): string => totpOf(secret).generate({ timestamp: at.getTime() });
