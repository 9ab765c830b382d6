// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { office, pageOf, show } from '../integrations/testing/office.tsx';
import { createOffline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import { FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { DeviceLoginScreen } from './device-login-screen.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(mayPair: boolean): void {
  const person = { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', mayPair };
  office(({ path }) => (path === '/api/auth/device' ? { login: null, person, routeDesignations: [] } : pageOf([])));
  const offline = createOffline(fakeEnvironment(new FakeClock(), async () => ({ outcome: 'unreachable' }), 'door'));
  show(
    <OfflineProvider offline={offline}>
      <DeviceLoginScreen />
    </OfflineProvider>,
  );
}

test.each([
  [true, /^No location has a route designation yet/],
  [false, /^You are on no route. Ask an administrator/],
])('with no route to choose whoever may pair (%s) is told what to do', async (mayPair, text) => {
  open(mayPair);
  expect(await screen.findByText(text)).toBeDefined();
});
