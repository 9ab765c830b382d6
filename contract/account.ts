import { z } from 'zod';
import { plainText } from '../domain/plain-text.ts';
import { endpoint } from './endpoint.ts';
import { empty, id, instant, pathId } from './shapes.ts';

/** What a browser's passkey interface asks for and answers; checked in full by the library that reads it. */
const passkeyOptions = z.object({ options: z.record(z.string(), z.unknown()) });
const base64url = z
  .string()
  .max(20_000)
  .regex(/^[\w-]*={0,2}$/, 'This passkey was not recognised. Try again.');
const credential = {
  id: base64url,
  rawId: base64url,
  type: z.literal('public-key'),
  authenticatorAttachment: z.string().max(50).optional(),
  clientExtensionResults: z.record(z.string().max(50), z.unknown()).default({}),
};
const signedPasskey = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.optional(),
  }),
});
const madePasskey = z.strictObject({
  ...credential,
  response: z.strictObject({
    clientDataJSON: base64url,
    attestationObject: base64url,
    authenticatorData: base64url.optional(),
    transports: z.array(z.string().max(20)).max(10).optional(),
    publicKeyAlgorithm: z.number().optional(),
    publicKey: base64url.optional(),
  }),
});
export type SignedPasskey = z.output<typeof signedPasskey>;

const signedIn = z.object({ success: z.literal(true) });

export const proveCode = endpoint({
  method: 'POST',
  path: '/api/auth/second-step',
  summary: 'Finish a sign-in with the code of an authenticator app or a recovery code',
  needs: 'public',
  body: z.strictObject({
    code: z.string().trim().min(1, 'Enter the code of your app').max(40, 'This code is too long'),
  }),
  reply: signedIn,
});

export const askForPasskey = endpoint({
  method: 'POST',
  path: '/api/auth/second-step/passkey-options',
  summary: 'What the browser is asked to sign to finish a sign-in with a passkey',
  needs: 'public',
  reply: passkeyOptions,
});

export const provePasskey = endpoint({
  method: 'POST',
  path: '/api/auth/second-step/passkey',
  summary: 'Finish a sign-in with a passkey',
  needs: 'public',
  body: z.strictObject({ credential: signedPasskey }),
  reply: signedIn,
});

const sessionRow = z.object({
  id: z.string(),
  device: z.string(),
  place: z.string().nullable(),
  startedAt: instant,
  lastSeenAt: instant,
  isThis: z.boolean(),
});
const factorRow = z.object({
  id,
  kind: z.enum(['totp', 'passkey']),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant.nullable(),
});

export const account = z
  .object({
    sessions: z.array(sessionRow),
    factors: z.array(factorRow),
    recoveryCodesLeft: z.int(),
    isRequired: z.boolean(),
    phone: z
      .object({ number: z.string(), confirmedAt: instant.nullable() })
      .nullable()
      .meta({ description: 'Codes go to the number once it was confirmed' }),
    mayChange: z.boolean().meta({ description: 'Signed in a moment ago: the second step may be changed' }),
  })
  .meta({ id: 'Account' });
export type Account = z.output<typeof account>;

export const getAccount = endpoint({
  method: 'GET',
  path: '/api/account',
  summary: 'Where you are signed in, and your second step',
  needs: 'signed-in',
  reply: account,
});

export const endAccountSession = endpoint({
  method: 'DELETE',
  path: '/api/account/sessions/:id',
  summary: 'Sign out on another device, at once',
  needs: 'signed-in',
  params: z.object({ id: z.string().max(64) }),
  reply: empty,
});

export const endOtherSessions = endpoint({
  method: 'POST',
  path: '/api/account/sessions/end-others',
  summary: 'Sign out everywhere else',
  needs: 'signed-in',
  reply: empty,
});

export const beginApp = endpoint({
  method: 'POST',
  path: '/api/account/app',
  summary: 'A new secret for an authenticator app; it counts from the first right code on',
  needs: 'signed-in',
  reply: z.object({ secret: z.string(), uri: z.string() }),
});

const codes = z.object({
  recoveryCodes: z.array(z.string()).meta({ description: 'Shown once; empty when there are some already' }),
});

export const confirmApp = endpoint({
  method: 'POST',
  path: '/api/account/app/confirm',
  summary: 'Set the authenticator app up with its first code',
  needs: 'signed-in',
  body: z.strictObject({ code: z.string().regex(/^\d{6}$/, 'Enter the 6 digits of the code') }),
  reply: codes,
});

export const beginPasskey = endpoint({
  method: 'POST',
  path: '/api/account/passkey-options',
  summary: 'What the browser makes a passkey from',
  needs: 'signed-in',
  reply: passkeyOptions,
});

export const addPasskey = endpoint({
  method: 'POST',
  path: '/api/account/passkeys',
  summary: 'Set a passkey up',
  needs: 'signed-in',
  body: z.strictObject({
    name: z.string().trim().min(1, 'Name this passkey').max(100, 'This name is too long').check(plainText),
    credential: madePasskey,
  }),
  reply: codes,
});

export const removeFactor = endpoint({
  method: 'DELETE',
  path: '/api/account/factors/:id',
  summary: 'Remove a second step',
  needs: 'signed-in',
  params: pathId,
  reply: empty,
});

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/account/recovery-codes',
  summary: 'New recovery codes; those before stop working',
  needs: 'signed-in',
  reply: codes,
});

export const beginPhone = endpoint({
  method: 'POST',
  path: '/api/account/phone',
  summary: 'Send a code to your own phone number, to prove that it is yours',
  needs: 'signed-in',
  reply: z.object({ sent: z.literal(true), expiresInSeconds: z.int() }),
});

export const confirmPhone = endpoint({
  method: 'POST',
  path: '/api/account/phone/confirm',
  summary: 'Confirm your phone number: from then on codes to sign in may go there',
  needs: 'signed-in',
  body: z.strictObject({ code: z.string().regex(/^\d{6}$/, 'Enter the 6 digits of the code') }),
  reply: empty,
});

const security = z.object({
  secondStepRequired: z.boolean(),
  without: z.array(z.string()).meta({ description: 'Managers and administrators who have no second step yet' }),
});

export const getSecurity = endpoint({
  method: 'GET',
  path: '/api/settings/security',
  summary: 'Whether a second step is asked for: of the office an app or a passkey, of drivers a device they hold',
  needs: 'settings:manage',
  reply: security,
});

export const updateSecurity = endpoint({
  method: 'PUT',
  path: '/api/settings/security',
  summary: 'Ask for a second step, or not',
  needs: 'settings:manage',
  body: z.strictObject({ secondStepRequired: z.boolean() }),
  reply: security,
});

export const rotateKey = endpoint({
  method: 'POST',
  path: '/api/settings/security/rotate-key',
  summary: 'Wrap every stored secret with a new key',
  needs: 'settings:manage',
  reply: z.object({ rewrapped: z.int(), unopened: z.int() }),
});
