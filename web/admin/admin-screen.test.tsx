// @vitest-environment happy-dom
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Administration } from '../../contract/admin.ts';
import type { Session } from '../../contract/auth.ts';
import type { AdminPerson } from '../../contract/people.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { smallScreen } from '../ui/use-media.ts';
import { AdminScreen } from './admin-screen.tsx';

const user = userEvent.setup();

const route = (designation: string, lowStock: number) => ({
  ...{ designation, name: `Route ${designation}`, locations: 3, activeLocations: 2, inventoryItems: 40, lowStock },
  ...{ workers: 1, lastActivity: null },
});
const overview: Administration = {
  ...{ totalLocations: 52, markets: 1, totalInventoryItems: 1430, lowStock: 7, activeRoutes: 2, systemUsers: 1 },
  routes: [route('101', 7), route('202', 0)],
  routeDesignations: ['101', '202', '303'],
};
const person: AdminPerson = {
  ...{ id: 5, email: 'dana@example.test', phoneNumber: null, firstName: 'Dana', lastName: 'Driver' },
  phoneConfirmed: false,
  ...{ role: 'field_worker', roleLabel: 'Field Operator', routeDesignation: '101', permissions: ['read'] },
  ...{ isActive: true, lastActive: null, createdAt: '2026-03-12T10:00:00.000Z', limitedApplications: 0, devices: 0 },
};

const meant = [
  { kind: 'route', id: 1, title: 'Route 101', detail: '2026-03-12' },
  { kind: 'product', id: 4, title: 'Danish', detail: 'Bakery' },
  { kind: 'person', id: 5, title: 'Dana Driver', detail: 'dana@example.test' },
];

const application = {
  ...{ applicationName: 'mobile_inventory', label: 'Mobile Inventory', allowedByRole: true },
  ...{ permissions: ['read', 'write'], access: [] },
};

type Sent = { method: string; path: string; search: string; body: Record<string, unknown> | undefined };
let sent: Sent[] = [];
let refusal: object | null = null;
let isDown = false;
let accesses: object[] = [];
let people: AdminPerson[] = [];
const page = (rows: object[]) => ({ rows, total: rows.length, from: 1, next: null, previous: null });

