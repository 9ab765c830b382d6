import { z } from 'zod';
import { plainText } from '../domain/plain-text.ts';
import { power, role } from '../domain/role-schemas.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { id, instant, pathId } from './shapes.ts';

/** A person as administrators see them. */
export const adminPerson = z
  .object({
    id,
    email: z.string(),
    phoneNumber: z.string().nullable(),
    phoneConfirmed: z.boolean().meta({ description: 'Codes to sign in may go to the number' }),
    firstName: z.string(),
    lastName: z.string(),
    role,
    roleLabel: z.string(),
    routeDesignation: z.string().nullable(),
    permissions: z.array(power),
    isActive: z.boolean(),
    lastActive: instant.nullable().meta({ description: 'When they were here last; null: never' }),
    createdAt: instant,
    limitedApplications: z.int().meta({ description: 'Applications for which access was recorded' }),
    devices: z.int().meta({ description: 'Devices signed in as this person' }),
  })
  .meta({ id: 'AdminPerson' });
export type AdminPerson = z.output<typeof adminPerson>;

export const pagePeople = endpoint({
  method: 'GET',
  path: '/api/people/page',
  summary: 'A page of everybody, searched by name, e-mail address or phone number, filtered and sorted',
  needs: 'people:manage',
  query: pageQuery.extend({
    search: z.string().max(100).optional(),
    role: role.optional(),
    route: z.string().max(20).optional(),
    sort: sortBy('name', 'email', 'role', 'route', 'active').default('name'),
  }),
  reply: pageOf(adminPerson).extend({ active: z.int().meta({ description: 'Those of them who may sign in' }) }),
});

const fields = {
  email: z.string().trim().max(255).pipe(z.email('Enter an e-mail address such as name@company.com')),
  firstName: z.string().trim().min(1, 'First name is required').max(100).check(plainText),
  lastName: z.string().trim().max(100).check(plainText).default(''),
  phoneNumber: z.string().trim().max(30, 'This phone number is too long').check(plainText).nullable().default(null),
  role,
  routeDesignation: z
    .string()
    .trim()
    .min(1)
    .max(20, 'A route designation has at most 20 characters')
    .check(plainText)
    .nullable(),
};

export const invitePerson = endpoint({
  method: 'POST',
  path: '/api/people',
  summary: 'Add a person and send them an invitation by e-mail; they sign in with a code, there is no password',
  needs: 'people:manage',
  once: true,
  body: z.strictObject({
    ...fields,
    role: role.default('field_worker'),
    routeDesignation: fields.routeDesignation.default(null),
  }),
  reply: adminPerson,
  status: 201,
});

export const updatePerson = endpoint({
  method: 'PUT',
  path: '/api/people/:id',
  summary: 'Change a person: contact, role, route designation; takes effect on their next call',
  needs: 'people:manage',
  params: pathId,
  body: z.strictObject({
    ...fields,
    isActive: z
      .boolean()
      .optional()
      .meta({ description: 'As it was read: deactivating and reactivating are calls of their own' }),
  }),
  reply: adminPerson,
});

export const deactivatePerson = endpoint({
  method: 'POST',
  path: '/api/people/:id/deactivate',
  summary: 'Shut a person out at once: sessions, event streams and devices end; nothing they did is lost',
  needs: 'people:manage',
  params: pathId,
  reply: adminPerson,
});

export const reactivatePerson = endpoint({
  method: 'POST',
  path: '/api/people/:id/reactivate',
  summary: 'Let a deactivated person sign in again',
  needs: 'people:manage',
  params: pathId,
  reply: adminPerson,
});

export const inviteAgain = endpoint({
  method: 'POST',
  path: '/api/people/:id/invite',
  summary: 'Send the invitation once more',
  needs: 'people:manage',
  params: pathId,
  reply: z.object({ sent: z.literal(true) }),
});
