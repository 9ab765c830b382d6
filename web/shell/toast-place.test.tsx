// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { createOffline } from '../offline/offline.ts';
import { OfflineProvider } from '../offline/offline-context.tsx';
import { FakeClock, fakeEnvironment } from '../offline/testing/fake-phone.ts';
import { toast } from '../ui/toasts/toast.ts';
import { ToastHost } from '../ui/toasts/toast-host.tsx';
import { ToastPlace } from './toast-place.tsx';

afterEach(cleanup);

test('a screen stays when the code of the toasts cannot be fetched, and the next toast shows', async () => {
  let tries = 0;
  const load = async () => {
    tries += 1;
    if (tries === 1) throw new TypeError('Failed to fetch dynamically imported module');
    return ToastHost;
  };
  const environment = fakeEnvironment(new FakeClock(), async () => ({ outcome: 'unreachable' }), 'toasts');
  render(
    <OfflineProvider offline={createOffline(environment)}>
      <p>Stops of today</p>
      <ToastPlace load={load} />
    </OfflineProvider>,
  );
  await act(async () => toast({ title: 'Offline Mode' }));
  expect(tries).toBe(1);
  expect(screen.getByText('Stops of today')).toBeDefined();
  await act(async () => toast({ title: 'Stop Completed' }));
  expect((await screen.findAllByText('Stop Completed')).length).toBeGreaterThan(0);
  expect(screen.getByText('Stops of today')).toBeDefined();
});
