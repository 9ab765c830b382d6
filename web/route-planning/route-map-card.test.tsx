// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import type { MapPlace } from '../map/map-data.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { RouteMapCard } from './route-map-card.tsx';

const hall: MapPlace = { type: 'market', id: 1, name: 'Hall', address: '1 Main Street', lat: 40, lng: -75 };
const client = createQueryClient();

beforeEach(() => {
  vi.stubGlobal('fetch', async (url: string) =>
    url.startsWith('/api/traffic-incidents') ? Response.json([]) : Response.json({ detail: 'No' }, { status: 500 }),
  );
  // The test browser has no layout; a list that draws only what is in sight needs a size.
  for (const size of ['clientHeight', 'clientWidth', 'offsetHeight', 'offsetWidth'] as const)
    vi.spyOn(HTMLElement.prototype, size, 'get').mockReturnValue(320);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function card(own: { lat: number; lng: number } | null) {
  return (
    <QueryClientProvider client={client}>
      <SessionContext value={buildSession(1)}>
        <RouteMapCard
          {...{ places: [hall], groups: [], extent: null, isLoading: false, failure: null, onRetry: () => {} }}
          {...{
            selected: new Set(),
            routes: [],
            depots: [{ name: 'North', lat: 40.1, lng: -75 }],
            arrivals: new Map(),
          }}
          {...{ own, center: undefined, zoom: 10, around: undefined, fitKey: '', styleUrl: null, noMarkets: false }}
          {...{ optimizing: false, onSelect: () => {}, onOptimize: () => {}, onView: () => {}, buttons: null }}
        />
      </SessionContext>
    </QueryClientProvider>
  );
}

test('a way from where the person was is still from there when they have moved on', async () => {
  const { rerender } = render(card({ lat: 40.2, lng: -75 }));
  fireEvent.click(await screen.findByRole('button', { name: 'Directions to Hall' }));
  expect((await screen.findByText(/to Hall$/)).textContent).toContain('from your position to Hall');
  rerender(card({ lat: 40.3, lng: -75 }));
  expect(screen.getByText(/to Hall$/).textContent).toContain('from your position to Hall');
});

test('without a position the way is from the depot, also once the position is known', async () => {
  const { rerender } = render(card(null));
  fireEvent.click(await screen.findByRole('button', { name: 'Directions to Hall' }));
  rerender(card({ lat: 40.3, lng: -75 }));
  expect(screen.getByText(/to Hall$/).textContent).toContain('from the depot to Hall');
});
