// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '../ui/testing.ts';
import type { InventoryRow } from '../../contract/inventory.ts';
import type { Role } from '../../domain/permissions.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { InventoryTable } from './inventory-table.tsx';
import { usePicked } from './many/use-picked.ts';

const user = userEvent.setup();

const item: InventoryRow = {
  ...{ id: 5, marketId: 7, marketName: 'North Hall', productId: 1, productName: 'Cola', currentQuantity: 9 },
  ...{ minimumQuantity: 10, parQuantity: null, price: '2.00', cost: '1.00', lastRestocked: null },
  ...{ updatedAt: '2026-01-02T14:05:00.000Z', version: 3 },
};
const other: InventoryRow = { ...item, id: 6, productName: 'Tea', currentQuantity: 3 };
let sent: { path: string; body: unknown; version: string | null }[];
let refusal: string | null;

beforeEach(() => {
  sent = [];
  refusal = null;
  vi.stubGlobal('fetch', async (path: string, { body, headers }: RequestInit = {}) => {
    const asked = JSON.parse(String(body));
    sent.push({ path, body: asked, version: new Headers(headers).get('if-match') });
    if (refusal) return Response.json({ status: 400, detail: refusal, code: 'invalid-input' }, { status: 400 });
    return Response.json({ ...item, ...asked });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Returns the way to tell that the row is another by now. */
function open(role: Role): (now: InventoryRow) => void {
  const person = { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role, roleLabel: '' };
  const operator = { name: 'Op', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', today: '2026-01-05' } as const;
  const session = {
    ...{ person: { ...person, routeDesignation: null }, operator: { ...operator, isDemo: false } },
    ...{ map: { styleUrl: null }, expiresAt: '2030-01-01T00:00:00.000Z' },
  };
  const client = createQueryClient();
  const screenOf = (row: InventoryRow) => (
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <Table row={row} />
      </SessionContext>
    </QueryClientProvider>
  );
  const { rerender } = render(screenOf(item));
  return (now) => rerender(screenOf(now));
}

const nothing = (): void => undefined;

function Table({ row }: { row: InventoryRow }) {
  const page = { rows: [row, other], total: 2, from: 1, next: null, previous: null };
  const wishes = { sort: 'cover', onSort: nothing, onPage: nothing, onOpen: nothing };
  return <InventoryTable {...wishes} page={page} waiting={false} picking={usePicked(page.rows)} empty={null} />;
}

const number = () => screen.getByRole('button', { name: 'Count Cola at North Hall, 9 in stock' });
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Units of Cola at North Hall' });

test('a number is counted in its place, told, and taken back', async () => {
  open('route_manager');
  await user.click(number());
  expect([document.activeElement, field().value]).toEqual([field(), '9']);
  await user.keyboard('1200{Enter}');
  await waitFor(() => expect(document.activeElement).toBe(number()));
  // No version: what was sold since it was read is no reason to refuse a count.
  expect(sent).toEqual([{ path: '/api/inventory/5', body: { currentQuantity: 1200 }, version: null }]);
  const toast = toastStore.get()[0];
  expect(toast).toMatchObject({ title: 'Item Updated', description: 'Cola: 1,200' });
  toast?.action?.run();
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ currentQuantity: 9 }));
});

test('arrows count up and down, Escape and the same number send nothing', async () => {
  open('route_manager');
  await user.click(number());
  await user.keyboard('{ArrowUp}{ArrowUp}{ArrowDown}');
  expect(field().value).toBe('10');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(number()));
  await user.click(number());
  await user.click(screen.getByRole('button', { name: 'Save the count of Cola at North Hall' }));
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(sent).toEqual([]);
});

test('what was sold while a number is typed is what the count is compared with, and what Undo goes back to', async () => {
  const tell = open('route_manager');
  await user.click(number());
  await user.keyboard('9');
  tell({ ...item, currentQuantity: 4 });
  expect(screen.getByText('was 4')).toBeTruthy();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ currentQuantity: 9 }]));
  await waitFor(() => expect(toastStore.get()[0]).toMatchObject({ description: 'Cola: 9' }));
  toastStore.get()[0]?.action?.run();
  await waitFor(() => expect(sent.at(-1)?.body).toEqual({ currentQuantity: 4 }));
});

test('what is no whole number is not sent, and a refused count keeps what was typed', async () => {
  open('route_manager');
  await user.click(number());
  await user.keyboard('1.5{Enter}');
  expect([field().value, field().getAttribute('aria-invalid')]).toEqual(['1.5', 'true']);
  expect(sent).toEqual([]);
  refusal = 'Current quantity can be at most 1,000,000';
  await user.clear(field());
  await user.keyboard('2000000{Enter}');
  await waitFor(() => expect(toastStore.get()).toMatchObject([{ title: 'Update Failed', description: refusal }]));
  expect(field().value).toBe('2000000');
});

test('what was typed is saved when the number of another row is pressed', async () => {
  open('route_manager');
  await user.click(number());
  await user.keyboard('12');
  await user.click(screen.getByRole('button', { name: 'Count Tea at North Hall, 3 in stock' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Units of Tea at North Hall' }));
  await waitFor(() => expect(toastStore.get()[0]).toMatchObject({ title: 'Item Updated', description: 'Cola: 12' }));
  expect(sent.map(({ path, body }) => [path, body])).toEqual([['/api/inventory/5', { currentQuantity: 12 }]]);
  expect(screen.getByRole('textbox', { name: 'Units of Tea at North Hall' })).toBeDefined();
});

test('a count that is refused after another row was pressed waits at its own, and opens there again', async () => {
  open('route_manager');
  await user.click(number());
  refusal = 'Current quantity can be at most 1,000,000';
  await user.keyboard('2000000');
  await user.click(screen.getByRole('button', { name: 'Count Tea at North Hall, 3 in stock' }));
  const kept = await screen.findByRole('button', {
    name: 'Count Cola at North Hall, 9 in stock, 2,000,000 not saved',
  });
  expect(screen.getByRole('textbox', { name: 'Units of Tea at North Hall' })).toBe(document.activeElement);
  await user.click(kept);
  expect(field().value).toBe('2000000');
  refusal = null;
  sent = [];
  await user.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('textbox')).toBeNull());
  expect(sent.map(({ body }) => body)).toEqual([{ currentQuantity: 2000000 }]);
  expect(screen.queryByText(/not saved/)).toBeNull();
});

test('a refused count that is left as it is waits no more', async () => {
  open('route_manager');
  await user.click(number());
  refusal = 'Current quantity can be at most 1,000,000';
  await user.keyboard('2000000{Enter}');
  await waitFor(() => expect(toastStore.get()).toMatchObject([{ title: 'Update Failed' }]));
  expect(field().value).toBe('2000000');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(number()));
});

test('what is no number has to be put right before another row is counted', async () => {
  open('route_manager');
  await user.click(number());
  await user.keyboard('1.5');
  await user.click(screen.getByRole('button', { name: 'Count Tea at North Hall, 3 in stock' }));
  expect([document.activeElement, field().value]).toEqual([field(), '1.5']);
  expect(sent).toEqual([]);
});

test('who may not edit sees the number alone', () => {
  open('field_worker');
  expect(screen.queryByRole('button', { name: /^Count/ })).toBeNull();
  expect(screen.getByText('9')).toBeTruthy();
});
