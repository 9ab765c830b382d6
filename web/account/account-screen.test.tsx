import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Account } from '../../contract/account.ts';
import type { Session } from '../../contract/auth.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { createOffline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import { buildSession, FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { AccountScreen } from './account-screen.tsx';

const user = userEvent.setup();
const at = '2026-03-12T15:00:00Z';
const row = { startedAt: at, lastSeenAt: at, place: '203.0.113.x' };
const base: Account = {
  sessions: [
    { id: 'a', device: 'Chrome on Windows', isThis: true, ...row },
    { id: 'b', device: 'Safari on iPhone', isThis: false, ...row },
  ],
  factors: [],
  recoveryCodesLeft: 0,
  isRequired: false,
  phone: null,
  mayChange: true,
};
let calls: string[];

function open(account: Account, named: Partial<Session['person']> = {}): void {
  calls = [];
  let begun = 0;
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    calls.push(`${method} ${path} ${body ?? ''}`.trim());
    const answers: Record<string, unknown> = {
      'GET /api/account': account,
      'POST /api/account/app': { secret: 'ABCDEFGH', uri: `otpauth://totp/x?secret=ABCDEFGH&n=${++begun}` },
      'POST /api/account/app/confirm': { recoveryCodes: ['AAAA-BBBB-CCCC-DDDD'] },
      'POST /api/account/recovery-codes': { recoveryCodes: ['AAAA-BBBB-CCCC-DDDD'] },
      'POST /api/auth/verify-code': { success: true },
      'GET /api/demo/outbox': [],
    };
    return new Response(JSON.stringify(answers[`${method} ${path}`] ?? {}));
  });
  const session = buildSession(1);
  const offline = createOffline(
    fakeEnvironment(new FakeClock(), async () => ({ outcome: 'unreachable' }) as const, `account-${Math.random()}`),
  );
  render(
    <QueryClientProvider client={createQueryClient()}>
      <OfflineProvider offline={offline}>
        <SessionContext value={{ ...session, person: { ...session.person, ...named } }}>
          <AccountScreen />
        </SessionContext>
      </OfflineProvider>
    </QueryClientProvider>,
  );
}
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('another session is ended after a question, this one cannot be', async () => {
  open(base);
  await screen.findByText('Safari on iPhone');
  const buttons = screen.getAllByRole('button', { name: 'Sign out' });
  expect(buttons).toHaveLength(1);
  await user.click(buttons[0] as HTMLElement);
  const dialog = await screen.findByRole('dialog', { name: 'Sign out on Safari on iPhone?' });
  await user.click(within(dialog).getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(calls).toContain('DELETE /api/account/sessions/b'));
});

test('an app is set up with its first code, and the recovery codes are shown', async () => {
  open(base);
  await user.click(await screen.findByRole('button', { name: 'Add authenticator app' }));
  await screen.findByRole('img', { name: /camera/ });
  expect(screen.getByText('ABCD EFGH')).toBeDefined();
  await user.type(screen.getByLabelText('2. Enter the code it shows now'), '123 456');
  await user.click(screen.getByRole('button', { name: 'Set Up' }));
  expect(await screen.findByText('AAAA-BBBB-CCCC-DDDD')).toBeDefined();
  expect(calls).toContain('POST /api/account/app/confirm {"code":"123456"}');
});

test('new recovery codes are made only after it was said that the old ones end', async () => {
  const app = { id: 3, kind: 'totp' as const, name: 'App', createdAt: at, lastUsedAt: null };
  open({ ...base, factors: [app], recoveryCodesLeft: 8 });
  await user.click(await screen.findByRole('button', { name: 'Make new codes' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Make new recovery codes?' }));
  expect(calls).not.toContain('POST /api/account/recovery-codes');
  await user.click(dialog.getByRole('button', { name: 'Make new codes' }));
  expect(await screen.findByText('AAAA-BBBB-CCCC-DDDD')).toBeDefined();
});

test('long after signing in nothing of the second step can be changed', async () => {
  open({ ...base, mayChange: false });
  expect(await screen.findByRole('button', { name: 'Sign in again' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'Add passkey' })).toHaveProperty('disabled', true);
});

test('signing in again happens on the spot, and then everything can be changed', async () => {
  const account = { ...base, mayChange: false };
  open(account);
  await user.click(await screen.findByRole('button', { name: 'Sign in again' }));
  await user.click(await screen.findByRole('button', { name: 'Send Verification Code' }));
  await user.type(await screen.findByLabelText('Verification code'), '123456');
  account.mayChange = true;
  await user.click(screen.getByRole('button', { name: 'Verify & Login' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Add passkey' })).toHaveProperty('disabled', false));
  expect(calls.filter((call) => call.includes('/api/auth/'))).toEqual([
    expect.stringContaining('POST /api/auth/send-verification {"verificationType":"email"'),
    expect.stringContaining('"code":"123456"'),
  ]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a number is confirmed with the code that was sent to it', async () => {
  open({ ...base, phone: { number: '+14155550123', confirmedAt: null } });
  expect(await screen.findByText('(415) 555-0123')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Send a code to this number' }));
  await user.type(await screen.findByLabelText('Code from the text message'), '12 34 56');
  await user.click(screen.getByRole('button', { name: 'Confirm Number' }));
  await waitFor(() => expect(calls).toContain('POST /api/account/phone/confirm {"code":"123456"}'));
});

test('who was added without a name is called by the address, once', async () => {
  open(base, { firstName: '', lastName: '' });
  expect(await screen.findByText('driver1@example.com, Field Operator')).toBeTruthy();
});
