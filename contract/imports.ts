import { z } from 'zod';
import { isCurrency, noCurrency } from '../domain/currency.ts';
import { plainText } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { addressId, day, decimal, empty, id, instant, pathId } from './shapes.ts';

/** What can be imported in the browser. */
export const importKinds = ['locations', 'products', 'sales', 'planogram'] as const;
const importKind = z.enum(importKinds);
export type ImportKind = z.output<typeof importKind>;

/** Most bytes of an uploaded file. */
export const maxUploadBytes = 100_000_000;
/** Most refused lines in a report; the file of them has all. */
export const shownRefusals = 50;

/** The file itself goes as bytes to POST /api/imports?name=NAME&kind=KIND, which answers this too. */
export const importUpload = z
  .object({
    id,
    name: z.string(),
    kind: importKind,
    columns: z.array(
      z.object({
        name: z.string().meta({ description: 'Its own: a second column of one name has a number behind it' }),
        sameAs: z.string().nullable().meta({ description: 'The name the file gives it, where another has that too' }),
        samples: z.array(z.string()),
        field: z.string().nullable().meta({ description: 'What it means, as far as known; null: left out' }),
      }),
    ),
    fields: z.array(z.string()).meta({ description: 'What a column can mean' }),
    needs: z.array(z.array(z.string())).meta({ description: 'Of each group one field must have a column' }),
    remembered: z.boolean().meta({ description: 'The meanings are those chosen last for such a file' }),
  })
  .meta({ id: 'ImportUpload' });
export type ImportUpload = z.output<typeof importUpload>;

export const getImport = endpoint({
  method: 'GET',
  path: '/api/imports/:id',
  summary: 'The columns of a file of one’s own that was uploaded, read as one kind',
  needs: 'office:write',
  params: pathId,
  query: z.object({ kind: importKind.optional() }),
  reply: importUpload,
});

export const importResult = z
  .object({
    kind: importKind,
    file: z.string(),
    dryRun: z.boolean(),
    rows: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    repeated: z.int(),
    refused: z.object({
      total: z.int(),
      first: z.array(z.object({ line: z.int(), reason: z.string() })),
    }),
    flagged: z.array(
      z.object({
        reason: z.string(),
        count: z.int(),
        amount: decimal.nullable(),
        lines: z.array(z.int()).meta({ description: 'The first ones' }),
      }),
    ),
    notes: z.array(z.string()),
    swapped: z
      .boolean()
      .meta({ description: 'Most points lie where the operator is only with latitude and longitude exchanged' }),
    sales: z
      .object({
        transactions: z.int(),
        units: z.int(),
        currency: z.string(),
        amount: decimal,
        firstDay: day.nullable(),
        lastDay: day.nullable(),
        machinesCreated: z.array(z.string()),
      })
      .nullable(),
  })
  .meta({ id: 'ImportResult' });
export type ImportResult = z.output<typeof importResult>;

/** POST /api/imports/:id/watch takes the body of runImport and answers JSON lines of this while it runs; to hang up cancels it. */
export const importProgress = z.union([
  z.object({ read: z.int(), done: z.int() }).meta({ description: 'Rows read and rows done so far' }),
  z.object({ result: importResult }),
  z.object({ problem: z.object({ status: z.int(), code: z.string(), detail: z.string() }) }),
]);
export type ImportProgress = z.output<typeof importProgress>;

export const runImport = endpoint({
  method: 'POST',
  path: '/api/imports/:id/run',
  summary: 'Import an uploaded file wholly or not at all; a dry run says what would happen and changes nothing',
  needs: 'office:write',
  params: pathId,
  body: z.strictObject({
    kind: importKind,
    map: z
      .record(z.string().max(1000), z.string().max(50).nullable())
      .meta({ description: 'Column -> what it means; null: leave it out' }),
    dryRun: z.boolean(),
    currency: z
      .string()
      .refine(isCurrency, noCurrency)
      .meta({ description: 'Code of ISO 4217 such as EUR' })
      .nullable()
      .default(null),
    machine: z
      .string()
      .trim()
      .max(100, 'The machine ID is too long')
      .check(plainText)
      .nullable()
      .default(null)
      .meta({ description: 'Machine of all sales, where no column names one' }),
  }),
  reply: importResult,
});

export const removeImport = endpoint({
  method: 'DELETE',
  path: '/api/imports/:id',
  summary: 'Remove an uploaded file; what was imported from it stays',
  needs: 'office:write',
  params: pathId,
  reply: empty,
});

export const pastImport = z
  .object({
    id,
    kind: z.string().meta({ description: 'locations, products, sales, planogram or incidents' }),
    file: z.string(),
    importedBy: z.string().nullable().meta({ description: 'Null: at the server’s command line' }),
    importedAt: instant,
    rows: z.int(),
    created: z.int(),
    updated: z.int(),
    unchanged: z.int(),
    repeated: z.int(),
    refused: z.int(),
    undoneAt: instant.nullable(),
    undoneBy: z.string().nullable(),
    canUndo: z.boolean(),
  })
  .meta({ id: 'PastImport' });
export type PastImport = z.output<typeof pastImport>;

export const listImports = endpoint({
  method: 'GET',
  path: '/api/past-imports',
  summary: 'Imports that were made, the newest first',
  needs: 'office:write',
  query: z.object({
    before: addressId.optional().meta({ description: 'Those older than the import with this id' }),
  }),
  reply: z.object({ imports: z.array(pastImport), more: z.boolean() }),
});

export const undoImport = endpoint({
  method: 'POST',
  path: '/api/past-imports/:id/undo',
  summary: 'Take an import back as a whole: refused, with nothing changed, where its rows were changed or used since',
  needs: 'office:write',
  params: pathId,
  reply: pastImport,
});
