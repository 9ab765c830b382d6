import { z } from 'zod';
import { plainText } from '../domain/plain-text.ts';
import { role } from '../domain/role-schemas.ts';
import { distanceUnit } from '../domain/unit-schemas.ts';
import { endpoint } from './endpoint.ts';
import { empty, id, instant } from './shapes.ts';

/** What is said where the address is left out, or left empty. */
export const emailMissing = 'Please enter your work email address';

/** The same of the code. */
export const codeMissing = 'Please enter the verification code';

const sixDigits = 'Enter the 6 digits of the code';

const contact = {
  verificationType: z.enum(['email', 'sms']),
  email: z
    .email({ error: ({ input }) => (input === '' ? emailMissing : 'Enter an e-mail address such as name@company.com') })
    .max(255, 'This e-mail address is too long')
    .optional(),
  phoneNumber: z.string().trim().max(30, 'This phone number is too long').optional(),
};

export const sendVerification = endpoint({
  method: 'POST',
  path: '/api/auth/send-verification',
  summary: 'Send a six-digit sign-in code; known and unknown contacts get the same answer',
  needs: 'public',
  body: z.strictObject(contact),
  reply: z.object({ sent: z.literal(true), expiresInSeconds: z.int() }),
});

export const verifyCode = endpoint({
  method: 'POST',
  path: '/api/auth/verify-code',
  summary: 'Exchange the code for a session cookie and an append-only device credential',
  needs: 'public',
  body: z.strictObject({
    ...contact,
    code: z
      .string({ error: ({ input }) => (input === undefined || input === null ? codeMissing : sixDigits) })
      .min(1, codeMissing)
      .regex(/^\d{6}$/, sixDigits),
    deviceId: z.uuid().optional(),
  }),
  reply: z.object({
    success: z.literal(true),
    secondStep: z.object({ app: z.boolean(), passkey: z.boolean(), pairing: z.boolean() }).optional().meta({
      description:
        'Not signed in yet: one of these is asked for next; instead of app or passkey a recovery code, for a new device of a field worker the pairing code of a manager',
    }),
  }),
});

export const person = z
  .object({
    id,
    email: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    role,
    roleLabel: z.string(),
    routeDesignation: z.string().nullable(),
  })
  .meta({ id: 'Person' });

export const sessionReply = z.object({
  person,
  operator: z.object({
    name: z.string(),
    timeZone: z.string(),
    currency: z.string(),
    distanceUnit,
    today: z.string(),
    isDemo: z.boolean(),
    /** Absent in what a phone kept of an older release. */
    rules: z
      .object({
        lateAfterMin: z.int(),
        lowLevelPercent: z.int(),
        goodLevelPercent: z.int(),
        lowSlotPercent: z.int().optional(),
        workStart: z.string(),
        workEnd: z.string(),
      })
      .optional(),
  }),
  map: z.object({
    styleUrl: z.string().nullable(),
    findsAddresses: z.boolean().optional().meta({ description: 'An address search is set up' }),
  }),
  /** Absent in what a phone kept of an older release. */
  access: z
    .object({
      closedScreens: z
        .array(z.string())
        .meta({ description: 'Screens that the role opens and whose access has ended' }),
      changesAt: instant.nullable().meta({ description: 'When an access ends next' }),
    })
    .optional(),
  secondStepMissing: z.boolean().optional().meta({
    description: 'The operator asks this role for a second step that is not set up: nothing else opens before',
  }),
  /** Absent in what a phone kept of an older release. */
  phoneSeal: z
    .object({ id: z.string(), publicKey: z.string() })
    .optional()
    .meta({ description: 'What a phone seals the unsent work of a person for who signs out' }),
  expiresAt: instant,
});
export type Session = z.output<typeof sessionReply>;

export const getSession = endpoint({
  method: 'GET',
  path: '/api/auth/session',
  summary: 'Who is signed in, and the operator they work for',
  needs: 'signed-in',
  reply: sessionReply,
});

export const signOut = endpoint({
  method: 'POST',
  path: '/api/auth/sign-out',
  summary: 'End this session on the server',
  needs: 'signed-in',
  reply: empty,
});

export const getSignInState = endpoint({
  method: 'GET',
  path: '/api/auth/state',
  summary: 'What the sign-in screen needs: is this a demo, does the first administrator still have to be set up',
  needs: 'public',
  reply: z.object({
    isDemo: z.boolean(),
    needsSetup: z.boolean(),
    mayBeIn: z.boolean().meta({ description: 'The cookie of a session came along; it may have ended' }),
  }),
});

export const setUpFirstAdministrator = endpoint({
  method: 'POST',
  path: '/api/auth/set-up',
  summary: 'Create the first administrator with the one-time code printed on the console',
  needs: 'public',
  body: z.strictObject({
    setupCode: z.string().trim().min(1, 'Enter the set-up code shown on the console').max(100),
    email: z.email('Enter an e-mail address such as name@company.com').max(255),
    firstName: z.string().trim().min(1, 'First name is required').max(100).check(plainText),
    lastName: z.string().trim().min(1, 'Last name is required').max(100).check(plainText),
    operatorName: z.string().trim().min(1, 'Company name is required').max(255).check(plainText),
    timeZone: z.string().max(100),
  }),
  reply: z.object({ success: z.literal(true) }),
});

export const listDemoOutbox = endpoint({
  method: 'GET',
  path: '/api/demo/outbox',
  summary: 'Messages of the demo, newest first; exists in demo mode only',
  needs: 'public',
  reply: z.array(
    z.object({
      to: z.string(),
      channel: z.enum(['email', 'sms']),
      subject: z.string().nullable(),
      text: z.string(),
      code: z.string().nullable(),
      at: instant,
    }),
  ),
});

export const startWithOwnData = endpoint({
  method: 'POST',
  path: '/api/demo/end',
  summary: 'Start with my own data: empties the database and ends the demo for good',
  needs: 'settings:manage',
  body: z.strictObject({ confirm: z.literal('delete the demo', { error: "Type 'delete the demo' to confirm" }) }),
  reply: empty,
});
