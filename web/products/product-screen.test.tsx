// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Route } from 'wouter';
import type { ProductCard, ProductPlace } from '../../contract/products.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { ProductScreen } from './product-screen.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const card: ProductCard = {
  ...{ id: 4, name: 'Cola', brand: null, category: null, unitPrice: '2.00', unitCost: '0.80', caseSize: 24 },
  ...{
    shelfLifeDays: null,
    picture: null,
    barcodes: [],
    names: [],
    quantity: 9,
    updatedAt: '2026-03-12T10:00:00.000Z',
  },
  places: 2,
  sold: { days: 30, units: 1, unitsBefore: 0, amount: '2.25', margin: '1.45', foreignUnits: 0 },
};
const places: Record<string, ProductPlace[]> = {
  first: [
    {
      key: 15,
      type: 'vending_machine',
      id: 7,
      name: 'Lobby',
      slotNumber: 'A1',
      quantity: 3,
      capacity: 10,
      price: '2.25',
    },
  ],
  second: [
    { key: 4, type: 'market', id: 2, name: 'North Hall', slotNumber: null, quantity: 6, capacity: null, price: '2.00' },
  ],
};

test('a product that is not there leads back to the catalogue, not to another try', async () => {
  const problem = { type: 'about:blank#not-found', title: 'Not Found', status: 404, detail: 'There is none.' };
  vi.stubGlobal('fetch', async () =>
    Response.json(problem, { status: 404, headers: { 'content-type': 'application/problem+json' } }),
  );
  window.history.replaceState(null, '', '/products/4');
  render(
    <SessionContext value={buildSession(1)}>
      <QueryClientProvider client={createQueryClient()}>
        <Route path="/products/:id" component={ProductScreen} />
      </QueryClientProvider>
    </SessionContext>,
  );
  expect((await screen.findByRole('link', { name: 'Back to Products' })).getAttribute('href')).toBe('/products');
  expect(screen.getByText('There is none.')).toBeTruthy();
  expect(screen.getByRole('heading', { level: 1, name: 'Product' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('a picture is removed only after a question that names its product', async () => {
  const removed: string[] = [];
  vi.stubGlobal('fetch', async (input: string, { method = 'GET' }: RequestInit = {}) => {
    if (method === 'DELETE') removed.push(input);
    const isPlaces = input.includes('/places');
    const page = { rows: [], total: 0, from: 1, next: null, previous: null };
    if (isPlaces) return Response.json(page);
    return Response.json(input.startsWith('/api/products/4') ? { ...card, picture: 'abc' } : []);
  });
  window.history.replaceState(null, '', '/products/4');
  const session = buildSession(1);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={{ ...session, person: { ...session.person, role: 'route_manager' } }}>
        <Route path="/products/:id" component={ProductScreen} />
      </SessionContext>
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Remove' }));
  expect(await screen.findByRole('dialog', { name: 'Remove the picture of Cola?' })).toBeTruthy();
  expect(removed).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Remove picture' }));
  await waitFor(() => expect(removed).toEqual(['/api/products/4/picture']));
});

test('the places of a product can be taken away as a file', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    saved.push(file as Blob);
    return 'blob:places';
  });
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (input: string) => {
    const url = new URL(input, 'http://localhost');
    if (!url.pathname.endsWith('/places')) return Response.json(card);
    asked.push(url.searchParams.get('sort') ?? '');
    const page = url.searchParams.get('page') ?? 'first';
    const next = page === 'first' ? 'second' : null;
    return Response.json({ rows: places[page], total: 2, from: next ? 1 : 2, next, previous: null });
  });
  window.history.replaceState(null, '', '/products/4');
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={buildSession(1)}>
        <Route path="/products/:id" component={ProductScreen} />
      </SessionContext>
    </QueryClientProvider>,
  );
  const user = userEvent.setup();
  expect(await screen.findByText('In 2 slots and market items')).toBeTruthy();
  expect(screen.getByText('1 unit')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Next page' }));
  expect(await screen.findByText('North Hall')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Units' }));
  await waitFor(() => expect(asked.at(-1)).toBe('-quantity'));
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('button', { name: 'CSV' }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect((await saved[0]?.text())?.replace('\ufeff', '').trim().split('\r\n')).toEqual([
    'Location,Kind,Slot,Units,Capacity,Price',
    'Lobby,Vending machine,A1,3,10,2.25',
    'North Hall,Market,,6,,2.00',
  ]);
});
