// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { StockTab } from './stock-tab.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('beside the stock of a location, sales that did not load say so, and are tried again', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    const { pathname } = new URL(input, 'http://localhost');
    if (pathname === '/api/location-sales') asked.push(pathname);
    return Response.json({ detail: 'The database is away.' }, { status: 500 });
  });
  const session = {
    person: { role: 'route_manager' },
    operator: { timeZone: 'UTC', currency: 'USD' },
  } as unknown as Session;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <StockTab place={{ type: 'market', id: 7 }} />
      </SessionContext>
    </QueryClientProvider>,
  );
  const card = screen.getByRole('heading', { name: 'Sales by day' }).closest('section');
  await vi.waitFor(() => expect(card?.textContent).toContain('Sales did not load'));
  await userEvent.click(card?.querySelector('button') as HTMLButtonElement);
  await vi.waitFor(() => expect(asked).toHaveLength(2));
});