beforeEach(() => {
  sent = [];
  refusal = null;
  isDown = false;
  accesses = [];
  people = [person];
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const { pathname: path, search } = new URL(input, 'http://localhost');
    const body = init.body ? JSON.parse(String(init.body)) : undefined;
    const method = init.method ?? 'GET';
    sent.push({ method, path, search, body });
    if (isDown) return Response.json({ status: 500, detail: 'Something broke.' }, { status: 500 });
    if (refusal && method !== 'GET') return Response.json(refusal, { status: 409 });
    if (path === '/api/admin/overview') return Response.json(overview);
    if (path === '/api/search') return Response.json(meant);
    if (path === '/api/people/page' && search.includes('search=dnaa')) return Response.json({ ...page([]), active: 0 });
    if (path === '/api/people/page') return Response.json({ ...page(people), active: 1 });
    if (path === '/api/application-access' && method === 'GET')
      return Response.json([{ ...application, access: accesses }]);
    if (path === '/api/admin/inventory') return Response.json(page([]));
    if (path === '/api/admin/locations') {
      if (search.includes('sort=taste')) {
        const fields = { sort: 'must be one of name, type' };
        return Response.json({ status: 400, detail: 'sort must be one of name, type.', fields }, { status: 400 });
      }
      const place = { key: 2, type: 'market', id: 1, name: 'Alder Hall', routeDesignation: null, status: 'active' };
      const where = {
        address: '1 Main',
        city: 'Troy',
        state: 'NY',
        latitude: '40.71277600',
        longitude: '-74.00597400',
      };
      return Response.json(page([{ ...place, ...where, lastUpdated: '2026-03-12T10:00:00.000Z' }]));
    }
    return Response.json(person);
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function open(search = ''): QueryClient {
  window.history.replaceState(null, '', `/admin-dashboard${search}`);
  const session = {
    person: { id: 1, email: 'a@example.com', firstName: 'A', lastName: 'B', role: 'admin', routeDesignation: null },
    operator: { name: 'Test', timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi', isDemo: false },
  } as unknown as Session;
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <SessionContext value={session}>
        <AdminScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
  return client;
}

test('four counters, the people, and a low-stock badge only where something is low', async () => {
  open();
  const figures = await screen.findByRole('region', { name: 'Figures' });
  for (const words of ['Total Locations52', 'Total Inventory Items1,430', 'Active Routes2', 'System Users1']) {
    expect(figures.textContent).toContain(words);
  }
  expect(figures.textContent).toContain('1 market, 51 machines');
  const row = await screen.findByRole('row', { name: /Dana Driver/ });
  expect(row.textContent).toContain('Field Operator');
  expect(row.textContent).toContain('1 permission');
  expect(row.textContent).toContain('Never');
  expect(screen.getByText('7 low stock')).toBeDefined();
  expect(screen.queryByText('0 low stock')).toBeNull();
});

test('the search and both filters are asked of the server', async () => {
  open('?q=dana&route=101&role=field_worker');
  await screen.findByRole('row', { name: /Dana Driver/ });
  expect(sent.find(({ path }) => path === '/api/people/page')?.search).toBe(
    '?sort=name&search=dana&route=101&role=field_worker',
  );
  expect(sent.find(({ path }) => path === '/api/admin/overview')?.search).toBe('?route=101&role=field_worker');
  await user.selectOptions(screen.getByLabelText('Role'), 'All Roles');
  expect(window.location.search).toBe('?q=dana&route=101');
});

test('a search that finds nobody offers what may have been meant, and the way back to everything', async () => {
  open('?q=dnaa&role=admin');
  expect(await screen.findByText('Nobody matches')).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Danish Bakery' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Route 101 2026/ })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Dana Driver dana@example.test' }));
  expect(await screen.findByText('Dana Driver')).toBeTruthy();
  expect(window.location.search).toBe('?q=dana%40example.test');
  cleanup();
  open('?q=dnaa&role=admin');
  await user.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(window.location.search).toBe('');
});

test('a list that nothing narrows is not called a search without hits', async () => {
  open('?tab=inventory');
  expect(await screen.findByText('No inventory yet')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Import planograms' }).getAttribute('href')).toBe('/import?kind=planogram');
  cleanup();
  open('?tab=inventory&route=101');
  expect(await screen.findByText('No product matches')).toBeTruthy();
});

test('an address may open the invitation, and closing it leaves the list', async () => {
  open('?add=1');
  const form = await screen.findByRole('dialog', { name: 'Invite Person' });
  await expect.poll(() => document.activeElement).toBe(within(form).getByLabelText('First name'));
  await user.click(within(form).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(window.location.search).toBe('');
});

test('an address that is wider than its column takes a second line', async () => {
  open('?tab=locations');
  expect((await screen.findByText('1 Main')).className).toContain('line-clamp-2');
});

test('a location shows its coordinates to four decimals, on a small screen below its name, and N/A without a route', async () => {
  open('?tab=locations');
  const row = await screen.findByRole('row', { name: /Alder Hall/ });
  // In their column, below the address and below the name: whichever the screen has room for.
  expect(within(row).getAllByText('40.7128, -74.0060')).toHaveLength(3);
  expect(within(row).getByRole('link').parentElement?.textContent).toContain('40.7128, -74.0060');
  expect(within(row).getAllByText('N/A')).toHaveLength(1);
});

test('an order that is not known is let go with another try', async () => {
  open('?tab=locations&sort=taste&page=2');
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  await screen.findByRole('row', { name: /Alder Hall/ });
  expect(window.location.search).toBe('?tab=locations');
});

test('a person is invited with what was typed; a refusal stays at its field', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'Invite Person' }));
  await user.type(screen.getByLabelText('First name'), 'Rita');
  await user.type(screen.getByLabelText('Work email'), 'dana@example.test');
  const taken = 'A person with this e-mail address exists already.';
  refusal = { status: 409, detail: taken, fields: { email: taken } };
  await user.click(screen.getByRole('button', { name: 'Send Invitation' }));
  expect(await screen.findAllByText(taken)).toHaveLength(1);
  refusal = null;
  await user.click(screen.getByRole('button', { name: 'Send Invitation' }));
  expect(sent.findLast(({ method }) => method === 'POST')?.body).toEqual({
    ...{ email: 'dana@example.test', firstName: 'Rita', lastName: '', phoneNumber: null },
    ...{ role: 'field_worker', routeDesignation: null },
  });
});

