import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  getSignInState,
  listDemoOutbox,
  sendVerification,
  setUpFirstAdministrator,
  signOut,
  verifyCode,
} from '../../contract/auth.ts';
import { createQueryClient } from '../http/query-client.ts';
import { createOffline, type Offline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import { forgetSession, isSignOutDue, rememberSession } from '../offline/session.ts';
import { buildSession, FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { LoginScreen } from './login-screen.tsx';

type Answer = { status: number; headers?: HeadersInit; body: unknown };
let answers: Record<string, Answer>;
let sent: { path: string; body: unknown }[];
let asked: string[];
const user = userEvent.setup();

beforeEach(() => {
  sent = [];
  asked = [];
  answers = {
    [getSignInState.path]: { status: 200, body: { isDemo: false, needsSetup: false } },
    [listDemoOutbox.path]: { status: 404, body: { detail: 'There is nothing here.' } },
    [sendVerification.path]: { status: 200, body: { sent: true, expiresInSeconds: 600 } },
    [verifyCode.path]: { status: 200, body: { success: true } },
  };
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    asked.push(path);
    if (init.body) sent.push({ path, body: JSON.parse(String(init.body)) });
    const answer = answers[path] ?? { status: 404, body: { detail: `no answer for ${path}` } };
    return new Response(JSON.stringify(answer.body), answer);
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

let phones = 0;
function open(props: Parameters<typeof LoginScreen>[0] = {}): Offline {
  const transport = async () => ({ outcome: 'unreachable' }) as const;
  const offline = createOffline(fakeEnvironment(new FakeClock(), transport, `login-${++phones}`));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <OfflineProvider offline={offline}>
        <LoginScreen {...props} />
      </OfflineProvider>
    </QueryClientProvider>,
  );
  return offline;
}

const shown = () => toastStore.get()[0];
const boxes = () => [...document.querySelectorAll('form span[aria-hidden].rounded')];
const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
const sendCode = () => press('Send Verification Code');

function toStepTwo(): Promise<HTMLElement> {
  open();
  return toCode();
}

async function toCode(): Promise<HTMLElement> {
  await user.type(await screen.findByLabelText('Work email'), 'ana@company.com');
  await sendCode();
  return screen.findByLabelText('Verification code');
}

test('whoever waits for the code reads how long it works', async () => {
  await toStepTwo();
  expect(screen.getByText(/Sent to/).textContent).toBe('Sent to ana@company.com. It works once, for 10 minutes.');
});

test('there are two ways in', () => {
  open();
  expect(screen.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Work Email', 'Text Message']);
});

test('who was led here by a session that ended is told so, and nobody else', () => {
  const told = 'Your session has ended. Sign in again to go on where you were.';
  window.history.replaceState(null, '', '/login?next=%2Fmarkets&ended=1');
  open();
  expect(screen.getByText(told)).toBeTruthy();
  cleanup();
  window.history.replaceState(null, '', '/login?next=%2Fmarkets');
  open();
  expect(screen.queryByText(told)).toBeNull();
});

test('an empty e-mail and an empty phone number are each asked for', async () => {
  open();
  await sendCode();
  expect(shown()).toMatchObject({ title: 'Email required', description: 'Please enter your work email address' });
  await user.click(await screen.findByRole('tab', { name: 'Text Message' }));
  await sendCode();
  expect(shown()).toMatchObject({ title: 'Phone number required', description: 'Please enter your phone number' });
  expect(sent).toEqual([]);
});

test('a phone number takes its form at exactly ten digits', async () => {
  open();
  await user.click(await screen.findByRole('tab', { name: 'Text Message' }));
  const phone = await screen.findByLabelText('Phone number');
  await user.type(phone, '415555012');
  expect(phone).toHaveProperty('value', '415555012');
  await user.type(phone, '3');
  expect(phone).toHaveProperty('value', '(415) 555-0123');
});

test('a sent code leads to step two, which names the contact', async () => {
  await toStepTwo();
  expect(shown()).toMatchObject({
    title: 'Verification code sent',
    description: 'Check your email for the verification code',
  });
  expect(await screen.findByRole('heading', { name: 'Enter Verification Code' })).toBeDefined();
  expect(await screen.findByText('ana@company.com')).toBeDefined();
});

test('the code of the screen asked for comes while the code to sign in is on its way', async () => {
  const preload = vi.fn(async () => {});
  window.history.replaceState(null, '', '/login?next=%2Fmarkets%3Fq%3D1');
  open({ preload });
  await user.type(await screen.findByLabelText('Work email'), 'ana@company.com');
  expect(preload).not.toHaveBeenCalled();
  await sendCode();
  await screen.findByLabelText('Verification code');
  expect(preload).toHaveBeenCalledExactlyOnceWith('/markets');
  window.history.replaceState(null, '', '/');
});

test('a code that cannot be sent says why', async () => {
  answers[sendVerification.path] = { status: 429, body: { detail: 'Too many codes. Wait a minute.' } };
  open();
  await user.type(await screen.findByLabelText('Work email'), 'ana@company.com');
  await sendCode();
  await waitFor(() => expect(shown()).toMatchObject({ title: 'Error', description: 'Too many codes. Wait a minute.' }));
});

test('a visit while the server is away is offered the set-up once it is back', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'], shouldAdvanceTime: true });
  const well = globalThis.fetch;
  let isAway = true;
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (isAway && path === getSignInState.path) throw new TypeError('Failed to fetch');
    return well(path, init);
  });
  answers[getSignInState.path] = { status: 200, body: { isDemo: false, needsSetup: true } };
  open();
  expect(await screen.findByLabelText('Work email')).toBeTruthy();
  isAway = false;
  await act(() => vi.advanceTimersByTimeAsync(5_000));
  expect(await screen.findByLabelText('Set-up code')).toBeTruthy();
  vi.useRealTimers();
});

test.each([
  [429, true],
  [503, false],
])('a wait after %i is called one of too many tries: %s', async (status, isTooMany) => {
  const headers = { 'retry-after': '9' };
  answers[sendVerification.path] = { status, headers, body: { detail: 'Not now.' } };
  open();
  await user.type(await screen.findByLabelText('Work email'), 'ana@company.com');
  await sendCode();
  await waitFor(() => expect(shown()).toMatchObject({ title: 'Error', description: 'Not now.' }));
  expect(screen.queryByText(/Too many tries/) !== null).toBe(isTooMany);
});

test('an empty code is asked for, and more than six characters do not fit', async () => {
  const code = await toStepTwo();
  await press('Verify & Login');
  expect(shown()).toMatchObject({
    title: 'Verification code required',
    description: 'Please enter the verification code',
  });
  await user.click(code);
  await user.paste('1234567');
  expect(code).toHaveProperty('value', '123456');
});

test('a code is digits: letters do not go in, and one pasted with its message is found in it', async () => {
  const code = await toStepTwo();
  await user.type(code, '12a3');
  expect(code).toHaveProperty('value', '123');
  await user.clear(code);
  await user.paste('Your code is 482 913.');
  expect(code).toHaveProperty('value', '482913');
});

test('a whole code that is pasted stands for the digits that are there, wherever the caret is; a part is put in', async () => {
  const code = (await toStepTwo()) as HTMLInputElement;
  await user.type(code, '999');
  await user.paste('482913');
  expect(code.value).toBe('482913');
  await user.clear(code);
  await user.type(code, '999');
  code.setSelectionRange(1, 1);
  await user.paste(' 482 913 ');
  expect(code.value).toBe('482913');
  await user.clear(code);
  await user.type(code, '48');
  await user.paste('2913');
  expect(code.value).toBe('482913');
});

test('a wrong code is refused with its sentence and lets nobody in', async () => {
  answers[verifyCode.path] = { status: 400, body: { detail: 'This code is wrong or too old.' } };
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  await user.type(await toStepTwo(), '000000');
  await press('Verify & Login');
  await waitFor(() =>
    expect(shown()).toMatchObject({ title: 'Verification failed', description: 'This code is wrong or too old.' }),
  );
  expect(leave).not.toHaveBeenCalled();
});

test('a wrong code is marked as wrong with what is wrong with it, until it is typed anew', async () => {
  answers[verifyCode.path] = { status: 401, body: { code: 'not-signed-in', detail: 'Invalid verification code' } };
  const code = await toStepTwo();
  expect(code.getAttribute('aria-invalid')).toBeNull();
  await user.type(code, '000000');
  await press('Verify & Login');
  await waitFor(() => expect(code.getAttribute('aria-invalid')).toBe('true'));
  const told = document.getElementById(code.getAttribute('aria-describedby') ?? '');
  expect(told?.textContent).toBe('Invalid verification code');
  expect(boxes().every(({ className }) => className.includes('border-bad'))).toBe(true);
  expect(boxes().every(({ className }) => className.includes('bg-accent-soft'))).toBe(true);
  await user.keyboard('4');
  expect(code).toHaveProperty('value', '4');
  expect(code.getAttribute('aria-invalid')).toBeNull();
  expect(boxes().some(({ className }) => className.includes('border-bad'))).toBe(false);
});

test('each digit is drawn in a box of its own, and all six are one field to who hears them', async () => {
  const code = await toStepTwo();
  await user.type(code, '417');
  expect(boxes().map(({ textContent }) => textContent)).toEqual(['4', '1', '7', '', '', '']);
  expect(screen.getAllByRole('textbox')).toEqual([code]);
  expect([code.getAttribute('autocomplete'), code.getAttribute('inputmode')]).toEqual(['one-time-code', 'numeric']);
  expect(screen.getByLabelText('Verification code')).toBe(code);
});

test('the right code says so and loads the app anew', async () => {
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  await user.type(await toStepTwo(), '123456');
  await press('Verify & Login');
  await waitFor(() => expect(leave).toHaveBeenCalledWith(`${window.location.origin}/`));
  expect(shown()?.title).toBe('Login successful');
  expect(sent.at(-1)).toMatchObject({ path: verifyCode.path, body: { email: 'ana@company.com', code: '123456' } });
});

test('a sign-out the server did not hear of does not end the session that began after it', async () => {
  const leave = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  const offline = open();
  await rememberSession(offline, buildSession(1));
  await forgetSession(offline, { isTold: false });
  answers[signOut.path] = { status: 503, body: { detail: 'Not now.' } };
  await user.type(await toCode(), '123456');
  await press('Verify & Login');
  await waitFor(() => expect(leave).toHaveBeenCalled());
  expect(asked).toContain(signOut.path);
  expect(await isSignOutDue(offline)).toBe(false);
});

test('going back clears the code; sending again sends to the same contact', async () => {
  await user.type(await toStepTwo(), '12');
  await press('Resend Code');
  await waitFor(() => expect(sent.filter(({ path }) => path === sendVerification.path)).toHaveLength(2));
  await press('Back to Login Options');
  await sendCode();
  expect(await screen.findByLabelText('Verification code')).toHaveProperty('value', '');
});

test('the people and messages of the demo exist in the demo only', async () => {
  open();
  await waitFor(() => expect(asked).toContain(getSignInState.path));
  // The help is a chunk of its own: long enough for one that was wrongly asked for to arrive.
  await import('./demo-help.tsx');
  await waitFor(() => expect(document.querySelector('main')).not.toBeNull());
  expect(screen.queryByText(/demo\.milkrun\.local/)).toBeNull();
  expect(asked).not.toContain(listDemoOutbox.path);
  cleanup();
  answers[getSignInState.path] = { status: 200, body: { isDemo: true, needsSetup: false } };
  open();
  expect(await screen.findByText('manager@demo.milkrun.local')).toBeDefined();
});

test('a second code is looked for in the demo as often as the first', async () => {
  const message = { to: 'ana@company.com', channel: 'email', subject: null, text: '', at: '2026-03-12T15:00:00.000Z' };
  const arrived = (code: string) => {
    answers[listDemoOutbox.path] = { status: 200, body: [{ ...message, code }] };
  };
  const looks = (): number => asked.filter((path) => path === listDemoOutbox.path).length;
  answers[getSignInState.path] = { status: 200, body: { isDemo: true, needsSetup: false } };
  arrived('111111');
  await toStepTwo();
  await waitFor(() => expect(looks()).toBe(6), { timeout: 4000 });
  await press('Resend Code');
  await waitFor(() => expect(looks()).toBe(7));
  arrived('222222');
  expect(await screen.findByText('222222', {}, { timeout: 2000 })).toBeDefined();
});

test('a driver on a new device is asked for the pairing code of their manager', async () => {
  answers[verifyCode.path] = {
    status: 200,
    body: { success: true, secondStep: { app: false, passkey: false, pairing: true } },
  };
  answers['/api/auth/second-step'] = { status: 401, body: { detail: 'This pairing code is wrong.' } };
  const code = await toStepTwo();
  await user.type(code, '123456');
  await press('Verify & Login');
  const field = await screen.findByLabelText('Pairing code');
  expect(screen.queryByRole('button', { name: 'Use a recovery code' })).toBeNull();
  await user.type(field, '12345678');
  expect(field).toHaveProperty('value', '1234 5678');
  await press('Verify');
  await waitFor(() => expect(shown()).toMatchObject({ description: 'This pairing code is wrong.' }));
  expect(sent.at(-1)).toEqual({ path: '/api/auth/second-step', body: { code: '12345678' } });
});

test('setting up shows the time zone of the browser and takes another', async () => {
  answers[getSignInState.path] = { status: 200, body: { isDemo: false, needsSetup: true } };
  answers[setUpFirstAdministrator.path] = { status: 200, body: { success: true } };
  open();
  const zone = await screen.findByLabelText('Time zone');
  expect(zone).toHaveProperty('value', Intl.DateTimeFormat().resolvedOptions().timeZone);
  await user.selectOptions(zone, 'Pacific/Auckland');
  for (const [label, text] of [
    ['Set-up code', 'abc'],
    ['Company name', 'Op'],
    ['First name', 'Ann'],
    ['Last name', 'Lee'],
    ['Your work email', 'ann@example.com'],
  ] as const) {
    await user.type(screen.getByLabelText(label), text);
  }
  await press('Create the first administrator');
  expect(sent.at(-1)).toMatchObject({ path: setUpFirstAdministrator.path, body: { timeZone: 'Pacific/Auckland' } });
});
