import { sql } from 'drizzle-orm';
import { bigint, customType, integer, numeric, text, timestamp } from 'drizzle-orm/pg-core';

export const identity = () => integer().primaryKey().generatedByDefaultAsIdentity();
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });
export const now = sql`now()`;
export const money = () => numeric({ precision: 10, scale: 2 });
export const latitude = () => numeric({ precision: 10, scale: 8 });
export const longitude = () => numeric({ precision: 11, scale: 8 });

export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

const xid8 = customType<{ data: string }>({ dataType: () => 'xid8' });

/**
 * One rising number over all tables that phones copy, kept by the trigger `note_change` on every insert and update and
 * read by the changes feed.
 */
export const changeColumns = () => ({
  changeSeq: bigint({ mode: 'number' }).notNull().default(sql`nextval('change_seq')`),
  /** The transaction that changed it last. */
  changedXid: xid8().notNull().default('0'),
});

/** How a record is tied to a partner system. */
export const integrationColumns = (uniqueName: string) => ({
  integrationId: text().unique(uniqueName),
  integrationSource: text(),
});
