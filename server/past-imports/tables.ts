import { integer, jsonb, pgTable, primaryKey, text, varchar } from 'drizzle-orm/pg-core';
import { identity, instant } from '../db/statements/columns.ts';

/** Every import that was made. */
export const imports = pgTable('imports', {
  id: identity(),
  kind: varchar({ length: 20 }).notNull(),
  file: varchar({ length: 255 }).notNull(),
  /** Null: at the server's command line. */
  importedBy: integer(),
  importedAt: instant().notNull(),
  rows: integer().notNull().default(0),
  created: integer().notNull().default(0),
  updated: integer().notNull().default(0),
  unchanged: integer().notNull().default(0),
  repeated: integer().notNull().default(0),
  refused: integer().notNull().default(0),
  undoneAt: instant(),
  undoneBy: integer(),
  /** When what it wrote was forgotten: from then on it stays. */
  settledAt: instant(),
});

/** Rows that imports wrote, kept by triggers while `milkrun.import` names the import of a transaction. */
export const importChanges = pgTable(
  'import_changes',
  {
    importId: integer()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    tableName: varchar({ length: 40 }).notNull(),
    rowKey: varchar({ length: 50 }).notNull(),
    /** Fields as they were; null: the row is new. */
    before: jsonb().$type<Record<string, unknown>>(),
    after: jsonb().$type<Record<string, unknown>>(),
    seal: text(),
  },
  (t) => [primaryKey({ columns: [t.importId, t.tableName, t.rowKey] })],
);
