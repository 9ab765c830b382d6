// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { today } from '../http/format.ts';
import { createQueryClient } from '../http/query-client.ts';
import { StopNeed } from './stop-need.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  ['12.40', 1_500, 'Left out, it would lose $12.40 more until today, as much as 25 min of driving.'],
  ['0.80', 20, 'Left out, it would lose $0.80 more until today.'],
  ['0.01', 1, 'Left out, it would lose hardly anything more until today.'],
])('a stop that saves %s and %s s says what leaving it out costs', async (savedMoney, prizeSeconds, sentence) => {
  const location = { why: [], savedMoney, prizeSeconds, visitAfter: today(), fillUnits: 0, error: null };
  const detail = { location, items: [], currency: 'USD', costPerHour: 30, overallError: null };
  vi.stubGlobal('fetch', async () => Response.json(detail));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <StopNeed place={{ type: 'vending_machine', id: 4 }} visit={null} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText(sentence)).toBeTruthy();
});
