// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { LocationSales } from '../../contract/locations.ts';
import { createQueryClient } from '../http/query-client.ts';
import { SalesTab } from './sales-tab.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('while sales of other days are on their way, those on the screen are not exported as theirs', async () => {
  const day = { day: '2026-03-12', units: 3, amount: '6.00' };
  const sales: LocationSales = {
    ...{ currency: 'USD', from: '2026-03-12', until: '2026-03-12', before: '0.00' },
    total: { units: 3, amount: '6.00', sales: 3 },
    ...{ byDay: [day], byHour: [], byProduct: [{ productName: 'Cola', units: 3, amount: '6.00' }] },
  };
  let answer = (_: Response): void => {};
  const others = new Promise<Response>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal('fetch', async (path: string) => (path.includes('days=90') ? others : Response.json(sales)));
  window.history.replaceState(null, '', '/markets/7?tab=sales');
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SalesTab place={{ type: 'market', id: 7 }} />
    </QueryClientProvider>,
  );
  const buttons = await screen.findAllByRole('button', { name: /^Export sales by/ });
  expect(buttons.map((button) => button.hasAttribute('disabled'))).toEqual([false, false]);
  await userEvent.click(screen.getByRole('button', { name: '90 days' }));
  expect(buttons.map((button) => button.hasAttribute('disabled'))).toEqual([true, true]);
  expect(screen.getByText('Cola')).toBeTruthy();
  answer(Response.json(sales));
  await waitFor(() => expect(buttons.map((button) => button.hasAttribute('disabled'))).toEqual([false, false]));
});

test('a chart writes days, hours and money as everywhere', async () => {
  const sales: LocationSales = {
    ...{ currency: 'USD', from: '2026-03-12', until: '2026-03-12', before: '0.00' },
    total: { units: 3, amount: '6.00', sales: 3 },
    byDay: [{ day: '2026-03-12', units: 3, amount: '6.00' }],
    byHour: [{ hour: 13, units: 3, amount: '6.00' }],
    byProduct: [],
  };
  vi.stubGlobal('fetch', async () => Response.json(sales));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SalesTab place={{ type: 'market', id: 7 }} />
    </QueryClientProvider>,
  );
  const told = async (picture: RegExp) => (await screen.findByRole('img', { name: picture })).textContent;
  expect(await told(/^Sales by day/)).toBe('Mar 12, 2026: $6.00 · 3 units');
  expect(await told(/^Sales by hour/)).toBe('1:00 PM: $6.00 · 3 units');
});
