import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Session } from '../../contract/auth.ts';
import type { Incident } from '../../contract/incidents.ts';
import type { ListedPlace } from '../../contract/locations.ts';
import type { DistanceUnit } from '../../domain/unit-schemas.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { dismissToast, toastStore } from '../ui/toasts/toast.ts';
import { ToastHost } from '../ui/toasts/toast-host.tsx';
import { IncidentsPanel } from './incidents-panel.tsx';
import { RestBanner } from './rest-banner.tsx';

let unit: DistanceUnit = 'km';
const sessionOf = (role: 'route_manager' | 'field_worker'): Session => ({
  person: { id: 1, email: '', firstName: 'A', lastName: 'B', role, roleLabel: '', routeDesignation: null },
  operator: {
    name: 'Operator',
    timeZone: 'UTC',
    currency: 'USD',
    distanceUnit: unit,
    today: '2026-11-21',
    isDemo: false,
  },
  map: { styleUrl: null },
  expiresAt: '2026-11-22T00:00:00Z',
});

const jam: Incident = {
  id: 5,
  title: 'Bridge works',
  description: null,
  latitude: '40.70',
  longitude: '-74.00',
  severity: 'high',
  type: 'construction',
  status: 'active',
  radius: 0.5,
  estimatedDuration: 90,
  roadClosed: false,
  reportedAt: '2026-11-21T08:00:00Z',
  resolvedAt: null,
  source: 'manual',
  counts: true,
};

const offer = {
  routeId: 9,
  routeName: 'Route 101',
  routeDesignation: '101',
  gainMin: 7,
  trafficMin: 7,
  incidents: [{ id: 5, title: 'Bridge works' }],
  order: [3, 1, 2],
  given: [1, 2, 3],
};

const lobby: ListedPlace = {
  type: 'vending_machine',
  id: 31,
  name: 'Snack at Elm',
  place: 'Lobby',
  address: '1 Elm Street',
  latitude: '40.71000000',
  longitude: '-74.01000000',
  status: 'active',
  routeDesignation: '101',
  lowCount: 0,
  accessHours: null,
  missingUnits: 0,
};
const onMap = { total: 1, bounds: null, places: [lobby], groups: [] };
const found = { rows: [lobby], total: 1, low: 0, from: 1, next: null, previous: null };

type Sent = { method: string; path: string; body: unknown };
let sent: Sent[] = [];
/** What the server answers by method and path; a function decides at the time, null never answers. */
let replies: Record<string, unknown> = {};

beforeEach(() => {
  sent = [];
  unit = 'km';
  replies = {
    'GET /api/traffic-incidents': [jam],
    'GET /api/routes/rest-offers': [offer],
    'GET /api/locations/map': onMap,
    'GET /api/locations/page': found,
  };
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const { pathname } = new URL(url, 'http://test');
    const key = `${init.method ?? 'GET'} ${pathname}`;
    sent.push({
      method: init.method ?? 'GET',
      path: pathname,
      body: typeof init.body === 'string' ? JSON.parse(init.body) : null,
    });
    const known = replies[key] ?? [];
    const reply = typeof known === 'function' ? known() : known;
    if (reply === 'never') return new Promise(() => {});
    if (reply === 'broken') {
      const problem = { type: 'x', code: 'internal', status: 500, title: 'x', detail: 'The roads are not known now.' };
      return new Response(JSON.stringify(problem), { status: 500 });
    }
    return new Response(JSON.stringify(reply), { status: 200 });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  for (const { id } of toastStore.get()) dismissToast(id);
});

function show(what: 'panel' | 'banner', role: 'route_manager' | 'field_worker' = 'route_manager') {
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  return render(
    <QueryClientProvider client={client}>
      <SessionContext value={sessionOf(role)}>
        {what === 'panel' ? <IncidentsPanel /> : <RestBanner />}
        <ToastHost />
      </SessionContext>
    </QueryClientProvider>,
  );
}

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }));
const sentTo = (path: string) => sent.filter((one) => one.path === path && one.method !== 'GET');

it('the panel says how bad, what, how wide and until when', async () => {
  show('panel');
  const row = (await screen.findByText('Bridge works')).closest('li');
  expect(row?.textContent).toContain('High');
  expect(row?.textContent).toMatch(/Road works, high, 0\.5 km around/);
});

