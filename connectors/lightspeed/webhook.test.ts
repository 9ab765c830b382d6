import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Settings } from '../../domain/integration.ts';
import { type RawRequest, VendorError } from '../connector.ts';
import { hash } from '../testing/hash.ts';
import { lightspeed } from './connector.ts';

const start = new Date('2026-03-12T15:00:00Z');

describe('webhooks', () => {
  const settings: Settings = { clientSecret: 'new secret', domainPrefix: 'acme', unsignedWebhooks: false };
  const body = Buffer.from(new URLSearchParams({ payload: '{"id":"1","register_sale_products":[]}' }).toString());
  const header = (secret: string, of = body) =>
    `signature=${createHmac('sha256', secret).update(of).digest('hex')}, algorithm=HMAC-SHA256`;
  const raw = (signature: string | null, of: Uint8Array = body, at = ''): RawRequest => ({
    method: 'POST',
    path: at,
    query: [],
    headers: signature === null ? {} : { 'x-signature': signature },
    body: of,
  });
  const verify = (request: RawRequest, more: Settings = {}) =>
    lightspeed.webhook?.verify(request, {
      settings: { ...settings, ...more },
      previousSettings: { clientSecret: 'old secret' },
      now: () => start,
      hash,
      timeZone: 'UTC',
    });

  it('the signature is HMAC-SHA256 over the raw body, checked against a value computed elsewhere', () => {
    // openssl dgst -sha256 -hmac key, of the text below: the vector that RFC 4231 readers know from many manuals.
    const known = Buffer.from('The quick brown fox jumps over the lazy dog');
    const signature =
      'signature=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8, algorithm=HMAC-SHA256';
    expect(verify(raw(signature, known), { clientSecret: 'key' })?.genuine).toBe(true);
  });

  it('a changed bit of body or signature is refused; the secret of before still counts', () => {
    expect(verify(raw(header('new secret')))).toMatchObject({ genuine: true, eventType: 'sale.update' });
    expect(verify(raw(header('old secret')))?.genuine).toBe(true);
    for (let bit = 0; bit < body.length * 8; bit += 7) {
      const changed = Buffer.from(body);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(verify(raw(header('new secret'), changed))?.genuine).toBe(false);
    }
    const signature = header('new secret');
    expect(verify(raw(signature.replace(/=(.)/, (_all, sign) => `=${sign === 'a' ? 'b' : 'a'}`)))?.genuine).toBe(false);
    expect(verify(raw('signature=zz, algorithm=HMAC-SHA256'))?.genuine).toBe(false);
    expect(verify(raw(signature.replace('SHA256', 'MD5')))?.genuine).toBe(false);
  });

  it('an unsigned one counts only where the operator said so, one of another store never', () => {
    expect(verify(raw(null))).toEqual({ genuine: false, reason: 'The delivery is not signed.' });
    expect(verify(raw(null), { unsignedWebhooks: true })?.genuine).toBe(true);
    const other = Buffer.from(`${body}&domain_prefix=other`);
    expect(verify(raw(header('new secret', other), other))?.genuine).toBe(false);
  });

  it('a delivery only makes us look: by its address, else by what it holds', () => {
    const parse = (request: RawRequest) =>
      lightspeed.webhook?.parse(request, { settings, previousSettings: null, now: () => start, hash, timeZone: 'UTC' });
    expect(parse(raw(null, body, '/inventory.update'))).toEqual({ batch: {}, pull: ['stock'] });
    expect(parse(raw(null))).toEqual({ batch: {}, pull: ['sales', 'stock'] });
    expect(() => parse(raw(null, Buffer.from('payload=%7B%7D'), '/constructor'))).toThrow(VendorError);
  });
});
