import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import { askForPasskey, proveCode, provePasskey } from '../../contract/account.ts';
import {
  getSignInState,
  listDemoOutbox,
  type Session,
  sendVerification,
  setUpFirstAdministrator,
  signOut,
  startWithOwnData,
  verifyCode,
} from '../../contract/auth.ts';
import { may, type Permission } from '../../domain/permissions.ts';
import { ApiError, call } from '../http/client.ts';
import { askAgainMs, queryFor } from '../http/query-client.ts';
import { noteIn } from '../offline/may-be-in.ts';
import type { Offline } from '../offline/offline.ts';
import { deviceIdOf, forgetSession, isSignOutDue, noteSignOutTold } from '../offline/session.ts';
import { useOffline } from '../offline/use-offline.ts';
import { dropAllDrafts } from '../ui/forms/draft.ts';
import { SessionContext } from './session-context.ts';
import { signingIn } from './steps/signing-in.ts';
import { leaving } from './wanted-address.ts';

export { leaving };

/** Who is signed in; the gate above every screen sees to it that there is somebody. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('no session above this component');
  return session;
}

/** Who was added without a name is called by the address. */
export const nameOfPerson = ({ firstName, lastName, email }: Session['person']): string =>
  `${firstName} ${lastName}`.trim() || email;

/** Whether the signed-in person holds a permission; the server decides once more. */
export function useMay(permission: Permission): boolean {
  return may(useSession().person.role, permission);
}

/** What an empty list says to somebody who sees the own route only: whether there is one, and whom to ask. */
export function useNothingOwn(): string {
  return useSession().person.routeDesignation
    ? 'None is assigned to your route.'
    : 'You have no route designation. Ask your route manager for one.';
}

/** Asked until it is known: a first visit during an outage would never be offered the set-up. */
export const useSignInState = () =>
  useQuery({
    ...queryFor(getSignInState, {}),
    refetchInterval: ({ state: { error } }) => (error ? askAgainMs(error) : null) ?? false,
  });

/** A message is sent after the answer to whoever asked for it: it may be here a moment later. */
const looksForMessage = 6;
const lookAgainMs = 400;

/** The demo's messages, looked for a few times after a code was asked for. */
export const useDemoOutbox = (enabled: boolean) =>
  useQuery({
    ...queryFor(listDemoOutbox, {}),
    enabled,
    refetchInterval: (query) => (query.state.dataUpdateCount < looksForMessage ? lookAgainMs : false),
  });

export type Contact = { verificationType: 'email'; email: string } | { verificationType: 'sms'; phoneNumber: string };

export function useSendVerification() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (contact: Contact) => call(sendVerification, { body: contact }),
    // For each code anew: the looks for the one before are used up, and what they found is dead.
    onSuccess: () => void client.resetQueries({ queryKey: [listDemoOutbox.path] }),
  });
}

export function useVerifyCode() {
  const offline = useOffline();
  return useMutation({
    mutationFn: async ({ contact, code }: { contact: Contact; code: string }) => {
      await settleSignOut(offline);
      const body = { ...contact, code, deviceId: await deviceIdOf(offline) };
      const verified = await signingIn(() => call(verifyCode, { body }));
      if (!verified.secondStep) await noteSignOutTold(offline);
      return verified;
    },
  });
}

/** What is said of a code that is wrong; null while nothing is known against it, as when no answer came. */
export const wrongCode = (error: unknown): string | null =>
  error instanceof ApiError && error.status === 401 ? error.detail : null;

/** The code of an app, or a recovery code. */
export function useProveCode() {
  const offline = useOffline();
  return useMutation({
    mutationFn: async (code: string) => {
      const proved = await signingIn(() => call(proveCode, { body: { code } }));
      await noteSignOutTold(offline);
      return proved;
    },
  });
}

/** Asks the browser for a passkey and sends what it signed. */
export function useProvePasskey() {
  const offline = useOffline();
  return useMutation({
    mutationFn: async () => {
      const { options } = await call(askForPasskey, {});
      const { signPasskey } = await import('./steps/passkeys.ts');
      const credential = await signPasskey(options);
      const proved = await signingIn(() => call(provePasskey, { body: { credential } }));
      await noteSignOutTold(offline);
      return proved;
    },
  });
}

/** True where this browser, at this address, can make passkeys: a secure page under a name. */
export const canUsePasskeys = (): boolean =>
  window.isSecureContext && 'PublicKeyCredential' in window && !/^[\d.]+$|^\[/.test(window.location.hostname);

/** Asks the browser to make a passkey. */
export const makePasskey: typeof import('./steps/passkeys.ts')['makePasskey'] = async (options) =>
  (await import('./steps/passkeys.ts')).makePasskey(options);

type SetUp = Parameters<typeof call<typeof setUpFirstAdministrator>>[1]['body'];
export const useSetUp = () =>
  useMutation({
    mutationFn: (body: SetUp) => call(setUpFirstAdministrator, { body }),
    onSuccess: () => noteIn(true),
  });

/** Longer nobody waits for the answer; the phone signs out by itself and tells the server later. */
const tellPatienceMs = 8_000;

const tellSignOut = (): Promise<boolean> =>
  call(signOut, {}, { signal: AbortSignal.timeout(tellPatienceMs) }).then(
    () => true,
    (error: unknown) => error instanceof ApiError && error.status === 401,
  );

/**
 * Ends on the server what somebody ended on the phone without a network; true where there was such a session. Whoever
 * signs in after that has taken its place: see `noteSignOutTold`, so that it is not their session that is ended.
 */
export async function settleSignOut(offline: Offline): Promise<boolean> {
  if (!(await isSignOutDue(offline))) return false;
  if (await tellSignOut()) await noteSignOutTold(offline);
  return true;
}

/** Ends the session on the server where it can be reached, and forgets what was downloaded. Unsent counts stay. */
export function useSignOut() {
  const offline = useOffline();
  return useMutation({
    mutationFn: async () => {
      leaving('/login');
      await forgetSession(offline, { isTold: await tellSignOut() });
      dropAllDrafts();
      window.location.assign('/login');
    },
  });
}

export const useStartWithOwnData = () =>
  useMutation({ mutationFn: () => call(startWithOwnData, { body: { confirm: 'delete the demo' } }) });
