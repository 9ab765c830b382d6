// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import type { MachinePlanogram, Slot } from '../../contract/machines.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { Planogram } from './planogram.tsx';

const user = userEvent.setup();

const buildSlot = (id: number, slotNumber: string, productName: string): Slot => ({
  ...{ id, machineId: 4, productId: null, productName, productCode: null, slotNumber, currentQuantity: 6 },
  ...{ maxQuantity: 10, capacity: 10, parQuantity: null, minimumQuantity: 0, price: '1.50', cost: null },
  ...{ category: null, brand: null, expirationDate: null, planned: null, lastRestocked: null, version: 3 },
  updatedAt: '2026-01-05T10:00:00.000Z',
});

let planogram: MachinePlanogram;

/** The server: it keeps what it is told. */
beforeEach(() => {
  const slots = [buildSlot(1, 'A1', 'Chips'), buildSlot(2, 'A2', 'Cola'), buildSlot(3, 'B1', 'Gum')];
  planogram = { version: 5, model: null, slots, template: null };
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query === '(pointer: fine)',
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (!url.endsWith('/planogram')) return new Response('', { status: 404 });
    if (method !== 'GET') {
      const told = JSON.parse(String(body)).slots as Slot[];
      const slots = told
        .map((slot) => ({ ...buildSlot(slot.id, slot.slotNumber, slot.productName), planned: slot.planned ?? null }))
        .toSorted((a, b) => a.slotNumber.localeCompare(b.slotNumber));
      planogram = { ...planogram, version: planogram.version + 1, slots };
    }
    return Response.json(planogram);
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

async function openAt(slot: RegExp): Promise<void> {
  const session = {
    person: { id: 1, role: 'route_manager' },
    operator: { name: 'Op', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', isDemo: false },
  } as unknown as Session;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <Planogram machineId={4} />
      </SessionContext>
    </QueryClientProvider>,
  );
  (await screen.findByRole('button', { name: slot })).focus();
}

const focused = (): string | null | undefined =>
  document.activeElement?.id && document.activeElement instanceof HTMLInputElement
    ? document.activeElement.labels?.[0]?.textContent
    : document.activeElement?.textContent;

test('a slot that is moved to another tray with Alt and an arrow key keeps the focus', async () => {
  await openAt(/^A1 .*Chips/);
  await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await waitFor(() => expect(focused()).toMatch(/^B1.*Chips/));
  await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
  await waitFor(() => expect(focused()).toMatch(/^A1.*Chips/));
});

test('another product is planned and taken back without the focus being lost', async () => {
  await openAt(/^A1 .*Chips/);
  await user.keyboard('{Enter}');
  (await screen.findByRole('button', { name: 'Plan another product' })).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toMatch(/Product at the next service/));
  screen.getByRole('button', { name: 'Cancel' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('Plan another product'));
  await user.keyboard('{Enter}');
  await user.keyboard('Water{Enter}');
  await waitFor(() => expect(focused()).toBe('Take back'));
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('Plan another product'));
});

test('after a slot was moved from its panel reading goes on there', async () => {
  await openAt(/^A1 .*Chips/);
  await user.keyboard('{Enter}');
  await user.selectOptions(await screen.findByLabelText('Move to'), 'B2');
  screen.getByRole('button', { name: 'Move' }).focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(focused()).toBe('B2 Chips'));
});
