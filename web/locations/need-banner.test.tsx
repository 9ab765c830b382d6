// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { today } from '../http/format.ts';
import { createQueryClient } from '../http/query-client.ts';
import { NeedBanner } from './need-banner.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ['1.88', 'Expected loss until then $1.88.'],
  ['0.00', 'Next visit is planned today.'],
])('a slot that is sold out is told, with the loss of %s where it is worth saying', async (lostMoney, end) => {
  const need = { soldOut: 1, runningOut: 0, lostMoney, nextVisit: today(), nextVisitPlanned: true };
  vi.stubGlobal('fetch', async () =>
    Response.json({ locations: [{ ...need, type: 'vending_machine', id: 4 }], currency: 'USD' }),
  );
  render(
    <QueryClientProvider client={createQueryClient()}>
      <NeedBanner place={{ type: 'vending_machine', id: 4 }} />
    </QueryClientProvider>,
  );
  const banner = await screen.findByRole('region', { name: 'What needs you here' });
  expect(banner.textContent).toMatch(/^1 slot sold out\. /);
  expect(banner.textContent?.endsWith(end)).toBe(true);
});
