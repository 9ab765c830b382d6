import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getSession, getSignInState, sendVerification, verifyCode } from '../../contract/auth.ts';
import { load } from '../http/client.ts';
import { createQueryClient } from '../http/query-client.ts';
import { mayBeIn, noteIn } from '../offline/may-be-in.ts';
import { createOffline, type Offline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import { forgetSession, recallSession, rememberSession } from '../offline/session.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { leaving, useSignOut } from './api.ts';
import { SessionGate } from './session-gate.tsx';

let isSignedIn: boolean;
let streams = 0;
let asked: string[] = [];
let secondStepMissing = false;
const user = userEvent.setup();
const session = buildSession(7);
let person = session.person;

class QuietStream extends EventTarget {
  constructor() {
    super();
    streams += 1;
  }
  close(): void {}
}

beforeEach(() => {
  isSignedIn = true;
  person = session.person;
  asked = [];
  noteIn(false);
  vi.stubGlobal('EventSource', QuietStream);
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === sendVerification.path) return Response.json({ sent: true, expiresInSeconds: 600 });
    asked.push(path);
    if (path === verifyCode.path) isSignedIn = true;
    if (path === getSignInState.path) return Response.json({ isDemo: false, needsSetup: false, mayBeIn: isSignedIn });
    if (path === verifyCode.path) return Response.json({ success: true });
    if (!isSignedIn) return Response.json({ detail: 'Sign in.', code: 'not-signed-in' }, { status: 401 });
    if (path !== getSession.path) return Response.json([]);
    return Response.json({ ...session, person, ...(secondStepMissing && { secondStepMissing }) });
  });
  window.history.replaceState(null, '', '/inventory');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  sessionStorage.clear();
  // As after a reload: nobody is on the way out.
  leaving('/login')();
});

const unreachable = async () => ({ outcome: 'unreachable' }) as const;
const gate = (offline: Offline, client = createQueryClient(), screenOf = <input aria-label="Notes" />) => (
  <QueryClientProvider client={client}>
    <OfflineProvider offline={offline}>
      <SessionGate>{screenOf}</SessionGate>
    </OfflineProvider>
  </QueryClientProvider>
);

let phones = 0;
async function open(client = createQueryClient(), screenOf = <input aria-label="Notes" />): Promise<Offline> {
  const offline = createOffline(fakeEnvironment(new FakeClock(), unreachable, `gate-${++phones}`));
  render(gate(offline, client, screenOf));
  await screen.findByLabelText('Notes');
  return offline;
}

const endSession = () =>
  act(async () => {
    isSignedIn = false;
    await load('/api/inventory').catch(() => undefined);
  });

test('a session that ends over something typed is renewed on the spot, and what was typed stays', async () => {
  const offline = await open();
  await user.type(screen.getByLabelText('Notes'), 'Door code 12');
  await endSession();
  expect(await screen.findByRole('heading', { name: 'You Are Signed Out' })).toBeTruthy();
  expect(screen.getByLabelText('Notes').closest('.invisible')).toBeTruthy();
  expect(await recallSession(offline)).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Send Verification Code' }));
  await user.type(await screen.findByLabelText('Verification code'), '123456');
  expect(screen.getByText(/Sent to/).textContent).toMatch(/ It works once, for 10 minutes\.$/);
  await user.click(screen.getByRole('button', { name: 'Verify & Login' }));
  await waitFor(() => expect(screen.queryByText('You Are Signed Out')).toBeNull());
  expect(screen.getByLabelText('Notes')).toHaveProperty('value', 'Door code 12');
  expect(screen.getByLabelText('Notes').closest('.invisible')).toBeNull();
  expect(await recallSession(offline)).toMatchObject({ person: { id: 7 } });
});

function Leave() {
  const { mutate } = useSignOut();
  return <input aria-label="Notes" onClick={() => mutate()} />;
}

const draft = 'milkrun-draft-market-new';
const atSignIn = () => waitFor(() => expect(window.location.pathname).toBe('/login'));

