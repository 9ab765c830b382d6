import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { DayPlan } from '../../../contract/day-plans.ts';
import { createQueryClient } from '../../http/query-client.ts';
import { toastStore } from '../../ui/toasts/toast.ts';
import { useMoves } from './use-moves.ts';

const stop = { type: 'market', id: 1, name: 'Lobby', locked: false, lateMin: 0 };
const route = { driverName: 'Ann', stops: [stop], totes: 0, capacityTotes: null, overShiftMin: 0, delayMin: 0 };
const totals = { distanceKm: 1, drivingMin: 1, serviceMin: 1, stops: 1 };
const plan = {
  id: 'p',
  version: 1,
  routes: [route, { ...route, stops: [] }],
  unassigned: [],
  totals,
} as unknown as DayPlan;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it('Undo says that it failed also when its plan is no longer on the screen', async () => {
  const refusal = { code: 'conflict', detail: 'The plan is still being improved. Stop the search first.' };
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('/undo') ? Response.json(refusal, { status: 409 }) : Response.json(plan),
  );
  const client = createQueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result, unmount } = renderHook(() => useMoves(plan), { wrapper });
  act(() => result.current.moveTo({ type: 'market', id: 1 }, { route: 1, index: 0 }));
  await waitFor(() => expect(toastStore.get()[0]?.action?.label).toBe('Undo'));
  unmount();
  toastStore.get()[0]?.action?.run();
  await waitFor(() => expect(toastStore.get()[0]?.description).toBe(refusal.detail));
});
