import type { Hash } from '../connector.ts';
import { isRec, parseJson, type Rec, text } from '../lynx/read.ts';

const utf8 = new TextEncoder();

/** UTF-8. */
export function bytesOf(words: string): Uint8Array {
  return utf8.encode(words);
}

/** Null where it is no Base64. */
export function fromBase64(told: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(told.trim()), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Fields of a hosted page's notification, as text exactly as sent: `1.5` and `1.50` sign differently. */
export type HostedFields = ReadonlyMap<string, string>;

/**
 * Signature of a hosted page's notification: Base64 of SHA-256 over trans_id, trans_order, reply_code, trans_amount,
 * trans_currency and the hash code, joined without separators.
 */
export function isHostedSignature(fields: HostedFields, hashCode: string, hash: Hash): boolean {
  const told = fromBase64(fields.get('signature') ?? '');
  const reply = fields.get('reply_code') ?? fields.get('replyCode') ?? '';
  const signed = ['trans_id', 'trans_order'].map((name) => fields.get(name) ?? '').join('');
  const money = ['trans_amount', 'trans_currency'].map((name) => fields.get(name) ?? '').join('');
  const made = hash.sha256(bytesOf(`${signed}${reply}${money}${hashCode}`));
  return told !== null && hash.equal(told, made);
}

/**
 * What the signed text has in place of the number of a request: three names are published, and that 4 pays back. What 3 is
 * called is not said, so each name that it may have is tried.
 */
const requestTypes: readonly (readonly string[])[] = [
  ['Sale'],
  ['Auth'],
  ['Settlement'],
  ['Cancel', 'Void', 'Reversal'],
  ['Refund'],
];

function requestTypesOf(body: Rec): readonly string[] {
  const told = text(body, 'RequestTypeName') ?? text(body, 'RequestType') ?? '';
  return requestTypes[Number(told === '' ? Number.NaN : told)] ?? [told];
}

/** The name of a request’s type, also where its number is told; empty where neither is. */
export const requestTypeOf = (body: Rec): string => requestTypesOf(body)[0] ?? '';

/**
 * `Hmac` of an e-commerce notification: Base64 of HMAC-SHA256 over
 * `NayaxTransactionId:MerchantRequestId:MachineId:RequestTypeName:IsApproved`, a missing value as empty text, the key
 * 64 hex digits decoded. Source: devzone.nayax.com, 'HMAC validation'.
 */
export function isHmac(body: Rec, hashCode: string, hash: Hash): boolean {
  const told = fromBase64(text(body, 'Hmac') ?? '');
  if (told === null || !/^[0-9a-fA-F]{64}$/.test(hashCode)) return false;
  const key = Uint8Array.from(hashCode.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  return requestTypesOf(body).some((type) => hash.equal(told, hash.hmacSha256(key, bytesOf(signedText(body, type)))));
}

function signedText(body: Rec, type: string): string {
  const approved = text(body, 'IsApproved')?.toLowerCase() ?? '';
  return [
    body.NayaxTransactionId ?? '',
    body.MerchantRequestId ?? '',
    body.MachineId ?? '',
    type,
    approved === '' ? '' : `${approved.charAt(0).toUpperCase()}${approved.slice(1)}`,
  ].join(':');
}

/** HTTP Basic with merchant ID and hash code, as the forwarder of the queue sends it. */
export function isBasic(header: string | undefined, merchantId: string, hashCode: string, hash: Hash): boolean {
  const told = /^Basic\s+(\S+)$/i.exec(header ?? '')?.[1];
  const sent = told ? fromBase64(told) : null;
  return sent !== null && hash.equal(sent, bytesOf(`${merchantId}:${hashCode}`));
}

/** The body as a JSON object; null where it is none. */
export function jsonBody(body: Uint8Array): Rec | null {
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isRec(value) ? value : null;
  } catch {
    return null;
  }
}
