import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createQueryClient } from '../../http/query-client.ts';
import { usePlanState } from './use-plan-state.ts';

const client = createQueryClient();
const wrapper = ({ children }: { children: ReactNode }) => (
  <QueryClientProvider client={client}>{children}</QueryClientProvider>
);
let status = '';

beforeEach(() => {
  client.clear();
  vi.stubGlobal('fetch', async (url: string) => {
    if (url !== '/api/routes/7') return Response.json([]);
    return Response.json({ id: 7, date: '2026-11-21', status, stops: [] });
  });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const stateOf = (savedRouteId: number | null, optimized: boolean) =>
  renderHook(() => usePlanState({ savedRouteId, optimized }), { wrapper }).result;

it('what is not saved is being planned, or optimized', () => {
  expect(stateOf(null, false).current).toBe('Planning');
  expect(stateOf(null, true).current).toBe('Optimized');
});

it.each([
  ['planned', 'Scheduled'],
  ['in_progress', 'In progress'],
  ['completed', 'Completed'],
])('a plan saved for another day than it was made for is as its route is: %s', async (is, word) => {
  status = is;
  const state = stateOf(7, true);
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(state.current).toBe(word);
});
