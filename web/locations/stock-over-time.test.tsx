import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../http/query-client.ts';
import { StockOverTime } from './stock-over-time.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the middle of the scale is half of its top, also where that is no whole number', async () => {
  const days = ['2026-03-01', '2026-03-02'].map((day) => ({ day, units: 4, empty: 0 }));
  vi.stubGlobal('fetch', async () => Response.json({ target: 5, days }));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <StockOverTime place={{ type: 'market', id: 7 }} />
    </QueryClientProvider>,
  );
  const picture = await screen.findByRole('img', { name: /^Units at the end of each day/ });
  const scale = picture.closest('figure')?.querySelector('[aria-hidden]')?.children ?? [];
  expect([...scale].map(({ textContent }) => textContent)).toEqual(['5', '2.5', '0']);
  expect(picture.textContent).toContain('Mar 1, 2026: 4 units, 0 empty');
});

test('a single unit is told as one', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ target: 2, days: [{ day: '2026-03-01', units: 1, empty: 0 }] }));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <StockOverTime place={{ type: 'market', id: 7 }} />
    </QueryClientProvider>,
  );
  expect((await screen.findByText(/at par/)).parentElement?.textContent).toBe('1 unit of 2 at par, 0 empty');
});
