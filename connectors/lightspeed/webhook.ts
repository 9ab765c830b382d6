import type { VendorResource } from '../../domain/integration.ts';
import {
  type RawRequest,
  type VendorContext,
  VendorError,
  type Verdict,
  type WebhookContext,
  type WebhookReader,
} from '../connector.ts';
import { ask } from './client.ts';
import { system } from './manifest.ts';
import { isRec, type Rec, text } from './read.ts';

/** Events we subscribe to, and what each makes us pull: the payload has an older shape and no order, so it is a hint. */
export const events: Readonly<Record<string, readonly VendorResource[]>> = {
  'sale.update': ['sales', 'stock'],
  'product.update': ['products'],
  'inventory.update': ['stock'],
};

/**
 * Deliveries are form-encoded with the object in `payload`, signed over the raw body with the client secret in
 * `X-Signature: signature=<hex>, algorithm=HMAC-SHA256`.
 */
export const webhook: WebhookReader = {
  verify: (request, context) => {
    const eventType = eventOf(request) ?? 'unknown';
    const signature = signatureOf(request.headers['x-signature']);
    const store = text(fieldsOf(request), 'domain_prefix');
    const own = context.settings.domainPrefix;
    if (store !== null && typeof own === 'string' && own !== '' && store !== own) {
      return { genuine: false, reason: 'The delivery is of another store.' };
    }
    if (signature === null) return unsigned(context, eventType);
    const secrets = [context.settings.clientSecret, context.previousSettings?.clientSecret];
    const isGenuine = secrets.some(
      (secret) => typeof secret === 'string' && signs(secret, signature, request, context),
    );
    return isGenuine
      ? { genuine: true, eventId: null, eventType, signature }
      : { genuine: false, reason: 'The signature does not fit the client secret.' };
  },
  parse: (request) => {
    const event = eventOf(request);
    const pull = event === null ? null : events[event];
    if (!pull) {
      throw new VendorError(system, 'bad-data', 'Lightspeed sent a webhook of a kind that is not known here.');
    }
    return { batch: {}, pull };
  },
};

/**
 * Asks the store to send each event to an address of its own, so that what it is about needs no guess. A store that
 * knows the address already says so, which is as good.
 */
export async function register(address: string, context: VendorContext): Promise<void> {
  for (const type of Object.keys(events)) {
    const data = JSON.stringify({ url: `${address}/${type}`, type, active: true });
    const body = new URLSearchParams({ data }).toString();
    const reply = await ask(context, '/webhook', { method: 'POST', body, root: '/api' });
    if (reply.status > 299 && reply.status !== 409) {
      throw new VendorError(
        system,
        'forbidden',
        `Lightspeed did not accept the webhook for ${type} (${reply.status}). Sales are still fetched by the timetable.`,
      );
    }
  }
}

function unsigned({ settings }: WebhookContext, eventType: string): Verdict {
  if (settings.unsignedWebhooks === true) return { genuine: true, eventId: null, eventType, signature: null };
  return { genuine: false, reason: 'The delivery is not signed.' };
}

function signs(secret: string, signature: string, { body }: RawRequest, { hash }: WebhookContext): boolean {
  return secret !== '' && hash.equal(hash.hmacSha256(bytesOf(secret), body), fromHex(signature));
}

/** The hexadecimal signature; null for a missing header, one of another form or of another algorithm. */
function signatureOf(header: string | undefined): string | null {
  const parts = new Map(
    (header ?? '').split(',').map((part): [string, string] => {
      const [name = '', ...value] = part.split('=');
      return [name.trim().toLowerCase(), value.join('=').trim()];
    }),
  );
  const signature = parts.get('signature') ?? '';
  const algorithm = parts.get('algorithm') ?? 'HMAC-SHA256';
  return algorithm.toUpperCase() === 'HMAC-SHA256' && /^[0-9a-f]{64}$/i.test(signature) ? signature : null;
}

/** Told by the address we registered, else by the form, else by what the payload holds. */
function eventOf(request: RawRequest): string | null {
  const fields = fieldsOf(request);
  const named = [request.path.replace(/^\//, ''), text(fields, 'type') ?? ''].find((name) =>
    Object.hasOwn(events, name),
  );
  if (named) return named;
  const payload = payloadOf(fields);
  if (payload === null) return null;
  if ('register_sale_products' in payload || 'line_items' in payload) return 'sale.update';
  if ('count' in payload && 'outlet_id' in payload) return 'inventory.update';
  return 'sku' in payload || 'handle' in payload ? 'product.update' : null;
}

function payloadOf(fields: Rec): Rec | null {
  try {
    const payload: unknown = JSON.parse(text(fields, 'payload') ?? '');
    return isRec(payload) ? payload : null;
  } catch {
    return null;
  }
}

function fieldsOf({ body }: RawRequest): Rec {
  return Object.fromEntries(new URLSearchParams(new TextDecoder().decode(body)));
}

const bytesOf = (secret: string): Uint8Array => new TextEncoder().encode(secret);

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
