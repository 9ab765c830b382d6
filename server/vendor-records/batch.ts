import { createHash } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import { keepableText } from '../../domain/plain-text.ts';
import type { Db } from '../db/database.ts';

/** Rows of one statement: a statement takes 65,535 values. */
export const rowsPerStatement = 500;

/** What a record says, as a hash: a record told again unchanged is not written again. */
export function contentHash(record: object): string {
  return createHash('sha256').update(JSON.stringify(record)).digest('hex');
}

type Versioned = { vendorId: string; version?: string | null };

/** The last telling of each record in a batch; of two versions the higher one, whatever the order. */
export function newestOf<R extends Versioned>(told: readonly R[]): R[] {
  const newest = new Map<string, R>();
  for (const record of told) {
    const before = newest.get(record.vendorId);
    if (!before || !isOlder(record.version ?? null, before.version ?? null)) newest.set(record.vendorId, record);
  }
  return [...newest.values()];
}

/** True when the version is known to be lower. Versions are whole numbers of any length. */
export function isOlder(version: string | null, than: string | null): boolean {
  if (version === null || than === null || !/^\d+$/.test(version) || !/^\d+$/.test(than)) return false;
  return BigInt(version) < BigInt(than);
}

export const cut = (text: string | null, most: number): string | null => {
  const trimmed = text?.trim() ?? '';
  // The cut may go through the middle of an emoji.
  return trimmed === '' ? null : keepableText(trimmed.slice(0, most));
};

/** A version as the column takes it: what is no number is not compared. */
export const versionOf = (version: string | null): string | null =>
  version !== null && /^\d{1,40}$/.test(version) ? version : null;

/** Decimal text as the column takes it; null for what is no number. */
export const decimalOf = (text: string | null): string | null =>
  text !== null && /^-?\d{1,12}(?:\.\d{1,10})?$/.test(text) ? text : null;

export function chunks<R>(list: readonly R[], size = rowsPerStatement): R[][] {
  const parts: R[][] = [];
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size));
  return parts;
}

type Mirror = PgTable & { configId: AnyPgColumn; vendorId: AnyPgColumn };

/** The condition on a mirror table that names these records of a configuration. */
export const recordsOf = (table: Mirror, configId: number, vendorIds: readonly string[]) =>
  and(eq(table.configId, configId), inArray(table.vendorId, [...vendorIds]));

export type Told = {
  db: Db;
  configId: number;
  system: string;
  at: Date;
  /** When a partner's own message of it came in; absent where it was asked for, which may be long after. */
  heardAt?: Date | undefined;
};
