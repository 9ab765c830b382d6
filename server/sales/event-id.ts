import { createHash } from 'node:crypto';

/** Our own namespace for ids of sales: an arbitrary constant that must never change. */
const namespace = Buffer.from('6f6a3c1e5b0d4c8e9a7f2d4b8c1e0f35', 'hex');

/**
 * The event id of a partner's sale: version 5 UUID (RFC 9562) of source, transaction id and, where a transaction has
 * several lines, the line. Webhook, polling and backfill of one sale all arrive at the same id.
 */
export function saleEventId(source: string, transactionId: string, line: string | null): string {
  const name = JSON.stringify(line === null ? [source, transactionId] : [source, transactionId, line]);
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