test('somebody is deactivated only after a question that names them', async () => {
  open();
  await user.click(await screen.findByRole('button', { name: 'Deactivate: Dana Driver' }));
  const dialog = await screen.findByRole('dialog', { name: 'Deactivate Dana Driver?' });
  expect(sent.some(({ method }) => method === 'POST')).toBe(false);
  await user.click(within(dialog).getByRole('button', { name: 'Deactivate' }));
  expect(sent.findLast(({ method }) => method === 'POST')?.path).toBe('/api/people/5/deactivate');
});

test('on a phone, where the word has no room, a sign reactivates whom it names', async () => {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: query === smallScreen, addEventListener: () => {}, removeEventListener: () => {} }) as never,
  );
  people = [{ ...person, isActive: false }];
  open();
  const again = await screen.findByRole('button', { name: 'Reactivate Dana Driver' });
  expect(again.textContent).toBe('');
  await user.click(again);
  expect(sent.findLast(({ method }) => method === 'POST')?.path).toBe('/api/people/5/reactivate');
});

test('access offers a person no more than the role allows', async () => {
  open();
  const row = await screen.findByRole('row', { name: /Dana Driver/ });
  await user.click(within(row).getByRole('button', { name: 'Applications: Dana Driver' }));
  const dialog = await screen.findByRole('dialog', { name: 'Applications of Dana Driver' });
  expect(await within(dialog).findByText('read, write')).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Give access to Mobile Inventory' }));
  expect(within(dialog).getByRole('checkbox', { name: 'Read' })).toBeTruthy();
  expect(within(dialog).queryByRole('checkbox', { name: 'Delete' })).toBeNull();
});

test('access that was removed is given again as it was, from the message', async () => {
  const given = {
    ...{ userId: 5, applicationName: 'mobile_inventory', routeDesignation: '101', permissions: ['read'] },
    ...{ isActive: true, expiresAt: '2030-01-01T00:00:00.000Z' },
  };
  accesses = [{ id: 9, ...given }];
  open();
  await user.click(await screen.findByRole('button', { name: 'Applications: Dana Driver' }));
  await user.click(await screen.findByRole('button', { name: 'Remove access to Mobile Inventory' }));
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Access Removed'));
  expect(toastStore.get()[0]?.description).toBe('The role decides again');
  toastStore.get()[0]?.action?.run();
  await waitFor(() => expect(toastStore.get()[0]?.title).toBe('Access Given'));
  expect(sent.findLast(({ method }) => method === 'POST')).toMatchObject({
    path: '/api/application-access',
    body: given,
  });
});

test('an access that is being chosen stays open where reading the list again fails', async () => {
  const client = open();
  await user.click(await screen.findByRole('button', { name: 'Applications: Dana Driver' }));
  await user.click(await screen.findByRole('button', { name: 'Give access to Mobile Inventory' }));
  isDown = true;
  await client.invalidateQueries();
  await user.click(screen.getByRole('checkbox', { name: 'Read' }));
  expect(screen.getByRole('checkbox', { name: 'Read' })).toBeTruthy();
  expect(screen.queryByText('The applications did not load')).toBeNull();
});

test('where another access is left, the role does not decide again', async () => {
  const given = {
    ...{ userId: 5, applicationName: 'mobile_inventory', routeDesignation: null, permissions: ['read'] },
    ...{ isActive: true, expiresAt: null },
  };
  accesses = [
    { id: 9, ...given },
    { id: 10, ...given },
  ];
  open();
  await user.click(await screen.findByRole('button', { name: 'Applications: Dana Driver' }));
  const [first] = await screen.findAllByRole('button', { name: 'Remove access to Mobile Inventory' });
  if (first) await user.click(first);
  await waitFor(() => expect(toastStore.get()[0]?.description).toBe('What else was given still counts'));
});
