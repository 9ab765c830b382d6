import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, type MockInstance, vi } from 'vitest';
import { createQueryClient, doneWithout } from '../http/query-client.ts';
import { type MapRoute, noAnswerNote, offlineNote, searchingNote, tooManyNote, waitingNote } from './map-data.ts';
import { useRoadRoutes, useSearchedRoutes } from './use-directions.ts';

const at = { lat: 40.75, lng: -73.98 };
const line = (stops: number): MapRoute => ({
  key: 'way',
  name: 'Way',
  series: 1,
  points: Array.from({ length: stops }, () => at),
  doneCount: 0,
  followsRoads: false,
});
let source = 'valhalla';
let directions: () => Promise<Response>;
let log: MockInstance;

beforeEach(() => {
  source = 'valhalla';
  directions = () => new Promise(() => {});
  log = vi.spyOn(console, 'warn').mockReturnValue();
  vi.stubGlobal('fetch', (url: string) =>
    url.startsWith('/api/directions') ? directions() : Promise.resolve(Response.json({ source, streets: null })),
  );
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function drawn(stops: number, useRoutes: (straight: readonly MapRoute[]) => readonly MapRoute[] = useRoadRoutes) {
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const straight = [line(stops)];
  const { result } = renderHook(() => useRoutes(straight), { wrapper });
  return { result, client };
}

it.each([
  ['waits for the engine', 2, () => new Promise<Response>(() => {}), waitingNote],
  ['got no answer', 2, async () => new Response('', { status: 500 }), noAnswerNote],
  ['has no connection', 2, () => Promise.reject(new TypeError('Failed to fetch')), offlineNote],
  ['is too long to be asked for', 201, async () => Response.json({}), tooManyNote],
])('a line that %s says so, and not that there is no engine', async (_, stops, reply, note) => {
  directions = reply;
  const { result } = drawn(stops);
  await waitFor(() => expect(result.current[0]?.straightNote).toBe(note));
});

it('a way that fails is told in the log only, and is none of the reads a screen waits for', async () => {
  directions = () => Promise.reject(new TypeError('Failed to fetch'));
  const { result, client } = drawn(2);
  await waitFor(() => expect(result.current[0]?.straightNote).toBe(offlineNote));
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^Directions: .*cannot be reached/));
  const [way] = client.getQueryCache().findAll({ queryKey: ['/api/directions'] });
  expect(way?.meta).toEqual(doneWithout);
});

it('a line of a search that goes on says so, and not that there is no engine', async () => {
  const { result } = drawn(2, useSearchedRoutes);
  await waitFor(() => expect(result.current[0]?.straightNote).toBe(searchingNote));
});

it('without an engine a line is straight and gives no other reason', async () => {
  source = 'estimate';
  const { result, client } = drawn(2);
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(result.current[0]?.straightNote).toBeUndefined();
});

it.each([
  ['no connection', () => Promise.reject(new TypeError('Failed to fetch')), true],
  ['an engine that does not answer', async () => new Response('', { status: 500 }), false],
])('with %s the way kept on the phone is drawn: %s', async (_, reply, isDrawn) => {
  directions = reply;
  const legs = [{ seconds: 60, metres: 900, geometry: [[-73.98, 40.75]] }];
  const { result } = drawn(2, (straight) =>
    useRoadRoutes(straight, async (key, through) =>
      key === 'way' && through === '40.75,-73.98;40.75,-73.98' ? { source: 'valhalla', warnings: [], legs } : null,
    ),
  );
  const wanted = isDrawn ? { followsRoads: true } : { followsRoads: false, straightNote: noAnswerNote };
  await waitFor(() => expect(result.current[0]).toMatchObject(wanted));
});
