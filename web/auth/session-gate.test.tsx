import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getSession, sendVerification, verifyCode } from '../../contract/auth.ts';
import { load } from '../http/client.ts';
import { createQueryClient } from '../http/query-client.ts';
import { createOffline, type Offline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import { recallSession } from '../offline/session.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { SessionGate } from './session-gate.tsx';

let isSignedIn: boolean;
let streams = 0;
let secondStepMissing = false;
const user = userEvent.setup();
const session = buildSession(7);

class QuietStream extends EventTarget {
  constructor() {
    super();
    streams += 1;
  }
  close(): void {}
}

beforeEach(() => {
  isSignedIn = true;
  vi.stubGlobal('EventSource', QuietStream);
  vi.stubGlobal('fetch', async (path: string) => {
    if (path === sendVerification.path) return Response.json({ sent: true, expiresInSeconds: 600 });
    if (path === verifyCode.path) isSignedIn = true;
    if (path === verifyCode.path) return Response.json({ success: true });
    if (!isSignedIn) return Response.json({ detail: 'Sign in.', code: 'not-signed-in' }, { status: 401 });
    if (path !== getSession.path) return Response.json([]);
    return Response.json(secondStepMissing ? { ...session, secondStepMissing } : session);
  });
  window.history.replaceState(null, '', '/inventory');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

let phones = 0;
async function open(client = createQueryClient()): Promise<Offline> {
  const transport = async () => ({ outcome: 'unreachable' }) as const;
  const offline = createOffline(fakeEnvironment(new FakeClock(), transport, `gate-${++phones}`));
  render(
    <QueryClientProvider client={client}>
      <OfflineProvider offline={offline}>
        <SessionGate>
          <input aria-label="Notes" />
        </SessionGate>
      </OfflineProvider>
    </QueryClientProvider>,
  );
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
  await user.click(screen.getByRole('button', { name: 'Verify & Login' }));
  await waitFor(() => expect(screen.queryByText('You Are Signed Out')).toBeNull());
  expect(screen.getByLabelText('Notes')).toHaveProperty('value', 'Door code 12');
  expect(screen.getByLabelText('Notes').closest('.invisible')).toBeNull();
  expect(await recallSession(offline)).toMatchObject({ person: { id: 7 } });
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

test('a session that ends over nothing typed leads to the sign-in screen', async () => {
  const offline = await open();
  await endSession();
  await waitFor(async () => expect(await recallSession(offline)).toBeNull());
  expect(screen.queryByText('You Are Signed Out')).toBeNull();
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
