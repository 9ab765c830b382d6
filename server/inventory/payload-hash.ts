import { sha256 } from '../settings/secrets.ts';

/** Hash of what an event says, so that its id can never come to mean something else. Field order does not matter. */
export function payloadHash(content: Record<string, unknown>): string {
  const sorted = Object.fromEntries(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sha256(JSON.stringify(sorted));
}
