import { z } from 'zod';
import { keepableText } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { id, instant, wholeNumber } from './shapes.ts';

const auditLine = z
  .object({
    id,
    at: instant,
    actorId: id.nullable(),
    actor: z.string().nullable().meta({ description: 'Who; null: the program, or somebody not signed in' }),
    action: z.string(),
    objectType: z.string().nullable(),
    objectId: z.string().nullable(),
    object: z.string().nullable().meta({ description: 'What the object is called now, where that is known' }),
    address: z.string().nullable(),
    detail: z
      .string()
      .nullable()
      .meta({ description: 'JSON: changed fields as [before, after], and what else is known' }),
    hash: z.string().nullable(),
  })
  .meta({ id: 'AuditLine' });
export type AuditLine = z.output<typeof auditLine>;

const day = z.iso.date('Enter a day as YYYY-MM-DD');
const filter = {
  search: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Words of the action, the object, the detail or the address' }),
  actor: wholeNumber(0, 2_147_483_647).optional().meta({ description: 'Id of a person; 0: nobody' }),
  action: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'An action, or the beginning of several that ends with a dot' }),
  objectType: z.string().max(50).optional(),
  objectId: z.string().max(50).optional(),
  from: day.optional(),
  until: day.optional().meta({ description: 'The last day, included' }),
};

export const pageAuditLog = endpoint({
  method: 'GET',
  path: '/api/audit-log/page',
  summary: 'A page of the audit log: who did what, when, from where, before and after',
  needs: 'audit:read',
  query: pageQuery.extend({ ...filter, sort: sortBy('at').default('-at') }),
  reply: pageOf(auditLine),
});

export const listAuditChoices = endpoint({
  method: 'GET',
  path: '/api/audit-log/choices',
  summary: 'What the audit log can be filtered by: people, actions and kinds of objects that occur in it',
  needs: 'audit:read',
  reply: z.object({
    people: z.array(z.object({ id, name: z.string() })),
    actions: z.array(z.string()),
    objectTypes: z.array(z.string()),
  }),
});

export const verifyAuditLog = endpoint({
  method: 'POST',
  path: '/api/audit-log/verify',
  summary: 'Recompute the chain of hashes over the whole log; names the first line that is not as it was written',
  needs: 'audit:read',
  reply: z.object({
    lines: z.int(),
    purged: z.int().meta({ description: 'Lines before these, removed when they were two years old' }),
    head: z.string().nullable(),
    broken: z.string().nullable().meta({ description: 'What is wrong, in words; null: nothing' }),
  }),
});

export const noteExport = endpoint({
  method: 'POST',
  path: '/api/audit-log/exports',
  summary: 'Note that rows shown on a screen were saved as a file by this person',
  needs: 'signed-in',
  body: z.strictObject({
    name: z.string().overwrite(keepableText).trim().min(1).max(100),
    rows: z.int().min(0).max(100_000_000).nullable().default(null),
  }),
  reply: z.object({ noted: z.literal(true) }),
});
