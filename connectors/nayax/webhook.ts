import {
  type Delivery,
  type RawRequest,
  VendorError,
  type Verdict,
  type WebhookContext,
  type WebhookReader,
} from '../connector.ts';
import { setting } from '../lynx/client.ts';
import { id, type Rec, text } from '../lynx/read.ts';
import { readDex, readEcom, readEvent, readHosted, readTransaction } from './messages.ts';
import { type HostedFields, isBasic, isHmac, isHostedSignature, jsonBody, requestTypeOf } from './signatures.ts';

/**
 * Everything that Nayax sends to one address: notifications of its hosted payment pages (GET or form POST, signed),
 * e-commerce notifications (JSON with `Hmac`), and messages of its queue forwarded as JSON over HTTP Basic.
 */
export const webhook: WebhookReader = { verify, parse };

type Kind = 'hosted' | 'ecom' | 'event' | 'transaction' | 'dex';
type Message = { kind: Kind; fields: HostedFields; body: Rec };

function verify(request: RawRequest, context: WebhookContext): Verdict {
  const message = messageOf(request);
  if (!message) return { genuine: false, reason: 'Neither a notification of Nayax nor a message of its queue.' };
  const accepted = [context.settings, context.previousSettings].some((settings) => {
    const hashCode = settings ? setting(settings, 'hashCode') : null;
    if (!settings || !hashCode) return false;
    if (message.kind === 'hosted') return isHostedSignature(message.fields, hashCode, context.hash);
    if (message.kind === 'ecom') return isHmac(message.body, hashCode, context.hash);
    return isBasic(request.headers.authorization, setting(settings, 'merchantId') ?? '', hashCode, context.hash);
  });
  if (!accepted)
    return {
      genuine: false,
      reason: refusal[message.kind === 'hosted' || message.kind === 'ecom' ? message.kind : 'queue'],
    };
  return {
    genuine: true,
    eventId: eventIdOf(message),
    eventType: typeOf[message.kind],
    signature: signatureOf(message),
  };
}

const refusal = {
  hosted: 'The signature does not fit what was sent and the hash code.',
  ecom: 'The Hmac does not fit what was sent and the hash code, which must be the 64 hex digits given to Nayax.',
  queue: 'The forwarder’s name and password are not the merchant ID and the hash code.',
};

const typeOf: Record<Kind, string> = {
  hosted: 'payment.notification',
  ecom: 'ecommerce.notification',
  event: 'queue.event',
  transaction: 'queue.transaction',
  dex: 'queue.dex',
};

function parse(request: RawRequest): Delivery {
  const message = messageOf(request);
  if (!message)
    throw new VendorError('nayax', 'bad-data', 'The delivery cannot be read. Nothing of it was taken over.');
  const batch = readers[message.kind](message);
  if (batch.unreadable?.length) {
    throw new VendorError(
      'nayax',
      'bad-data',
      batch.unreadable[0]?.reason ?? 'The delivery cannot be read. Nothing of it was taken over.',
    );
  }
  return { batch, pull: [] };
}

const readers: Record<Kind, (message: Message) => Delivery['batch']> = {
  hosted: ({ fields }) => readHosted(fields),
  ecom: ({ body }) => readEcom(body),
  event: ({ body }) => readEvent(body),
  transaction: ({ body }) => readTransaction(body),
  dex: ({ body }) => readDex(body),
};

function messageOf(request: RawRequest): Message | null {
  const body = jsonBody(request.body);
  if (body) {
    const kind = kindOf(body);
    return kind && { kind, fields: new Map(), body };
  }
  const pairs =
    request.method === 'GET' ? request.query : [...new URLSearchParams(new TextDecoder().decode(request.body))];
  // Base64 has a plus, which a form turns into a blank unless it was encoded.
  const fields = new Map(
    pairs.map(([name, value]) => [name, name === 'signature' ? value.replaceAll(' ', '+') : value]),
  );
  return fields.has('trans_id') && fields.has('signature') ? { kind: 'hosted', fields, body: {} } : null;
}

function kindOf(body: Rec): Kind | null {
  if (body.Hmac !== undefined) return 'ecom';
  if (body.DexData !== undefined) return 'dex';
  if (text(body, 'TransactionId') && body.Data !== undefined) return 'transaction';
  return text(body, 'eventCode', 'eventName') && text(body, 'machineId') ? 'event' : null;
}

/** The sender's own id of the delivery, where it has one: a message told again has the same. */
function eventIdOf({ kind, fields, body }: Message): string | null {
  if (kind === 'hosted')
    return `${fields.get('trans_id') ?? ''}:${fields.get('reply_code') ?? fields.get('replyCode') ?? ''}`;
  if (kind === 'ecom') return ecomEventId(body);
  // The queue tells one transaction several times, with other content: only the whole message says which one it is.
  return kind === 'event' ? id(body, 'EventLogID') : null;
}

/** What is asked of a payment once has its name alone; parts of it may be paid back again and again. */
function ecomEventId(body: Rec): string {
  const asked = `${text(body, 'NayaxTransactionId', 'MerchantRequestId') ?? ''}:${requestTypeOf(body)}`;
  return requestTypeOf(body) === 'Refund' ? `${asked}:${text(body, 'RequestDate') ?? ''}` : asked;
}

function signatureOf({ kind, fields, body }: Message): string | null {
  if (kind === 'hosted') return fields.get('signature') ?? null;
  return kind === 'ecom' ? text(body, 'Hmac') : null;
}
