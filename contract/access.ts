import { z } from 'zod';
import { accessPower, applicationName } from '../domain/application.ts';
import { plainText } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { addressId, empty, id, instant, pathId } from './shapes.ts';

const access = z
  .object({
    id,
    userId: id,
    applicationName,
    routeDesignation: z.string().nullable(),
    permissions: z.array(accessPower),
    isActive: z.boolean(),
    expiresAt: instant.nullable(),
  })
  .meta({ id: 'ApplicationAccess' });
export type ApplicationAccess = z.output<typeof access>;

const given = {
  routeDesignation: z.string().trim().min(1).max(20).check(plainText).nullable().default(null),
  permissions: z.array(accessPower).min(1, 'Give at least one permission, or switch the access off').max(3),
  isActive: z.boolean().default(true),
  expiresAt: z.iso.datetime({ offset: true, error: 'Enter a date and time' }).nullable().default(null),
};

/** An application of one person: what the role opens, what was recorded, and what is left of it now. */
const applicationOf = z.object({
  applicationName,
  label: z.string(),
  allowedByRole: z.boolean(),
  permissions: z.array(accessPower).meta({ description: 'What the person may do there now' }),
  access: z.array(access),
});
export type ApplicationOf = z.output<typeof applicationOf>;

export const listApplicationAccess = endpoint({
  method: 'GET',
  path: '/api/application-access',
  summary: 'The applications of a person, and what access was given to each',
  needs: 'people:manage',
  query: z.object({ userId: addressId }),
  reply: z.array(applicationOf),
});

export const giveApplicationAccess = endpoint({
  method: 'POST',
  path: '/api/application-access',
  summary:
    'Give a person access to an application, with permissions, a route and an end; from then on only what was given counts',
  needs: 'people:manage',
  once: true,
  body: z.strictObject({ userId: id, applicationName, ...given }),
  reply: access,
  status: 201,
});

export const changeApplicationAccess = endpoint({
  method: 'PUT',
  path: '/api/application-access/:id',
  summary: 'Change an access: permissions, route, end, on or off; takes effect on the next call of the person',
  needs: 'people:manage',
  params: pathId,
  body: z.strictObject({
    ...given,
    userId: id.optional().meta({ description: 'As it was read: an access stays with its person' }),
    applicationName: applicationName.optional(),
  }),
  reply: access,
});

export const removeApplicationAccess = endpoint({
  method: 'DELETE',
  path: '/api/application-access/:id',
  summary: 'Remove an access; with the last one of an application the role decides again',
  needs: 'people:manage',
  params: pathId,
  reply: empty,
});
