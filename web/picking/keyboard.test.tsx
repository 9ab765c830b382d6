// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import type { PickLine, PickSheet } from '../../contract/picking.ts';
import type { PickInput } from '../../domain/picking.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { PickingScreen } from './picking-screen.tsx';

const user = userEvent.setup();

const line = (lineId: number, productName: string): PickLine => ({
  ...{ lineId, itemType: 'machine_slot', itemId: lineId, productId: lineId, productName, picture: null },
  ...{ slotNumber: `A${lineId}`, handling: 'dry', caseSize: null, planned: 20, picked: null, reason: null },
  instead: null,
});

let sheet: PickSheet;
/** Picks that have arrived, and what lets them be answered. */
let arrived: number;
let answer: () => void;
let isAnswered: Promise<void>;

beforeEach(() => {
  arrived = 0;
  isAnswered = new Promise((resolve) => {
    answer = resolve;
  });
  sheet = {
    route: {
      ...{ routeId: 7, name: 'Route 7', date: '2026-03-12', routeDesignation: '7', driverName: 'Ann Lee' },
      ...{ vehicleName: null, capacityTotes: null, plannedStartAt: null, stops: 1, stopsAdded: 0 },
      ...{ status: 'planned', state: 'picking', lines: 2, linesDone: 0, unitsShort: 0 },
    },
    ...{ madeAt: '2026-03-12T03:00:00.000Z', finishedAt: null, finishedBy: null, checkedAt: null, checkedBy: null },
    ...{ mayCheck: false, cameBack: [] },
    stops: [
      {
        ...{ stopId: 1, stopOrder: 1, type: 'vending_machine', locationId: 9, name: 'Lobby', knownAt: null },
        isNew: false,
        totes: [
          { from: 1, to: 1, kind: 'dry', units: 20, lines: [line(1, 'Chips')] },
          { from: 2, to: 2, kind: 'dry', units: 20, lines: [line(2, 'Nuts')] },
        ],
      },
    ],
  };
  vi.stubGlobal('fetch', async (input: string, { method = 'GET', body }: RequestInit = {}) => {
    const { pathname } = new URL(input, 'http://localhost');
    if (pathname === '/api/products') return Response.json([]);
    if (pathname.endsWith('/prepare')) {
      sheet = { ...sheet, stops: sheet.stops.map((stop) => ({ ...stop, isNew: false })) };
    } else if (pathname.endsWith('/state')) {
      const finished = { finishedAt: '2026-03-12T04:00:00.000Z', finishedBy: 'Ann Lee' };
      sheet = { ...sheet, ...finished, route: { ...sheet.route, state: 'picked' } };
    } else if (method !== 'GET') {
      arrived += 1;
      await isAnswered;
      for (const pick of JSON.parse(String(body)).picks as PickInput[]) {
        const lines = sheet.stops.flatMap(({ totes }) => totes.flatMap((tote) => tote.lines));
        Object.assign(lines.find(({ lineId }) => lineId === pick.lineId) ?? {}, { picked: pick.picked });
      }
    }
    return Response.json(structuredClone(sheet));
  });
});
afterEach(() => {
  answer();
  cleanup();
  vi.unstubAllGlobals();
});

function open(search: string): void {
  const session = {
    person: { id: 1, role: 'field_worker' },
    operator: { name: 'Op', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', isDemo: false },
  } as unknown as Session;
  window.history.replaceState(null, '', `/picking${search}`);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <PickingScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
}

const focused = (): string | null | undefined =>
  document.activeElement === document.body
    ? 'nothing'
    : (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent);

test('by keyboard one tote is packed after the other, and a further press takes nothing back', async () => {
  open('?route=7');
  answer();
  (await screen.findByRole('button', { name: 'All of tote 1' })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('All of tote 2'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('Lobby'));
  const finish = await screen.findByRole<HTMLButtonElement>('button', { name: 'Finish picking' });
  await waitFor(() => expect(finish.disabled).toBe(false));
  finish.focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toMatch(/^Pick Route 7/));
});

test('by product the next one is ticked while the first is still on its way', async () => {
  open('?route=7&by=product');
  await user.click(await screen.findByRole('button', { name: 'All 20 units of Chips' }));
  const next = await screen.findByRole<HTMLButtonElement>('button', { name: 'All 20 units of Nuts' });
  expect([next.disabled, focused()]).toEqual([false, 'All 20 units of Nuts']);
  await user.click(next);
  answer();
  await waitFor(() => expect([arrived, screen.getAllByText('Picked').length]).toEqual([2, 2]));
});

test('what is short is typed at once: the number of units has the focus', async () => {
  open('?route=7');
  await user.click(await screen.findByRole('button', { name: 'Short of Chips, A1' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Units picked'));
});

test.each(['Add to the list', 'Not now'])(
  'by keyboard stops that came since are answered with %s',
  async (answered) => {
    sheet = { ...sheet, stops: sheet.stops.map((stop) => ({ ...stop, isNew: true })) };
    open('?route=7');
    (await screen.findByRole('button', { name: answered })).focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(screen.queryByRole('button', { name: answered })).toBeNull());
    await waitFor(() => expect(focused()).toMatch(/^Pick Route 7/));
  },
);
