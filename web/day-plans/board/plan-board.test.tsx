import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import type { Session } from '../../../contract/auth.ts';
import type { DayPlan } from '../../../contract/day-plans.ts';
import { SessionContext } from '../../auth/session-context.ts';
import { createQueryClient } from '../../http/query-client.ts';
import { toast, toastStore } from '../../ui/toasts/toast.ts';
import { PlanBoard } from './plan-board.tsx';

const plan = {
  ...{ id: 'p', date: '2026-11-28', status: 'ready', message: null, version: 1, progress: [], elapsedMs: 1 },
  ...{ timeLimitMs: 1, routes: [], unassigned: [], distanceSource: 'estimate', warnings: [], mayUndo: true },
  ...{ totals: { distanceKm: 1, drivingMin: 1, serviceMin: 1, stops: 1 }, routeIds: [] },
} as DayPlan;
const session = { operator: { distanceUnit: 'km', timeZone: 'UTC' }, map: { styleUrl: null } } as unknown as Session;

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const stop = {
  ...{ type: 'market', id: 1, name: 'Lobby', address: 'Arch Street', locked: false, totes: 0, incidents: [] },
  ...{ arrivalAt: '2026-11-28T12:00:00Z', serviceMin: 5, serviceVisits: 0, delayMin: 0, waitMin: 0, lateMin: 0 },
  ...{ latitude: '40', longitude: '-75', noWay: false, accessHours: null },
};
const route = {
  ...{ driverName: 'Ann', vehicleName: null, stops: [stop], totes: 0, capacityTotes: null, overShiftMin: 0 },
  ...{ shiftStartAt: '2026-11-28T11:00:00Z', shiftEndAt: '2026-11-28T20:00:00Z', endAt: '2026-11-28T13:00:00Z' },
  ...{
    drivingMin: 1,
    serviceMin: 5,
    waitMin: 0,
    delayMin: 0,
    totalDistance: 1,
    depot: { latitude: '40', longitude: '-75' },
  },
};
const withStops = { ...plan, routes: [route, { ...route, driverName: 'Ben', stops: [] }] } as unknown as DayPlan;

function draw(shown: DayPlan): void {
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <PlanBoard plan={shown} onDiscarded={() => undefined} />
      </SessionContext>
    </QueryClientProvider>,
  );
}

/** Draws the board; what is asked is not answered. Tells what was to be changed. */
function openBoard(shown: DayPlan): string[] {
  const calls: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    if (url.endsWith('/incidents')) return Promise.resolve(Response.json([]));
    if (url.endsWith('/save') || url.endsWith('/arrangement')) calls.push(url);
    return new Promise(() => undefined);
  });
  draw(shown);
  return calls;
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
const startSaving = async (calls: readonly string[]): Promise<void> => {
  await userEvent.setup().click(button('Save Routes'));
  await vi.waitFor(() => expect(calls).toHaveLength(1));
};

it('before the search has placed a stop none is called left out', () => {
  const waiting = [{ ...stop, reason: 'Not given to a driver.' }];
  const searched = { ...withStops, status: 'solving', unassigned: waiting } as unknown as DayPlan;
  openBoard({ ...searched, totals: { ...plan.totals, stops: 0 } });
  expect(screen.getByRole('region', { name: 'Not placed yet' })).toBeTruthy();
  expect([screen.queryByText('Left out'), screen.queryByText('Not given to a driver.')]).toEqual([null, null]);
  cleanup();
  openBoard(searched);
  expect(screen.getByRole('region', { name: 'Left out' })).toBeTruthy();
  expect(screen.getByText('Not given to a driver.')).toBeTruthy();
});

it('while the routes are being saved they are not saved again', async () => {
  await startSaving(openBoard(plan));
  const held = ['Saving...', 'Undo', 'Discard'];
  await vi.waitFor(() => expect(held.map((name) => button(name).disabled)).toEqual([true, true, true]));
});

it('two presses in one breath save once', async () => {
  const calls = openBoard(plan);
  fireEvent.click(button('Save Routes'));
  fireEvent.click(button('Save Routes'));
  await screen.findByRole('button', { name: 'Saving...' });
  expect(calls).toHaveLength(1);
});

it('while the routes are being saved no stop is moved, and one already under the hand is said to stay', async () => {
  const calls = openBoard(withStops);
  const row = button('Move Lobby').closest('[draggable]') as HTMLElement;
  expect(row.getAttribute('draggable')).toBe('true');
  const dataTransfer = { setData: () => undefined };
  fireEvent.dragStart(row, { dataTransfer });
  await startSaving(calls);
  await vi.waitFor(() =>
    expect([row.getAttribute('draggable'), button('Move Lobby').disabled]).toEqual(['false', true]),
  );
  fireEvent.drop(screen.getByRole('region', { name: 'Ben' }), { dataTransfer });
  await vi.waitFor(() => expect(toastStore.get()[0]?.title).toBe('Stop Not Moved'));
  expect(calls).toHaveLength(1);
});

it('a long name of a stop goes on below instead of being cut', () => {
  openBoard(withStops);
  expect(screen.getByText('Lobby').className).toContain('line-clamp-2');
});

it('after Undo no toast offers any more to take back what was taken back', async () => {
  vi.stubGlobal('fetch', (url: string) => Promise.resolve(Response.json(url.endsWith('/undo') ? plan : [])));
  draw(plan);
  toast({ title: 'Moved to Ann', action: { label: 'Undo', run: () => undefined } });
  await userEvent.setup().click(button('Undo'));
  await vi.waitFor(() => expect(toastStore.get().filter(({ action }) => action)).toEqual([]));
});
