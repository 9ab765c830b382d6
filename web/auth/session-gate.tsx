import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react';
import { getSession, getSignInState, type Session } from '../../contract/auth.ts';
import { ApiError, call, onSignedOut } from '../http/client.ts';
import { setOperatorFormats } from '../http/format.ts';
import { startLive } from '../http/live.ts';
import { setOperatorRules } from '../http/operator-rules.ts';
import { askAgainMs, queryFor } from '../http/query-client.ts';
import { joinTabs } from '../http/tabs.ts';
import { whenIdle } from '../http/when-idle.ts';
import { mayBeIn } from '../offline/may-be-in.ts';
import type { Offline } from '../offline/offline.ts';
import { forgetSession, recallSession, rememberSession } from '../offline/session.ts';
import { useOffline } from '../offline/use-offline.ts';
import { lateDialog } from '../ui/address/late-code.tsx';
import { dropAllDrafts, keepDraftsOf } from '../ui/forms/draft.ts';
import { FailedView } from '../ui/state-view.tsx';
import { settleSignOut } from './api.ts';
import { LiveSession } from './live-session.tsx';
import { isStillSignedIn } from './steps/signing-in.ts';
import { watchTyping } from './steps/typed-fields.ts';
import { toSignIn } from './wanted-address.ts';

const endedTitle = 'You Are Signed Out';
const SignInAgain = lateDialog(endedTitle, async () => (await import('./sign-in-again.tsx')).SignInAgain);

/** A first visit: without any sign of a session, asking for one would only be an error in the console. */
async function isNobody(offline: Offline): Promise<boolean> {
  if (mayBeIn() === true || (await recallSession(offline)) !== null) return false;
  return !(await call(getSignInState, {})).mayBeIn;
}

/** The server's answer; without a network the last session this phone knew; else how nobody is signed in. */
async function findSession(offline: Offline): Promise<Session | 'ended' | 'never-in'> {
  if (await settleSignOut(offline)) return 'never-in';
  // Without any network there is nothing to wait for: the screen opens from the phone at once.
  if (!offline.environment.isConnected()) {
    const kept = await recallSession(offline);
    if (kept) return kept;
  }
  try {
    if (await isNobody(offline)) return 'never-in';
    const session = await call(getSession, {});
    await rememberSession(offline, session);
    return session;
  } catch (error) {
    if (!(error instanceof ApiError)) return 'never-in';
    const kept = await recallSession(offline);
    if (error.status === 401) {
      await forgetSession(offline, { isTold: true });
      return kept ? 'ended' : 'never-in';
    }
    if (kept) return kept;
    throw error;
  }
}

/** The same person is signed in again: everything on the screen is read anew, and what was typed stays. */
async function comeBack(offline: Offline, client: QueryClient): Promise<void> {
  const session = await call(getSession, {});
  await rememberSession(offline, session);
  client.setQueryData([getSession.path, {}], session);
  void client.invalidateQueries();
}

/** A driver's phone always holds their route; an office computer only what its person opened in the field screen. */
const fieldScreen = '/mobile-inventory';
/** The only screen that opens for somebody who must set a second step up first. */
const accountScreen = '/account';
type State = { session: Session } | { error: unknown } | 'loading';

/** Longest wait for the screen's code before the menu is shown around a waiting frame. */
const codePatienceMs = 300;

/** Menu and screen appear together where the code is a moment away; where it cannot be had, the screen says so itself. */
const codeAtHand = (code: Promise<void>): Promise<void> =>
  Promise.race([
    code.catch(() => undefined),
    new Promise<void>((resolve) => {
      setTimeout(resolve, codePatienceMs);
    }),
  ]);

type Props = { children: ReactNode; preload?: (pathname: string) => Promise<void> };
/** One function: a new one at each drawing would ask for the session anew. */
const nothingToLoad = async (): Promise<void> => {};

