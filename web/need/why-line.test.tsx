// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { today } from '../http/format.ts';
import { createQueryClient } from '../http/query-client.ts';
import { WhyLine } from './why-line.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test.each([
  [3.5, '0.00', 'Nothing runs out today.'],
  [0, '0.00', 'No sales are expected here.'],
])('a place that sells %s units a day and loses %s says so in one line', async (unitsPerDay, lostMoney, sentence) => {
  const need = { type: 'market', id: 4, why: [], nextVisit: today(), unitsPerDay, lostMoney };
  vi.stubGlobal('fetch', async () => Response.json({ locations: [need], currency: 'USD' }));
  render(
    <QueryClientProvider client={createQueryClient()}>
      <WhyLine place={{ type: 'market', id: 4 }} />
    </QueryClientProvider>,
  );
  expect(await screen.findByText(sentence)).toBeDefined();
});
