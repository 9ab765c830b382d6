import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../http/query-client.ts';
import { market } from '../route-planning/testing/places.ts';
import { PlanSetup } from './plan-setup.tsx';

const needing = (id: number, name: string, route: string, missingUnits: number) => ({
  ...{ ...market(id, name, route), lowCount: 1, missingUnits },
});
const stored = [needing(1, 'Lobby', '101', 480), needing(2, 'Hall', '202', 800)];
/** Answers about locations that are on their way. */
let waiting: (() => void)[] = [];
let isHeld = false;

const replies: Record<string, unknown> = {
  '/api/locations/counts': ['101', '202'].map((designation) => ({ designation, all: 1, needing: 1 })),
  '/api/route-choices': {
    drivers: [{ id: 5, name: 'Ana', routeDesignation: '101' }],
    vehicles: [{ id: 3, name: 'Van', depotId: 1, capacityTotes: 10 }],
    depots: [{ id: 1, name: 'North', latitude: '40.70', longitude: '-74.00', isDefault: true }],
  },
};

beforeEach(() => {
  waiting = [];
  isHeld = false;
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://test');
    if (pathname !== '/api/locations/page') return Response.json(replies[pathname] ?? []);
    if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve));
    const routes: string[] = JSON.parse(searchParams.get('routes') ?? '["101","202"]');
    const rows = stored.filter(({ routeDesignation }) => routes.includes(routeDesignation ?? ''));
    return Response.json({ rows, total: rows.length, low: rows.length, from: 1, next: null, previous: null });
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('what is known stays in sight while the next answer is on its way, without what is planned no more', async () => {
  const user = userEvent.setup();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <PlanSetup onCreated={() => {}} />
    </QueryClientProvider>,
  );
  const lobby = 'Lobby needs about 12 totes: Van holds 10.';
  const hall = 'Hall needs about 20 totes: Van holds 10.';
  const said = () => within(screen.getByRole('list', { name: 'Known before planning' })).getAllByRole('listitem');
  const texts = () => said().map(({ textContent }) => textContent);
  await vi.waitFor(() => expect(texts()).toEqual([lobby, hall]));
  expect(said()[0]?.closest('[role=status]')).toBeTruthy();

  isHeld = true;
  await user.click(screen.getByRole('checkbox', { name: /^Route 202/ }));
  await vi.waitFor(() => expect(waiting).toHaveLength(1));
  expect(texts()).toEqual([lobby]);
  for (const go of waiting) go();
  await vi.waitFor(() => expect(texts()).toEqual([lobby]));
});
