import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, startTransition, useEffect, useState } from 'react';
import { getSession, type Session } from '../../contract/auth.ts';
import { ApiError, call, onSignedOut } from '../http/client.ts';
import { setOperatorFormats } from '../http/format.ts';
import { startLive } from '../http/live.ts';
import { setOperatorRules } from '../http/operator-rules.ts';
import { whenIdle } from '../http/when-idle.ts';
import type { Offline } from '../offline/offline.ts';
import { forgetSession, recallSession, rememberSession } from '../offline/session.ts';
import { useOffline } from '../offline/use-offline.ts';
import { FailedView } from '../ui/state-view.tsx';
import { settleSignOut } from './api.ts';
import { LiveSession } from './live-session.tsx';
import { isStillSignedIn } from './signing-in.ts';
import { toSignIn } from './wanted-address.ts';

/** The server's answer; without a network the last session this phone knew; null when nobody is signed in. */
async function findSession(offline: Offline): Promise<Session | null> {
  if (await settleSignOut(offline)) return null;
  // Without any network there is nothing to wait for: the screen opens from the phone at once.
  if (!offline.environment.isConnected()) {
    const kept = await recallSession(offline);
    if (kept) return kept;
  }
  try {
    const session = await call(getSession, {});
    await rememberSession(offline, session);
    return session;
  } catch (error) {
    if (!(error instanceof ApiError)) return null;
    if (error.status === 401) {
      await forgetSession(offline, { isTold: true });
      return null;
    }
    const kept = await recallSession(offline);
    if (kept) return kept;
    throw error;
  }
}

/** A driver's phone always holds their route; an office computer only what its person opened in the field screen. */
const fieldScreen = '/mobile-inventory';
/** The only screen that opens for somebody who must set a second step up first. */
const accountScreen = '/account';
type State = { session: Session } | { error: unknown } | 'loading';

/** Shows what is inside only to somebody who is signed in. Works without a network after the first visit. */
export function SessionGate({ children }: { children: ReactNode }) {
  const offline = useOffline();
  const client = useQueryClient();
  const [state, setState] = useState<State>('loading');
  const [attempt, setAttempt] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the attempt is what makes it ask again
  useEffect(() => {
    findSession(offline).then(
      (session) => {
        if (!session) {
          toSignIn();
          return;
        }
        if (session.secondStepMissing && window.location.pathname !== accountScreen) {
          window.location.assign(accountScreen);
          return;
        }
        setOperatorFormats(session.operator);
        setOperatorRules(session.operator.rules);
        client.setQueryData([getSession.path, {}], session);
        // Drawn in slices, so that a tap is answered while the first screen is being built.
        startTransition(() => setState({ session }));
      },
      (error: unknown) => setState({ error }),
    );
  }, [offline, client, attempt]);

  const isSignedIn = typeof state === 'object' && 'session' in state;
  const keepsCopy =
    isSignedIn &&
    state.session.person.role === 'field_worker' &&
    !state.session.access?.closedScreens.includes(fieldScreen);
  useEffect(() => {
    if (!isSignedIn) return;
    const copy = (): void => {
      if (keepsCopy || window.location.pathname === fieldScreen) void offline.refresh();
    };
    const goOn = async (): Promise<boolean> => {
      const isSignedIn = await isStillSignedIn();
      if (!isSignedIn) void forgetSession(offline, { isTold: true }).finally(toSignIn);
      return isSignedIn;
    };
    const stopLive = startLive({ client, onChange: copy, isSignedIn: goOn });
    const stopHearing = onSignedOut(() => void goOn());
    const stopWaiting = whenIdle(copy);
    return () => {
      stopWaiting();
      stopLive();
      stopHearing();
    };
  }, [isSignedIn, keepsCopy, client, offline]);

  if (state === 'loading') return <div role="status" aria-label="Loading" className="min-h-dvh bg-ground" />;
  if ('error' in state) {
    return (
      <main className="grid min-h-dvh place-items-center">
        <FailedView error={state.error} retry={() => setAttempt((n) => n + 1)} title="Milkrun did not open" />
      </main>
    );
  }
  return <LiveSession session={state.session}>{children}</LiveSession>;
}