it('one without a duration says that it counts on that day only', async () => {
  replies['GET /api/traffic-incidents'] = [{ ...jam, estimatedDuration: null }];
  show('panel');
  expect(await screen.findByText(/that day only/)).toBeTruthy();
});

it('without incidents it says so, for active and resolved ones', async () => {
  replies['GET /api/traffic-incidents'] = [];
  show('panel');
  expect(await screen.findByText('No active incidents')).toBeTruthy();
  fireEvent.click(screen.getByText('Resolved'));
  expect(await screen.findByText('None resolved in the past 30 days')).toBeTruthy();
});

it('while the list is read nothing is claimed about the roads', () => {
  replies['GET /api/traffic-incidents'] = 'never';
  show('panel');
  expect(screen.queryByText('No active incidents')).toBeNull();
});

it('a list that could not be read says why and is read again on request', async () => {
  replies['GET /api/traffic-incidents'] = 'broken';
  show('panel');
  expect(await screen.findByText(/The roads are not known now/)).toBeTruthy();
  replies['GET /api/traffic-incidents'] = [jam];
  await press(/again/i);
  expect(await screen.findByText('Bridge works')).toBeTruthy();
});

it('a driver reads the list and changes nothing', async () => {
  show('panel', 'field_worker');
  await screen.findByText('Bridge works');
  expect(screen.queryByRole('button', { name: /Report|Import|Resolve |Edit / })).toBeNull();
});

it('an incident is resolved with one press and taken back with another', async () => {
  replies['POST /api/traffic-incidents/5/resolve'] = { ...jam, status: 'resolved', resolvedAt: jam.reportedAt };
  replies['POST /api/traffic-incidents/5/reopen'] = jam;
  show('panel');
  await press('Resolve Bridge works');
  await press('Undo');
  await waitFor(() => expect(sentTo('/api/traffic-incidents/5/reopen')).toHaveLength(1));
  expect(sentTo('/api/traffic-incidents/5/resolve')).toHaveLength(1);
  expect(await screen.findByText('Active again')).toBeTruthy();
});

it('a resolve that fails says why', async () => {
  replies['POST /api/traffic-incidents/5/resolve'] = 'broken';
  show('panel');
  await press('Resolve Bridge works');
  expect(await screen.findByText('The incident was not resolved')).toBeTruthy();
});

