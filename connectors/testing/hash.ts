import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Hash } from '../connector.ts';

/** The hashes that the server hands a connector. */
export const hash: Hash = {
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
  hmacSha256: (key, bytes) => createHmac('sha256', key).update(bytes).digest(),
  equal: (a, b) => a.length === b.length && timingSafeEqual(a, b),
  uuid: randomUUID,
};
