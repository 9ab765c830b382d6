import { char, index, integer, jsonb, pgTable, primaryKey, varchar } from 'drizzle-orm/pg-core';
import { identity, instant } from '../db/statements/columns.ts';

/** Files that people bring to be imported, each until it is a day old; the bytes are in the data folder. */
export const importUploads = pgTable(
  'import_uploads',
  {
    id: identity(),
    name: varchar({ length: 255 }).notNull(),
    kind: varchar({ length: 20 }).notNull(),
    uploadedBy: integer().notNull(),
    uploadedAt: instant().notNull(),
  },
  (t) => [index('import_uploads_age').on(t.uploadedAt)],
);

/** What the columns of a file meant, by its kind and the hash of its header, to be offered the next time. */
export const importChoices = pgTable(
  'import_choices',
  {
    kind: varchar({ length: 20 }).notNull(),
    header: char({ length: 64 }).notNull(),
    map: jsonb().$type<Record<string, string | null>>().notNull(),
    chosenAt: instant().notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.header] })],
);