it('a form that is not complete names each field and sends nothing', async () => {
  show('panel');
  await press('Report');
  const dialog = await screen.findByRole('dialog');
  fireEvent.change(within(dialog).getByLabelText(/Radius/), { target: { value: '0' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Report' }));
  for (const sentence of [/^Title is required/, /^Latitude/, /^Longitude/, /^Radius must be more than 0/]) {
    expect(await within(dialog).findByText(sentence, { selector: ':not(label):not(label *)' })).toBeTruthy();
  }
  expect(sentTo('/api/traffic-incidents')).toEqual([]);
});

it('a complete form is sent in kilometres, minutes and instants, and closes', async () => {
  replies['POST /api/traffic-incidents'] = jam;
  show('panel');
  await press('Report');
  const dialog = await screen.findByRole('dialog');
  const type = (label: RegExp, value: string) =>
    fireEvent.change(within(dialog).getByLabelText(label), { target: { value } });
  type(/^Title/, 'Bridge works');
  type(/^Latitude/, '40.70');
  type(/^Longitude/, '-74.00');
  type(/^Radius/, '0,8');
  type(/^Expected to last/, '90');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Report' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sentTo('/api/traffic-incidents')[0]?.body).toMatchObject({
    title: 'Bridge works',
    latitude: '40.70',
    longitude: '-74.00',
    radius: 0.8,
    estimatedDuration: 90,
    reportedAt: null,
  });
});

it('the radius begins with half of the unit that is read, and one that nobody touched stays to the metre', async () => {
  unit = 'mi';
  replies['PATCH /api/traffic-incidents/5'] = jam;
  show('panel');
  await press('Report');
  const report = within(await screen.findByRole('dialog'));
  expect(report.getByLabelText<HTMLInputElement>('Radius, mi').value).toBe('0.5');
  fireEvent.click(report.getByRole('button', { name: 'Cancel' }));
  await press('Edit Bridge works');
  const edit = within(await screen.findByRole('dialog'));
  expect(edit.getByLabelText<HTMLInputElement>('Radius, mi').value).toBe('0.31');
  fireEvent.change(edit.getByLabelText(/^Title/), { target: { value: 'Bridge closed' } });
  fireEvent.click(edit.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(sentTo('/api/traffic-incidents/5')).toHaveLength(1));
  expect(sentTo('/api/traffic-incidents/5')[0]?.body).toMatchObject({ title: 'Bridge closed', radius: 0.5 });
});

it('a place that is searched for gives its position', async () => {
  show('panel');
  await press('Report');
  const dialog = await screen.findByRole('dialog');
  const field = within(dialog).getByRole('combobox', { name: 'At or near' });
  fireEvent.change(field, { target: { value: 'elm' } });
  fireEvent.click(await within(dialog).findByRole('option', { name: /Snack at Elm/ }));
  expect(within(dialog).getByLabelText<HTMLInputElement>(/^Latitude/).value).toBe('40.710000');
  expect(within(dialog).getByLabelText<HTMLInputElement>(/^Longitude/).value).toBe('-74.010000');
  expect(within(dialog).getByRole<HTMLInputElement>('combobox', { name: 'At or near' }).value).toContain(
    'Snack at Elm',
  );
  fireEvent.change(within(dialog).getByLabelText(/^Latitude/), { target: { value: '40.8' } });
  expect(within(dialog).getByRole<HTMLInputElement>('combobox', { name: 'At or near' }).value).toBe('');
});

it('a closure lets nobody pass: the box says so and cannot be cleared', async () => {
  show('panel');
  await press('Report');
  const dialog = await screen.findByRole('dialog');
  const box = within(dialog).getByRole<HTMLInputElement>('checkbox', { name: /Nobody can pass/ });
  expect([box.checked, box.disabled]).toEqual([false, false]);
  fireEvent.change(within(dialog).getByLabelText('Type'), { target: { value: 'closure' } });
  expect([box.checked, box.disabled]).toEqual([true, true]);
});

it('the banner says what slows which route and what another order saves, puts it so and back', async () => {
  let isApplied = false;
  replies['GET /api/routes/rest-offers'] = () => (isApplied ? [] : [offer]);
  replies['PUT /api/routes/9/rest-order'] = () => {
    isApplied = true;
    return { routeId: 9, previous: offer.given, savedMin: 7 };
  };
  show('banner');
  const banner = await screen.findByRole('region', { name: 'Faster orders' });
  expect(banner.textContent).toContain('slowed by Bridge works');
  expect(banner.textContent).toContain('saves 7 minutes');
  await press('Re-optimise the rest of Route 101');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Faster orders' })).toBeNull());
  await press('Undo');
  expect(await screen.findByText('Order put back')).toBeTruthy();
  expect(sentTo('/api/routes/9/rest-order').map(({ body }) => body)).toEqual([
    { stopIds: [3, 1, 2] },
    { stopIds: [1, 2, 3] },
  ]);
});

it('an offer that was declined is gone; a refused one says why', async () => {
  replies['PUT /api/routes/9/rest-order'] = 'broken';
  show('banner');
  await press('Re-optimise the rest of Route 101');
  expect(await screen.findByText('The order was not changed')).toBeTruthy();
  await press('Keep the order of Route 101');
  expect(screen.queryByRole('region', { name: 'Faster orders' })).toBeNull();
});

it.each([
  [{ trafficMin: 7 }, 'slowed by Bridge works. Another order of the rest saves 7 minutes of driving.'],
  [
    { trafficMin: 3 },
    'slowed by Bridge works. Another order of the rest saves 7 minutes of driving: 3 minutes for the incidents, the rest on clear roads too.',
  ],
  [{ trafficMin: 0 }, 'another order of the rest saves 7 minutes of driving, with or without incidents.'],
  [{ trafficMin: 0, incidents: [] }, 'traffic changed. Another order of the rest saves 7 minutes of driving.'],
])('the banner blames no incident for what the order costs (%o)', async (part, sentence) => {
  replies['GET /api/routes/rest-offers'] = [{ ...offer, ...part }];
  show('banner');
  expect(
    await screen.findByText((_, node) => node?.tagName === 'P' && node.textContent === `Route 101: ${sentence}`),
  ).toBeTruthy();
});

it('nothing to gain, nothing read, or no answer: no banner', async () => {
  replies['GET /api/routes/rest-offers'] = 'broken';
  show('banner');
  await waitFor(() => expect(sent.some(({ path }) => path === '/api/routes/rest-offers')).toBe(true));
  expect(screen.queryByRole('region', { name: 'Faster orders' })).toBeNull();
});