/** Shows what is inside only to somebody who is signed in. Works without a network after the first visit. */
export function SessionGate({ children, preload = nothingToLoad }: Props) {
  const offline = useOffline();
  const client = useQueryClient();
  const [state, setState] = useState<State>('loading');
  const [attempt, setAttempt] = useState(0);
  // The session ended over something typed: its person signs in on top of it, and until then nobody sees it.
  const [hasEnded, setHasEnded] = useState(false);
  const isEnding = useRef(false);
  const typing = useRef<{ hasTyped: () => boolean }>({ hasTyped: () => false });
  useEffect(() => {
    const watched = watchTyping(document);
    typing.current = watched;
    return watched.stop;
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the attempt is what makes it ask again
  useEffect(() => {
    findSession(offline).then(
      async (session) => {
        if (typeof session === 'string') {
          toSignIn(session);
          return;
        }
        if (session.secondStepMissing && window.location.pathname !== accountScreen) {
          window.location.assign(accountScreen);
          return;
        }
        keepDraftsOf(session.person.id);
        setOperatorFormats(session.operator);
        setOperatorRules(session.operator.rules);
        client.setQueryData([getSession.path, {}], session);
        await codeAtHand(preload(window.location.pathname));
        // Drawn in slices, so that a tap is answered while the first screen is being built.
        startTransition(() => setState({ session }));
      },
      (error: unknown) => setState({ error }),
    );
  }, [offline, client, preload, attempt]);

  const goOnHere = (): void => {
    isEnding.current = false;
    setHasEnded(false);
  };

  const isSignedIn = typeof state === 'object' && 'session' in state;
  // The session as it is now: who has set a second step up is let in without a reload.
  const { data: known } = useQuery({ ...queryFor(getSession, {}), enabled: false });
  // Until then everything else is refused, and asking would only fill the console.
  const isLetIn = isSignedIn && !(known ?? state.session).secondStepMissing;
  const keepsCopy =
    isSignedIn &&
    state.session.person.role === 'field_worker' &&
    !state.session.access?.closedScreens.includes(fieldScreen);
  useEffect(() => {
    if (!isSignedIn || hasEnded) return;
    const copy = (): void => {
      if (keepsCopy || window.location.pathname === fieldScreen) void offline.refresh();
    };
    const goOn = async (): Promise<boolean> => {
      if (isEnding.current) return false;
      if (await isStillSignedIn()) return true;
      if (isEnding.current) return false;
      isEnding.current = true;
      // Who signed out in another tab has left the phone: there is nothing to come back to.
      const isLeft = (await recallSession(offline)) === null;
      await forgetSession(offline, { isTold: true }).catch(() => undefined);
      if (isLeft) dropAllDrafts();
      if (isLeft || !typing.current.hasTyped()) toSignIn(isLeft ? 'never-in' : 'ended');
      else setHasEnded(true);
      return false;
    };
    const stopHearing = onSignedOut(() => void goOn());
    const onReturn = (again: () => void) =>
      offline.online.subscribe(() => {
        if (offline.online.isOnline()) again();
      });
    const stopLive = isLetIn
      ? startLive({ client, onChange: copy, isSignedIn: goOn, onReturn, join: joinTabs })
      : () => {};
    const stopWaiting = isLetIn ? whenIdle(copy) : () => {};
    return () => {
      stopWaiting();
      stopLive();
      stopHearing();
    };
  }, [isSignedIn, isLetIn, hasEnded, keepsCopy, client, offline]);

  useEffect(() => {
    if (typeof state !== 'object' || !('error' in state)) return;
    const waitMs = askAgainMs(state.error);
    if (waitMs === null) return;
    const timer = setTimeout(() => setAttempt((n) => n + 1), waitMs);
    return () => clearTimeout(timer);
  }, [state]);

  // What stands on the page before the app came stays until there is something to show: replacing it would flicker.
  if (state === 'loading') {
    return <div role="status" aria-label="Loading" data-booting="" className="min-h-dvh bg-ground" />;
  }
  if ('error' in state) {
    return (
      <main className="grid min-h-dvh place-content-center">
        <FailedView error={state.error} retry={() => setAttempt((n) => n + 1)} title="Milkrun did not open" />
        {askAgainMs(state.error) !== null && (
          <p className="text-center text-text-3">This page opens by itself as soon as it can.</p>
        )}
      </main>
    );
  }
  return (
    <LiveSession session={state.session}>
      <div className={hasEnded ? 'invisible contents [&_dialog]:invisible' : 'contents'}>{children}</div>
      {hasEnded && (
        <SignInAgain
          title={endedTitle}
          reason="Your session has ended. Sign in again to go on: what you typed is still here."
          leaveLabel="Discard and leave this screen"
          onClose={() => toSignIn('never-in')}
          onDone={() => void comeBack(offline, client).then(goOnHere)}
        />
      )}
    </LiveSession>
  );
}