test('what is typed into forms is kept for whose session ended, and for nobody who sits down after a sign-out', async () => {
  sessionStorage.setItem(draft, '{"name":"Annex"}');
  await open();
  await endSession();
  await atSignIn();
  expect(sessionStorage.getItem(draft)).not.toBeNull();
  cleanup();
  isSignedIn = true;
  window.history.replaceState(null, '', '/inventory');
  await open(createQueryClient(), <Leave />);
  await user.click(screen.getByLabelText('Notes'));
  await atSignIn();
  expect(sessionStorage.getItem(draft)).toBeNull();
});

test('what is typed into forms is there for its person who signs in again, and for nobody else', async () => {
  await open();
  sessionStorage.setItem(draft, '{"name":"Annex"}');
  cleanup();
  await open();
  expect(sessionStorage.getItem(draft)).not.toBeNull();
  cleanup();
  person = { ...session.person, id: 8 };
  await open();
  expect(sessionStorage.getItem(draft)).toBeNull();
});

test('a sign-out in another tab takes what is typed into forms along as well', async () => {
  sessionStorage.setItem(draft, '{"name":"Annex"}');
  const offline = await open();
  await forgetSession(offline, { isTold: true });
  await endSession();
  await atSignIn();
  expect(sessionStorage.getItem(draft)).toBeNull();
});

test('only saying so leaves a screen on which something was typed', async () => {
  await open();
  await user.type(screen.getByLabelText('Notes'), 'Door code 12');
  await endSession();
  const dialog = await screen.findByRole('dialog', { name: 'You Are Signed Out' });
  await user.click(dialog);
  await user.keyboard('{Escape}');
  act(() => (dialog as HTMLDialogElement).close());
  expect(dialog.hasAttribute('open')).toBe(true);
  expect(window.location.pathname).toBe('/inventory');
  await user.click(screen.getByRole('button', { name: 'Discard and leave this screen' }));
  expect(window.location.pathname).toBe('/login');
});

/** Two steps: the field of the first is gone in the second. */
function TwoSteps() {
  const [isSecond, setSecond] = useState(false);
  return (
    <form>
      {isSecond ? <p>Step 2</p> : <input aria-label="Notes" />}
      <button type="button" onClick={() => setSecond(true)}>
        Next
      </button>
    </form>
  );
}

test('what was typed in a step that is over is kept as well', async () => {
  await open(createQueryClient(), <TwoSteps />);
  await user.type(screen.getByLabelText('Notes'), 'Door code 12');
  await user.click(screen.getByRole('button', { name: 'Next' }));
  await endSession();
  expect(await screen.findByRole('heading', { name: 'You Are Signed Out' })).toBeTruthy();
  expect(screen.getByText('Step 2')).toBeTruthy();
});

function Choosing() {
  const [isOpen, setOpen] = useState(true);
  const [isBig, setBig] = useState(false);
  return (
    <>
      <input aria-label="Notes" />
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Add Machine">
        <button type="button" aria-pressed={isBig} onClick={() => setBig(true)}>
          Big
        </button>
      </Dialog>
    </>
  );
}

