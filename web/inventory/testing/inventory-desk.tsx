// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import type { Session } from '../../../contract/auth.ts';
import type { InventoryRow } from '../../../contract/inventory.ts';
import type { Role } from '../../../domain/permissions.ts';
import { SessionContext } from '../../auth/session-context.ts';
import { createQueryClient } from '../../http/query-client.ts';
import { KnownScreens } from '../../ui/address/known-screens.ts';
import { InventoryScreen } from '../inventory-screen.tsx';

export const buildRow = (fields: Partial<InventoryRow> = {}): InventoryRow => ({
  id: 1,
  marketId: 7,
  marketName: 'North Hall',
  productId: 1,
  productName: 'Cola',
  currentQuantity: 9,
  minimumQuantity: 10,
  parQuantity: null,
  price: '2.00',
  cost: '1.00',
  lastRestocked: '2026-01-02T14:05:00.000Z',
  updatedAt: '2026-01-02T14:05:00.000Z',
  version: 3,
  ...fields,
});

type Sent = { method: string; path: string; query: URLSearchParams; body: unknown; version: string | null };
const summary = {
  totalItems: 4,
  lowStockItems: 1,
  totalValue: '123.50',
  itemsAtPrice: 2,
  itemsWithoutValue: 1,
  marketsCovered: 1,
  totalMarkets: 2,
};
export const onePage = (list: unknown[]) => ({ rows: list, total: list.length, from: 1, next: null, previous: null });

function reply(call: Sent): Response {
  const given = desk.answer(call);
  if (given) return given;
  if (call.path === '/api/inventory/page') return Response.json(onePage(desk.rows));
  if (call.path === '/api/inventory/summary') return Response.json(summary);
  if (call.path === '/api/markets/with-inventory/page')
    return Response.json(onePage([{ id: 7, name: 'North Hall', address: '1 Main Street' }]));
  if (call.path === '/api/products') return Response.json([{ id: 1, name: 'Cola', brand: 'Brand', category: null }]);
  if (call.path === '/api/integrations')
    return Response.json([
      { system: 'lightspeed', configurations: 0, state: 'not-connected', problem: null, waitsUntil: null },
      { system: 'cantaloupe', configurations: 1, state: 'failing', problem: 'The key was refused. Enter a new one.' },
      { system: 'moma', configurations: 0, state: 'not-connected', problem: null },
    ]);
  return Response.json(buildRow());
}

export function open(role: Role = 'admin', known: { path: string; needs: 'office:write' }[] = []): void {
  const person = { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role, roleLabel: '' };
  const session: Session = {
    person: { ...person, routeDesignation: null },
    operator: {
      name: 'Op',
      timeZone: 'UTC',
      currency: 'USD',
      distanceUnit: 'mi',
      today: '2026-01-05',
      isDemo: false,
    },
    map: { styleUrl: null },
    expiresAt: '2030-01-01T00:00:00.000Z',
  };
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <KnownScreens value={known}>
          <InventoryScreen />
        </KnownScreens>
      </SessionContext>
    </QueryClientProvider>,
  );
}

export const rowOf = async (name: string): Promise<HTMLElement> => {
  const cell = await screen.findByText(name);
  const row = cell.closest('tr');
  if (!row) throw new Error(`${name} is in no row`);
  return row;
};
export const writes = () => desk.sent.filter(({ method }) => method !== 'GET');
export const asked = () =>
  desk.sent.filter(({ path }) => path === '/api/inventory/page').map(({ query }) => String(query));
export const problem = (status: number, detail: string, fields = {}) =>
  Response.json({ status, detail, code: 'conflict', fields }, { status });

/** What the server is asked and what it answers, as a test writes it. */
export const desk: { sent: Sent[]; rows: InventoryRow[]; answer: (call: Sent) => Response | undefined } = {
  sent: [],
  rows: [],
  answer: () => undefined,
};

/** The screen before a server of which each test writes the answers. */
export function atInventoryDesk(): void {
  beforeEach(() => {
    desk.sent = [];
    desk.rows = [9, 10, 14, 15].map((currentQuantity, n) =>
      buildRow({ id: n + 1, productName: `Product ${n + 1}`, currentQuantity }),
    );
    desk.answer = () => undefined;
    window.history.replaceState(null, '', '/inventory');
    vi.stubGlobal('fetch', async (url: string, { method = 'GET', body, headers }: RequestInit = {}) => {
      const { pathname, searchParams } = new URL(url, 'http://here');
      const version = new Headers(headers).get('if-match');
      const call = {
        method,
        path: pathname,
        query: searchParams,
        body: body ? JSON.parse(String(body)) : null,
        version,
      };
      desk.sent.push(call);
      return reply(call);
    });
  });
  afterEach(() => {
    cleanup();
    sessionStorage.clear();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
}
