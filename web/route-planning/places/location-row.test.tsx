// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient } from '../../http/query-client.ts';
import { LocationRow } from './location-row.tsx';
import type { Candidate } from './locations.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const street = { where: '1 Main Street', address: '1 Main Street' };
const place = { key: 'market:1', type: 'market', name: 'North Hall', ...street, lat: 40.7, lng: -74, lowCount: 0 };

test.each([
  ['active', 'Active', 'bg-ok-soft'],
  ['maintenance', 'Maintenance', 'bg-idle-soft'],
  ['inactive', 'Inactive', 'bg-idle-soft'],
  ['renovation', 'renovation', 'bg-idle-soft'],
])('only a place that is active stands out: %s is the badge %s', (status, word, look) => {
  const row = { ...place, status } as unknown as Candidate;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocationRow row={row} selected={false} onToggle={vi.fn()} />
    </QueryClientProvider>,
  );
  expect(screen.getByText(word).className).toContain(look);
});

test.each([
  ['12.40', '2 run out, $12.40'],
  ['0.20', '2 run out'],
])('what runs out is told with its loss of %s where that is worth saying', async (lostMoney, told) => {
  const need = { type: 'market', id: 7, soldOut: 1, runningOut: 1, lostMoney, why: [], nextVisit: '2026-11-22' };
  vi.stubGlobal('fetch', async () => Response.json({ locations: [need], currency: 'USD' }));
  const row = { ...place, type: 'market', id: 7, status: 'active' } as unknown as Candidate;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocationRow row={row} selected={false} onToggle={vi.fn()} />
    </QueryClientProvider>,
  );
  expect((await screen.findByText(/run out/)).textContent).toBe(told);
});

test('the name has its row to itself, the route stands beside the address', () => {
  const row = { ...place, status: 'active', routeDesignation: '101' } as unknown as Candidate;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocationRow row={row} selected={false} onToggle={vi.fn()} />
    </QueryClientProvider>,
  );
  expect(screen.getByText('North Hall').className).toContain('block');
  expect(screen.getByText('Route 101').parentElement?.parentElement?.textContent).toBe('1 Main StreetRoute 101');
});

test('a machine has the address that it is driven to, and below it the place in the building', () => {
  const row = {
    ...place,
    type: 'vending_machine',
    where: 'Lobby, 2nd floor',
    status: 'active',
    routeDesignation: '101',
  };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <LocationRow row={row as unknown as Candidate} selected={false} onToggle={vi.fn()} />
    </QueryClientProvider>,
  );
  const [address, spot] = [screen.getByText('1 Main Street'), screen.getByText('Lobby, 2nd floor')];
  expect(address.compareDocumentPosition(spot)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});