test('what was chosen by buttons in an open dialog is kept, and a closed dialog holds nobody', async () => {
  await open(createQueryClient(), <Choosing />);
  await user.click(screen.getByRole('button', { name: 'Big' }));
  await endSession();
  expect(await screen.findByRole('heading', { name: 'You Are Signed Out' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Big' }).getAttribute('aria-pressed')).toBe('true');
  cleanup();
  isSignedIn = true;
  const offline = await open(createQueryClient(), <Choosing />);
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await endSession();
  await waitFor(async () => expect(await recallSession(offline)).toBeNull());
  expect(screen.queryByText('You Are Signed Out')).toBeNull();
});

test('a session that ends over nothing typed leads to the sign-in screen, which is told why', async () => {
  const offline = await open();
  await endSession();
  await waitFor(async () => expect(await recallSession(offline)).toBeNull());
  expect(screen.queryByText('You Are Signed Out')).toBeNull();
  expect(window.location.search).toBe('?next=%2Finventory&ended=1');
});

test('a session that ended while the app was closed is told of, and a first visit is not', async () => {
  const opened = await open();
  const session = await recallSession(opened);
  cleanup();
  isSignedIn = false;
  for (const [kept, search] of [
    [session, '?next=%2Finventory&ended=1'],
    [null, '?next=%2Finventory'],
  ] as const) {
    window.history.replaceState(null, '', '/inventory');
    const offline = createOffline(fakeEnvironment(new FakeClock(), unreachable, `gate-${++phones}`));
    if (kept) await rememberSession(offline, kept);
    render(gate(offline));
    await waitFor(() => expect(window.location.search).toBe(search));
    cleanup();
  }
});

test('who must set a second step up first opens no live stream, and does as soon as it is set up', async () => {
  window.history.replaceState(null, '', '/account');
  [streams, secondStepMissing] = [0, true];
  const client = createQueryClient();
  await open(client);
  expect(streams).toBe(0);
  secondStepMissing = false;
  await act(() => client.invalidateQueries({ queryKey: [getSession.path] }));
  await waitFor(() => expect(streams).toBe(1));
});

test('with the network back the stream of changes is opened anew', async () => {
  streams = 0;
  const offline = await open();
  await waitFor(() => expect(streams).toBe(1));
  act(() => offline.online.setConnected(false));
  expect(streams).toBe(1);
  act(() => offline.online.setConnected(true));
  expect(streams).toBe(2);
});

test('until the session is answered the frame of the page stays', async () => {
  noteIn(true);
  const waiting: ((reply: Response) => void)[] = [];
  vi.stubGlobal('fetch', (path: string) =>
    path === getSession.path
      ? new Promise<Response>((settle) => {
          waiting.push(settle);
        })
      : Promise.resolve(Response.json([])),
  );
  render(gate(createOffline(fakeEnvironment(new FakeClock(), unreachable, `gate-${++phones}`))));
  expect(screen.getByRole('status', { name: 'Loading' }).hasAttribute('data-booting')).toBe(true);
  await waitFor(() => expect(waiting).toHaveLength(1));
  await act(async () => waiting[0]?.(Response.json(session)));
  await screen.findByLabelText('Notes');
  expect(document.querySelector('[data-booting]')).toBeNull();
});

test.each([
  [
    'the database is away',
    () => Response.json({ detail: 'Not now.' }, { status: 503, headers: { 'retry-after': '2' } }),
    2_000,
  ],
  ['the server restarts', () => Promise.reject(new TypeError('Failed to fetch')), 5_000],
])('the first visit while %s waits and opens by itself', async (_, answer, waitMs) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  const well = globalThis.fetch;
  let isAway = true;
  vi.stubGlobal('fetch', async (path: string) => (isAway && path === getSession.path ? answer() : well(path)));
  const offline = createOffline(fakeEnvironment(new FakeClock(), unreachable, `gate-${++phones}`));
  render(gate(offline));
  expect(await screen.findByText('Milkrun did not open')).toBeDefined();
  expect(screen.getByText('This page opens by itself as soon as it can.')).toBeDefined();
  isAway = false;
  await act(() => vi.advanceTimersByTimeAsync(waitMs));
  expect(await screen.findByLabelText('Notes')).toBeDefined();
  vi.useRealTimers();
});

test('a first visit asks for nothing that it would be refused, and leads to the sign-in screen', async () => {
  isSignedIn = false;
  render(gate(createOffline(fakeEnvironment(new FakeClock(), unreachable, `gate-${++phones}`))));
  await waitFor(() => expect(window.location.pathname).toBe('/login'));
  expect(asked).toEqual([getSignInState.path]);
});

test('whose session only the server knows of is let in, and it is noted for the next visit', async () => {
  const offline = await open();
  expect(asked.slice(0, 2)).toEqual([getSignInState.path, getSession.path]);
  expect(mayBeIn()).toBe(true);
  await forgetSession(offline, { isTold: true });
  expect(mayBeIn()).toBe(false);
});

test('who is noted to be in is asked for at once', async () => {
  noteIn(true);
  await open();
  expect(asked[0]).toBe(getSession.path);
  expect(asked).not.toContain(getSignInState.path);
});
