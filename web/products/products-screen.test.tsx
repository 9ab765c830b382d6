// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import type { Product } from '../../contract/products.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { ProductsScreen } from './products-screen.tsx';

const user = userEvent.setup();

const product = (id: number, name: string, fields: Partial<Product> = {}): Product => ({
  ...{ id, name, brand: null, category: null, unitPrice: null, unitCost: null, caseSize: null, barcodes: [] },
  updatedAt: '2026-03-12T10:00:00.000Z',
  ...fields,
});
const zero = product(1, 'Coke Zero', { unitPrice: '2.00', unitCost: '0.50', barcodes: ['036000291452'] });
const other = product(2, 'Coca Cola - Zero');

type Sent = { method: string; path: string; search: string; body: Record<string, unknown> | undefined };
let sent: Sent[] = [];
let refusal: string | null = null;
/** The next merge is done, but its answer gets lost. */
let loses = false;
let names: { id: number; name: string }[] = [];

beforeEach(() => {
  sent = [];
  refusal = null;
  loses = false;
  names = [];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const { pathname: path, search } = new URL(input, 'http://localhost');
    const method = init.method ?? 'GET';
    const body = init.body ? JSON.parse(String(init.body)) : undefined;
    sent.push({ method, path, search, body });
    if (refusal && method !== 'GET') return Response.json({ detail: refusal, status: 409 }, { status: 409 });
    if (path === '/api/products/page') {
      const rows = search.includes('nothing') ? [] : [zero, other];
      return Response.json({ rows, total: rows.length, from: rows.length ? 1 : 0, next: null, previous: null });
    }
    if (path.endsWith('/merge') && !body?.dryRun && names.length > 0) {
      return Response.json({ detail: 'Merged meanwhile.', code: 'conflict', status: 409 }, { status: 409 });
    }
    if (path.endsWith('/merge') && !body?.dryRun && loses) {
      names = [{ id: 2, name: other.name }];
      throw new TypeError('Failed to fetch');
    }
    if (path.endsWith('/merge')) {
      return Response.json({ kept: zero, merged: [{ id: 2, name: other.name, items: 1, slots: 3, barcodes: [] }] });
    }
    return Response.json({ ...zero, names });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(search = ''): void {
  window.history.replaceState(null, '', `/products${search}`);
  const session = {
    person: {
      id: 1,
      email: 'a@example.com',
      firstName: 'A',
      lastName: 'B',
      role: 'route_manager',
      routeDesignation: null,
    },
    operator: { name: 'Test', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', isDemo: false },
  } as unknown as Session;
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <ProductsScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
}

const posted = () => sent.filter(({ method }) => method === 'POST');

test('products show price, cost and margin, and what is not set says so', async () => {
  open();
  const table = await screen.findByRole('table', { name: 'Products' });
  await screen.findByText('Coke Zero');
  const [, first, second] = within(table).getAllByRole('row');
  expect(first?.textContent).toContain('$2.00$0.5075%');
  expect(second?.textContent).toContain('Not set');
});

test('a search goes to the server and the address; nothing found offers everything again', async () => {
  open();
  await screen.findByText('Coke Zero');
  await user.type(screen.getByLabelText('Search products'), 'nothing');
  expect(await screen.findByText('No product matches')).toBeTruthy();
  expect(window.location.search).toContain('q=nothing');
  await user.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('Coke Zero')).toBeTruthy();
});

test('two names become one product: the preview says what moves, the one that says most is kept', async () => {
  open();
  await user.click(await screen.findByLabelText('Choose Coke Zero'));
  expect((screen.getByRole('button', { name: 'Merge' }) as HTMLButtonElement).disabled).toBe(true);
  await user.click(screen.getByLabelText('Choose Coca Cola - Zero'));
  await user.click(screen.getByRole('button', { name: 'Merge' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText('3 slots, 1 market item, 0 barcodes')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Merge' }));
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Products Merged'));
  expect(posted().map(({ path, body }) => [path, body])).toEqual([
    ['/api/products/1/merge', { merged: [2], dryRun: true }],
    ['/api/products/1/merge', { merged: [2] }],
  ]);
  toastStore.get()[0]?.action?.run();
  await waitFor(() => expect(posted().at(-1)?.path).toBe('/api/products/2/unmerge'));
});

test('a merge whose answer got lost is done when it is tried again', async () => {
  loses = true;
  open();
  await user.click(await screen.findByLabelText('Choose Coke Zero'));
  await user.click(screen.getByLabelText('Choose Coca Cola - Zero'));
  await user.click(screen.getByRole('button', { name: 'Merge' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('3 slots, 1 market item, 0 barcodes');
  await user.click(dialog.getByRole('button', { name: 'Merge' }));
  expect((await dialog.findByRole('alert')).textContent).toContain('try again');
  await user.click(dialog.getByRole('button', { name: 'Merge' }));
  await waitFor(() =>
    expect(toastStore.get()[0]).toMatchObject({
      title: 'Products Merged',
      description: 'Coca Cola - Zero is Coke Zero now',
    }),
  );
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a new product is checked as it is typed, and a refusal keeps what was typed', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'Add Product' }));
  const dialog = await screen.findByRole('dialog');
  expect(document.activeElement).toBe(within(dialog).getByLabelText('Product name'));
  await user.type(within(dialog).getByLabelText('Barcodes, one a line'), '036000291453');
  await user.click(within(dialog).getByRole('button', { name: 'Add Product' }));
  expect(await within(dialog).findByText('Product name is required')).toBeTruthy();
  expect(within(dialog).getByText('The check digit of barcode 036000291453 is wrong')).toBeTruthy();
  expect(posted()).toEqual([]);
  await user.clear(within(dialog).getByLabelText('Barcodes, one a line'));
  await user.type(within(dialog).getByLabelText('Barcodes, one a line'), '036000291452');
  await user.type(within(dialog).getByLabelText('Product name'), 'Tea');
  refusal = 'This barcode belongs to another product.';
  await user.click(within(dialog).getByRole('button', { name: 'Add Product' }));
  expect(await within(dialog).findByText(refusal)).toBeTruthy();
  expect((within(dialog).getByLabelText('Product name') as HTMLInputElement).value).toBe('Tea');
});
