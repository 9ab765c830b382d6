// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { DeviceLogin } from '../../contract/devices.ts';
import type { Role } from '../../domain/permissions.ts';
import { toSignIn } from '../auth/wanted-address.ts';
import { office, pageOf, refusal, show } from '../integrations/testing/office.tsx';
import { message } from '../integrations/testing/replies.ts';
import { createOffline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import { FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { DeviceLoginScreen } from './device-login-screen.tsx';
import { forgetLogin, keepLogin } from './stored-login.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const user = userEvent.setup();

function open(
  mayPair: boolean | null,
  role?: Role,
  login: DeviceLogin | null = null,
  logout: () => unknown = () => undefined,
): void {
  const person = mayPair === null ? null : { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', mayPair };
  office(({ path }) => {
    if (path === '/api/auth/device') return { login, person, routeDesignations: [] };
    if (path === '/api/auth/device-logout') return logout();
    if (path === '/api/auth/pairing-code') return { routeDesignations: ['101'], worker: 'Dana Driver', expiresAt: '' };
    return path.endsWith('/choices') ? [] : pageOf([]);
  });
  const offline = createOffline(fakeEnvironment(new FakeClock(), async () => ({ outcome: 'unreachable' }), 'door'));
  show(
    <OfflineProvider offline={offline}>
      <DeviceLoginScreen />
    </OfflineProvider>,
    role,
  );
}

test.each([
  [true, /^No location has a route designation yet/],
  [false, /^You are on no route. Ask an administrator/],
])('with no route to choose whoever may pair (%s) is told what to do', async (mayPair, text) => {
  open(mayPair);
  expect(await screen.findByText(text)).toBeDefined();
});

test('where no location is on a route, buttons lead to what can be put on one', async () => {
  open(true);
  const hrefOf = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href');
  expect(await hrefOf('Open Markets')).toBe('/markets');
  expect(await hrefOf('Open Vending Machines')).toBe('/vending-machines');
});

test.each([
  ['admin', '/admin-dashboard?add=1'],
  ['route_manager', null],
] as const)('with nobody to pair for, %s is led to inviting as far as they may', async (role, address) => {
  open(true, role);
  const none = (await screen.findByText('No device was paired yet')).parentElement ?? document.body;
  await user.click(within(none).getByRole('button', { name: 'Pair a Device' }));
  expect(await screen.findByText('No Field Operator yet')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'Invite a Person' })?.getAttribute('href') ?? null).toBe(address);
});

const login = {
  user: { firstName: 'A', lastName: 'B', role: 'admin', roleLabel: 'Super Admin', routeDesignation: null },
  deviceSession: { deviceId: 'd', deviceType: 'tablet', deviceName: 'Van', routeDesignation: '101' },
  applications: [],
} as const;

test('logging out says both ways back in: a code, or an account of one’s own', async () => {
  open(false, 'admin', { success: true, ...login, applications: [] });
  await user.click(await screen.findByRole('button', { name: 'Logout Device' }));
  const dialog = await screen.findByRole('dialog', { name: 'Log Van out?' });
  expect(dialog.textContent).toContain('needs a new pairing code, or a sign-in, before it can be used again');
});

async function logOut(reply: () => unknown): Promise<void> {
  window.history.replaceState(null, '', '/device-login');
  open(false, 'admin', { success: true, ...login, applications: [] }, reply);
  await user.click(await screen.findByRole('button', { name: 'Logout Device' }));
  const dialog = await screen.findByRole('dialog', { name: 'Log Van out?' });
  await user.click(within(dialog).getByRole('button', { name: 'Logout Device' }));
}

test('a device that is logged out stands at its own door, also where its ended session is noticed before the answer', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  await logOut(() => {
    toSignIn('ended');
    return { success: true };
  });
  await waitFor(() => expect(assign.mock.calls).toEqual([['/device-login'], ['/device-login']]));
  assign.mockRestore();
});

test('a device that could not be logged out is led to the sign-in, as from any screen, once its session ends', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
  await logOut(() => refusal(503, 'Busy.'));
  await expect.poll(message).toBe('Error: Busy.');
  toSignIn('ended');
  expect(assign.mock.calls).toEqual([['/login?next=%2Fdevice-login&ended=1']]);
  assign.mockRestore();
});

test('a pairing link is taken also where the screen stands open already', async () => {
  open(null);
  await user.type(await screen.findByLabelText('Pairing code'), '1');
  window.location.hash = '#code=12345678';
  expect(await screen.findByText('Dana Driver')).toBeTruthy();
  expect(window.location.hash).toBe('');
});

test('a device whose access was ended says so, and what to do', async () => {
  keepLogin('d', { ...login, applications: [] });
  open(null);
  expect((await screen.findByText(/^Van, route 101, is no longer paired/)).textContent).toContain(
    'Ask your route manager for a new pairing code',
  );
  forgetLogin();
});
