import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  addPasskey,
  beginApp,
  beginPasskey,
  beginPhone,
  confirmApp,
  confirmPhone,
  endAccountSession,
  endOtherSessions,
  getAccount,
  getSecurity,
  removeFactor,
  renewRecoveryCodes,
  rotateKey,
  updateSecurity,
} from '../../contract/account.ts';
import { getSession } from '../../contract/auth.ts';
import { makePasskey } from '../auth/api.ts';
import { call, sentenceOf } from '../http/client.ts';
import { countOf } from '../http/format.ts';
import { queryFor } from '../http/query-client.ts';
import { toast } from '../ui/toasts/toast.ts';

export const useAccount = () => useQuery({ ...queryFor(getAccount, {}), refetchOnMount: 'always' });

/** A change of one's own sign-in; the screen reads again. `title` says what happened. */
function useChange<I, O>(change: (input: I) => Promise<O>, title: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      toast({ title });
      // With a second step set up, the session opens everything else.
      void client.invalidateQueries({ queryKey: [getSession.path] });
      return client.invalidateQueries({ queryKey: [getAccount.path] });
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Not Changed', description: sentenceOf(error) }),
  });
}

export const useEndSession = () =>
  useChange((id: string) => call(endAccountSession, { params: { id } }), 'Signed out there');
export const useEndOthers = () => useChange(() => call(endOtherSessions, {}), 'Signed out everywhere else');
export const useRemoveFactor = () =>
  useChange((id: number) => call(removeFactor, { params: { id } }), 'Second step removed');
export const useRenewCodes = () => useChange(() => call(renewRecoveryCodes, {}), 'New recovery codes made');
export const useConfirmApp = () => useChange((code: string) => call(confirmApp, { body: { code } }), 'App set up');

export const useConfirmPhone = () =>
  useChange((code: string) => call(confirmPhone, { body: { code } }), 'Number confirmed');
export const useSendPhoneCode = () =>
  useMutation({
    mutationFn: () => call(beginPhone, {}),
    onError: (error) => toast({ variant: 'destructive', title: 'Not Sent', description: sentenceOf(error) }),
  });

/** A new secret is made each time it is asked for. */
export const useBeginApp = () =>
  useQuery({ ...queryFor(beginApp, {}), gcTime: 0, staleTime: 0, refetchOnMount: 'always' });

/** Asks the browser for a passkey and keeps it under a name. */
export const useAddPasskey = () =>
  useChange(async (name: string) => {
    const { options } = await call(beginPasskey, {});
    return call(addPasskey, { body: { name, credential: await makePasskey(options) } });
  }, 'Passkey set up');

export const useSecurity = () => useQuery(queryFor(getSecurity, {}));

export function useRequireSecondStep() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (secondStepRequired: boolean) => call(updateSecurity, { body: { secondStepRequired } }),
    onSuccess: (security) => {
      toast({ title: 'Settings Saved' });
      client.setQueryData([getSecurity.path, {}], security);
    },
    onError: (error) => toast({ variant: 'destructive', title: 'Not Saved', description: sentenceOf(error) }),
  });
}

export const useRotateKey = () =>
  useMutation({
    mutationFn: () => call(rotateKey, {}),
    onSuccess: ({ rewrapped, unopened }) =>
      toast({
        title: 'A new key is in use',
        description:
          unopened === 0
            ? `${countOf(rewrapped, 'stored secret')} ${rewrapped === 1 ? 'was' : 'were'} wrapped with it.`
            : `${countOf(unopened, 'stored secret')} could not be opened and must be entered again.`,
        ...(unopened > 0 ? { variant: 'destructive' as const } : {}),
      }),
    onError: (error) => toast({ variant: 'destructive', title: 'Not Changed', description: sentenceOf(error) }),
  });
