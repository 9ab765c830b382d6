import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import type { Session } from '../../../contract/auth.ts';
import type { DayPlan } from '../../../contract/day-plans.ts';
import { SessionContext } from '../../auth/session-context.ts';
import { createQueryClient } from '../../http/query-client.ts';
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

it('while the routes are being saved they are not saved again', async () => {
  const saves: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    if (!url.endsWith('/save')) return Promise.resolve(Response.json([]));
    saves.push(url);
    return new Promise(() => undefined);
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <PlanBoard plan={plan} onDiscarded={() => undefined} />
      </SessionContext>
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Save Routes' }));
  await vi.waitFor(() => expect(saves).toHaveLength(1));
  const buttons = ['Save Routes', 'Undo'].map((name) => screen.getByRole<HTMLButtonElement>('button', { name }));
  await vi.waitFor(() => expect(buttons.map((button) => button.disabled)).toEqual([true, true]));
});
