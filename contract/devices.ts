import { z } from 'zod';
import { applicationName } from '../domain/application.ts';
import { plainText } from '../domain/plain-text.ts';
import { role } from '../domain/role-schemas.ts';
import { endpoint } from './endpoint.ts';
import { pageOf, pageQuery, sortBy } from './paging.ts';
import { empty, id, instant, pathId, requiredText } from './shapes.ts';

export const deviceType = z.enum(['tablet', 'smartphone', 'pos_terminal', 'scanner']);
export type DeviceType = z.output<typeof deviceType>;

const typeOfDevice = z.enum(deviceType.options, {
  error: ({ input }) =>
    input ? `Device type must be one of ${deviceType.options.join(', ')}` : 'Device type is required',
});

const pairingCode = z
  .string()
  .trim()
  .transform((text) => text.replace(/[\s-]/g, ''))
  .pipe(z.string().regex(/^\d{8}$/, 'Enter the 8 digits of the pairing code'));

export const checkPairingCode = endpoint({
  method: 'POST',
  path: '/api/auth/pairing-code',
  summary: 'Check a pairing code before it is used: the route and the person it signs a device in for',
  needs: 'public',
  body: z.strictObject({ pairingCode }),
  reply: z.object({ routeDesignations: z.array(z.string()), worker: z.string(), expiresAt: instant }),
});

const operator = z.object({
  firstName: z.string(),
  lastName: z.string(),
  role,
  roleLabel: z.string(),
  routeDesignation: z.string().nullable(),
});

const loginResult = z
  .object({
    success: z.literal(true),
    user: operator,
    deviceSession: z.object({
      deviceId: z.string(),
      deviceType,
      deviceName: z.string(),
      routeDesignation: z.string(),
    }),
    applications: z.array(
      z.object({
        id: id.meta({ description: 'Of the application, the same for everybody' }),
        applicationName,
        label: z.string(),
        isActive: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'DeviceLogin' });
export type DeviceLogin = z.output<typeof loginResult>;

export const deviceLogin = endpoint({
  method: 'POST',
  path: '/api/auth/device-login',
  summary: 'Tie a device to a route: by a pairing code, or by the session of the person who holds it',
  needs: 'public',
  body: z.strictObject({
    deviceId: z.uuid('The device id is made by the screen and cannot be chosen'),
    deviceName: requiredText('Device name', 100),
    deviceType: typeOfDevice,
    routeDesignation: requiredText('Route designation', 20),
    userAgent: z.string().max(1000).optional().meta({ description: 'Accepted; what the request says is stored' }),
    ipAddress: z
      .string()
      .max(100)
      .nullish()
      .meta({ description: 'Accepted and ignored: the address is the connection’s' }),
    location: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }).nullish(),
    pairingCode: pairingCode.optional(),
  }),
  reply: loginResult,
});

export const deviceLogout = endpoint({
  method: 'POST',
  path: '/api/auth/device-logout',
  summary: 'End the access of the own device',
  needs: 'signed-in',
  body: z.strictObject({ deviceId: z.uuid() }),
  reply: empty,
});

export const getDevice = endpoint({
  method: 'GET',
  path: '/api/auth/device',
  summary: 'What the device screen shows: the device of this session, or who may register it',
  needs: 'public',
  reply: z.object({
    login: loginResult.nullable(),
    /** Who is signed in without a device tied to the session. */
    person: operator.extend({ mayPair: z.boolean() }).nullable(),
    routeDesignations: z.array(z.string()).meta({ description: 'Routes that the signed-in person may register for' }),
  }),
});

export const listPairingChoices = endpoint({
  method: 'GET',
  path: '/api/pairing-codes/choices',
  summary: 'Routes with the field workers on them, and those without a route: whom a pairing code may be issued for',
  needs: 'device:pair',
  reply: z.array(
    z.object({
      routeDesignation: z.string().nullable().meta({ description: 'Null: they have no route yet' }),
      workers: z.array(z.object({ id, name: z.string() })),
    }),
  ),
});

export const issuePairingCode = endpoint({
  method: 'POST',
  path: '/api/pairing-codes',
  summary:
    'Issue a pairing code for a route and the field worker who will hold the device; the one before of that person ends',
  needs: 'device:pair',
  body: z.strictObject({
    routeDesignation: z
      .string()
      .trim()
      .min(1, 'Choose a route')
      .max(20)
      .check(plainText)
      .nullable()
      .meta({ description: 'Null for somebody who has no route yet: the code then vouches for a device at a sign-in' }),
    userId: id,
  }),
  reply: z.object({
    code: z.string(),
    link: z.string(),
    worker: z.string(),
    routeDesignation: z.string().nullable(),
    expiresAt: instant,
  }),
  status: 201,
});

const deviceRow = z
  .object({
    id,
    deviceId: z.string(),
    deviceName: z.string(),
    deviceType,
    routeDesignation: z.string(),
    userId: id,
    worker: z.string(),
    isActive: z.boolean(),
    lastActivity: instant,
    createdAt: instant,
    ipAddress: z.string().nullable(),
    userAgent: z.string().nullable(),
    location: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  })
  .meta({ id: 'DeviceSession' });
export type DeviceRow = z.output<typeof deviceRow>;

export const pageDevices = endpoint({
  method: 'GET',
  path: '/api/device-sessions/page',
  summary: 'A page of the devices that were signed in, with their last activity',
  needs: 'device:pair',
  query: pageQuery.extend({
    search: z.string().max(100).optional(),
    route: z.string().max(20).optional(),
    state: z.enum(['all', 'active', 'ended']).default('all'),
    sort: sortBy('name', 'worker', 'route', 'activity').default('-activity'),
  }),
  reply: pageOf(deviceRow),
});

export const revokeDevice = endpoint({
  method: 'POST',
  path: '/api/device-sessions/:id/revoke',
  summary: 'Shut a device out at once: its session, its event stream and its right to deliver; it must be paired anew',
  needs: 'people:manage',
  params: pathId,
  reply: empty,
});
