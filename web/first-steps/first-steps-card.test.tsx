// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { FirstStepsCard } from './first-steps-card.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a step that can be done in two ways offers both; one that is done offers none', async () => {
  const steps = [
    { step: 'depot', count: 1 },
    { step: 'sales', count: 0 },
  ];
  vi.stubGlobal('fetch', async () => Response.json({ steps }));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={buildSession(1)}>
        <FirstStepsCard />
      </SessionContext>
    </QueryClientProvider>,
  );
  expect(await screen.findByText('1 of 2 done')).toBeTruthy();
  const links = screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links).toEqual([
    ['Connect a system', '/inventory?tab=integrations'],
    ['Import sales', '/import?kind=sales'],
  ]);
});

test('who comes back from a step finds it done; once no step is left nothing is asked any more', async () => {
  const client = createQueryClient();
  const open = () =>
    render(
      <QueryClientProvider client={client}>
        <SessionContext value={buildSession(1)}>
          <FirstStepsCard />
        </SessionContext>
      </QueryClientProvider>,
    );
  const two = (depots: number) => [
    { step: 'depot', count: depots },
    { step: 'sales', count: 0 },
  ];
  const answers = [two(0), two(1), null];
  const fetch = vi.fn(async () => Response.json({ steps: answers.shift() }));
  vi.stubGlobal('fetch', fetch);
  open();
  expect(await screen.findByText('0 of 2 done')).toBeTruthy();
  cleanup();
  open();
  expect(await screen.findByText('1 of 2 done')).toBeTruthy();
  cleanup();
  open();
  await waitFor(() => expect(screen.queryByText('First steps')).toBeNull());
  cleanup();
  open();
  expect(fetch).toHaveBeenCalledTimes(3);
});
