import { customType, index, integer, jsonb, pgTable, unique, varchar } from 'drizzle-orm/pg-core';
import type { DexCounters } from '../../connectors/dex/counters.ts';
import type { DexDifference } from '../../connectors/dex/difference.ts';
import type { DexOutcome } from '../../contract/dex.ts';
import { identity, instant, now } from '../db/statements/columns.ts';

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** DEX files byte for byte: what they say is read from the bytes whenever it is asked for. */
export const dexReads = pgTable(
  'dex_reads',
  {
    id: identity(),
    machineId: integer().notNull(),
    /** SHA-256 of the bytes, in hexadecimal. */
    contentHash: varchar({ length: 64 }).notNull(),
    bytes: bytes().notNull(),
    serialNumber: varchar({ length: 100 }).notNull().default(''),
    readAt: instant().notNull(),
    receivedAt: instant().notNull().default(now),
    /** `upload`, or a partner system and its configuration. */
    origin: varchar({ length: 50 }).notNull(),
    receivedBy: integer(),
    outcome: varchar({ length: 20 }).$type<DexOutcome>().notNull(),
    notes: jsonb().$type<string[]>().notNull().default([]),
    crc: varchar({ length: 10 }).$type<'ok' | 'mismatch' | 'absent'>().notNull(),
    sold: jsonb().$type<DexDifference | null>(),
    booked: integer().notNull().default(0),
  },
  (t) => [
    unique('dex_reads_once').on(t.machineId, t.contentHash),
    index('dex_reads_newest').on(t.machineId, t.readAt.desc(), t.id.desc()),
    index('dex_reads_serial').on(t.serialNumber, t.machineId),
  ],
);

export const dexMachines = pgTable('dex_machines', {
  machineId: integer().primaryKey(),
  counters: jsonb().$type<DexCounters | null>(),
  readId: integer(),
  /** Slot number by the machine's own selection id. */
  links: jsonb().$type<Record<string, string>>().notNull().default({}),
});
