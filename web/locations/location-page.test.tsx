// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import type { ComponentType } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { MachineScreen } from './machine-screen.tsx';
import { MarketScreen } from './market-screen.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function openWhileDown(path: string, Screen: ComponentType): void {
  const problem = { type: 'about:blank#internal', title: 'Internal', status: 500, detail: 'The server failed.' };
  vi.stubGlobal('fetch', async () =>
    Response.json(problem, { status: 500, headers: { 'content-type': 'application/problem+json' } }),
  );
  window.history.replaceState(null, '', `${path}/4`);
  render(
    <SessionContext value={buildSession(1)}>
      <QueryClientProvider client={createQueryClient()}>
        <Route path={`${path}/:id`} component={Screen} />
      </QueryClientProvider>
    </SessionContext>,
  );
}

test.each([
  ['/markets', MarketScreen, 'Market', 'Markets'],
  ['/vending-machines', MachineScreen, 'Vending Machine', 'Vending Machines'],
] as const)(
  'a page of %s that did not load says what it is, and leads back to the list',
  async (path, Screen, name, list) => {
    openWhileDown(path, Screen);
    expect(await screen.findByText('This location did not load')).toBeTruthy();
    expect(screen.getByRole('heading', { level: 1, name })).toBeTruthy();
    expect(screen.getByRole('link', { name: list }).getAttribute('href')).toBe(path);
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  },
);
