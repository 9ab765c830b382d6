import { z } from 'zod';
import type { Scope } from '../scope/service.ts';
import { sha256 } from '../settings/secrets.ts';

const shape = z.object({
  /** Highest change number delivered. */
  seq: z.number(),
  /** Transactions from this one on may have been under way when the last finished download began: their rows come again. */
  since: z.string().nullable(),
  /** The same for the download under way. */
  started: z.string(),
  /** The day around which routes were sent. */
  day: z.string(),
  /** True while pages of one download are being fetched. */
  paging: z.boolean(),
  /** What the person could see: another scope begins anew. */
  scope: z.string(),
});
export type Cursor = z.output<typeof shape>;

export function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url');
}

/** A cursor as it came; null when it is none of ours, which means: begin anew. */
export function readCursor(text: string | undefined): Cursor | null {
  if (!text) return null;
  try {
    return shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  } catch {
    return null;
  }
}

/**
 * A short name of a scope: designation, the locations that it holds now, and when the database came back from an archive, whose
 * numbers begin again lower than those that phones have seen.
 */
export function scopeName(scope: Scope, locationKeys: readonly string[], restoredAt: string | null): string {
  if (scope.everything) return restoredAt === null ? 'all' : `all since ${restoredAt}`;
  return sha256(`${scope.designation}|${[...locationKeys].sort().join(',')}|${restoredAt ?? ''}`).slice(0, 16);
}
