// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { SessionContext } from '../../auth/session-context.ts';
import { createQueryClient } from '../../http/query-client.ts';
import { createOffline } from '../../offline/offline.ts';
import { OfflineProvider } from '../../offline/offline-context.tsx';
import { buildSession, FakeClock, fakeEnvironment } from '../../offline/testing/fake-phone.ts';
import { PersonMenu } from './person-menu.tsx';

afterEach(cleanup);

async function openMenu(held: { drafts: number; unsent: number }): Promise<void> {
  const environment = fakeEnvironment(new FakeClock(), async () => ({ outcome: 'unreachable' }), 'person-menu');
  const offline = createOffline(environment);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <OfflineProvider offline={offline}>
        <SessionContext value={buildSession(1)}>
          <PersonMenu />
        </SessionContext>
      </OfflineProvider>
    </QueryClientProvider>,
  );
  act(() => offline.status.set(held));
  await userEvent.click(screen.getByRole('button', { name: /Signed in as/ }));
}

test('what is saved is said to be delivered after a sign-out', async () => {
  await openMenu({ drafts: 0, unsent: 1_200 });
  expect(screen.getByText(/^1,200 changes are not sent\. They .* are still delivered/)).toBeDefined();
  expect(screen.queryByText(/not saved/)).toBeNull();
});

test('what is only typed is not said to be delivered: its person has to save it', async () => {
  await openMenu({ drafts: 1, unsent: 0 });
  expect(screen.getByText(/^1 change is not saved\./)).toBeDefined();
  expect(screen.queryByText(/delivered/)).toBeNull();
});
