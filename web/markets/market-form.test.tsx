// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import type { Market } from '../../contract/markets.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { demoPosition } from './demo-position.ts';
import { MarketForm } from './market-form.tsx';

const user = userEvent.setup();
const bodies: unknown[] = [];
let reply: () => Response;

beforeEach(() => {
  bodies.length = 0;
  reply = () => Response.json({ id: 1, name: 'North Hall' }, { status: 201 });
  vi.stubGlobal('fetch', async (_url: string, { method = 'GET', body }: RequestInit = {}) => {
    if (method === 'GET') return Response.json([]);
    bodies.push(JSON.parse(String(body)));
    return reply();
  });
});
afterEach(() => {
  cleanup();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

type Opened = { isDemo?: boolean; findsAddresses?: boolean; market?: Market | null };

function open({ isDemo = false, findsAddresses = false, market = null }: Opened = {}): { closed: () => boolean } {
  const session: Session = {
    person: {
      id: 1,
      email: 'a@example.com',
      firstName: 'A',
      lastName: 'B',
      role: 'admin',
      roleLabel: 'Super Admin',
      routeDesignation: null,
    },
    operator: { name: 'Op', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', today: '2026-01-05', isDemo },
    map: { styleUrl: null, findsAddresses },
    expiresAt: '2030-01-01T00:00:00.000Z',
  };
  const onClose = vi.fn();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext value={session}>
        <MarketForm market={market} onClose={onClose} />
      </SessionContext>
    </QueryClientProvider>,
  );
  return { closed: () => onClose.mock.calls.length > 0 };
}

async function fill(fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await user.type(await screen.findByLabelText(label), text);
}

const complete = { Name: 'North Hall', Address: '1 Main Street', Latitude: '40.1', Longitude: '-74.2' };
const submit = async () => user.click(await screen.findByRole('button', { name: 'Add Market' }));

test('name, address and numeric coordinates are required, with a message each, and nothing is sent', async () => {
  open();
  await fill({ Latitude: 'abc', Longitude: 'abc' });
  await submit();
  const messages = ['Name is required', 'Address is required'];
  messages.push('Latitude must be a valid number', 'Longitude must be a valid number');
  for (const message of messages) expect(await screen.findByText(message)).toBeTruthy();
  expect(bodies).toEqual([]);
});

test('whom to call and what to remember are sent with the market', async () => {
  open();
  await fill({ ...complete, 'Contact phone': '215 555 0100', Notes: 'Badge from Ann' });
  await submit();
  await waitFor(() =>
    expect(bodies).toEqual([expect.objectContaining({ contactPhone: '215 555 0100', notes: 'Badge from Ann' })]),
  );
});

test.each(['Latitude', 'Longitude'])('a position as maps copy it, pasted as %s, fills in both', async (label) => {
  open();
  await user.click(await screen.findByLabelText(label));
  await user.paste('40.123456, -75.25');
  expect(screen.getByLabelText('Latitude')).toHaveProperty('value', '40.123456');
  expect(screen.getByLabelText('Longitude')).toHaveProperty('value', '-75.25');
});

test('a single number is pasted where it is pasted', async () => {
  open();
  await user.click(await screen.findByLabelText('Longitude'));
  await user.paste('-75.25');
  expect(screen.getByLabelText('Latitude')).toHaveProperty('value', '');
  expect(screen.getByLabelText('Longitude')).toHaveProperty('value', '-75.25');
});

test('a complete form is sent with the status active, says so and closes', async () => {
  const form = open();
  await fill({ ...complete, 'Route designation': '11' });
  await submit();
  await waitFor(() => expect(form.closed()).toBe(true));
  expect(bodies).toMatchObject([{ name: 'North Hall', latitude: '40.1', status: 'active', routeDesignation: '11' }]);
  expect(toastStore.get()[0]?.title).toBe('Market Created');
});

test('a market with a status from elsewhere is saved with it, until another is chosen', async () => {
  const at = '2026-03-02T10:00:00.000Z';
  const market: Market = {
    ...{ id: 1, name: 'North Hall', address: '1 Main Street', city: null, state: null, status: 'closed for summer' },
    ...{ latitude: '40.1', longitude: '-74.2', routeDesignation: null, accessHours: null, version: 1 },
    ...{ integrationId: null, integrationSource: null, updatedAt: at, lastUpdated: at, accessNotes: null },
  };
  const form = open({ market });
  await user.type(await screen.findByLabelText('City'), 'Trenton');
  await user.click(screen.getByRole('button', { name: 'Save Market' }));
  await waitFor(() => expect(form.closed()).toBe(true));
  expect(bodies).toMatchObject([{ city: 'Trenton', status: 'closed for summer' }]);
});

test('a refusal says so, shows the sentence at its field and keeps what was typed', async () => {
  reply = () => Response.json({ detail: 'Name is taken', fields: { name: 'Name is taken' } }, { status: 400 });
  const form = open();
  await fill(complete);
  await submit();
  expect(await screen.findAllByText('Name is taken')).toHaveLength(1);
  expect(toastStore.get()[0]).toMatchObject({
    title: 'Creation Failed',
    description: 'Failed to create market. Please try again.',
    variant: 'destructive',
  });
  await waitFor(() => expect(screen.getByLabelText('Address')).toHaveProperty('value', '1 Main Street'));
  expect(form.closed()).toBe(false);
});

test('made-up coordinates are offered in the demo only', async () => {
  open();
  expect(screen.queryByRole('button', { name: 'Random coordinates' })).toBeNull();
  cleanup();
  open({ isDemo: true });
  expect(await screen.findByRole('button', { name: 'Random coordinates' })).toBeTruthy();
});

test('made-up coordinates lie within a twentieth of a degree and have six decimals', () => {
  expect(demoPosition(() => 0)).toEqual({ lat: '40.660000', lng: '-74.060000' });
  expect(demoPosition(() => 0.5)).toEqual({ lat: '40.710000', lng: '-74.010000' });
});

test('a refused position is explained', async () => {
  const getCurrentPosition = (_found: unknown, refused: (error: { code: number }) => void) => refused({ code: 1 });
  vi.stubGlobal('navigator', { ...navigator, geolocation: { getCurrentPosition } });
  open();
  await user.click(await screen.findByRole('button', { name: 'Use my position' }));
  expect(screen.getByRole('alert').textContent).toContain('does not share your position');
});

test("'Find from address' is there with an address search only, and takes the likeliest place", async () => {
  open();
  await screen.findByRole('button', { name: 'Use my position' });
  expect(screen.queryByRole('button', { name: 'Find from address' })).toBeNull();
  cleanup();
  open({ findsAddresses: true });
  const places = [
    { name: '1 Main Street, Springfield', latitude: '40.100000', longitude: '-75.250000' },
    { name: '1 Main Street, Shelbyville', latitude: '41.000000', longitude: '-76.000000' },
  ];
  vi.stubGlobal('fetch', async (url: string) => Response.json(url.includes('/api/geocoding') ? { places } : []));
  await fill({ Address: '1 Main Street' });
  await user.click(screen.getByRole('button', { name: 'Find from address' }));
  await waitFor(() => expect(screen.getByLabelText('Latitude')).toHaveProperty('value', '40.100000'));
  await user.click(screen.getByRole('button', { name: '1 Main Street, Shelbyville' }));
  expect(screen.getByLabelText('Longitude')).toHaveProperty('value', '-76.000000');
});
