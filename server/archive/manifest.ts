import { z } from 'zod';

export const manifestName = 'manifest.json';
export const format = 'milkrun-archive';
const version = 1;

/** What an archive says of itself. */
export const manifest = z.object({
  format: z.literal(format),
  version: z.literal(version),
  takenAt: z.iso.datetime(),
  /** Time of the newest migration that the tables had gone through; see the journal of migrations. */
  schema: z.number(),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.int(),
      /** SHA-256 of the file, in hex. */
      sha256: z.string(),
    }),
  ),
});
export type Manifest = z.output<typeof manifest>;
export type TableEntry = Manifest['tables'][number];

const newerForm = z.object({ format: z.literal(format), version: z.number().gt(version) });

/** An archive of ours whose form this program does not know yet. */
export const isNewerForm = (told: unknown): boolean => newerForm.safeParse(told).success;

export const fileOf = (table: string): string => `${table}.csv`;
