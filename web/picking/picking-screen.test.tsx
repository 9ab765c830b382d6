// @vitest-environment happy-dom
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PickLine, PickSheet } from '../../contract/picking.ts';
import type { Role } from '../../domain/permissions.ts';
import type { PickInput } from '../../domain/picking.ts';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import { PickingScreen } from './picking-screen.tsx';

const user = userEvent.setup();

const line = (lineId: number, productName: string, planned: number): PickLine => ({
  ...{ lineId, itemType: 'machine_slot', itemId: lineId, productId: lineId, productName, slotNumber: `A${lineId}` },
  ...{ picture: null, handling: 'dry', caseSize: 12, planned, picked: null, reason: null, instead: null },
});
let sheet: PickSheet;
let isDown = false;
let sent: { path: string; body: { picks?: PickInput[]; state?: string } }[];

beforeEach(() => {
  sent = [];
  isDown = false;
  sheet = {
    route: {
      ...{ routeId: 7, name: 'Route 7', date: '2026-03-12', routeDesignation: '7', driverName: 'Ann Lee' },
      ...{
        vehicleName: 'Van 7',
        capacityTotes: 1,
        plannedStartAt: null,
        stops: 1,
        stopsAdded: 0,
        status: 'planned',
        state: 'picking',
      },
      ...{ lines: 2, linesDone: 0, unitsShort: 0 },
    },
    ...{ madeAt: '2026-03-12T03:00:00.000Z', finishedAt: null, finishedBy: null, checkedAt: null, checkedBy: null },
    mayCheck: false,
    stops: [
      {
        ...{
          stopId: 1,
          stopOrder: 3,
          type: 'vending_machine',
          locationId: 9,
          name: 'Lobby',
          knownAt: null,
          isNew: false,
        },
        totes: [{ from: 1, to: 2, kind: 'dry', units: 50, lines: [line(1, 'Chips', 31), line(2, 'Nuts', 19)] }],
      },
    ],
    cameBack: [],
  };
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const { pathname: path } = new URL(input, 'http://localhost');
    if (path === '/api/picking') return Response.json({ date: sheet.route.date, routes: [sheet.route] });
    if (path === '/api/products') return isDown ? new Response('', { status: 500 }) : Response.json([]);
    if (init.method && init.method !== 'GET') {
      const body = JSON.parse(String(init.body ?? '{}'));
      sent.push({ path, body });
      for (const pick of (body.picks ?? []) as PickInput[]) {
        const found = sheet.stops[0]?.totes[0]?.lines.find(({ lineId }) => lineId === pick.lineId);
        if (found) Object.assign(found, { picked: pick.picked, reason: pick.reason ?? null });
      }
    }
    return Response.json(structuredClone(sheet));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function open(search: string, role: Role = 'field_worker'): QueryClient {
  const session = buildSession(1);
  window.history.replaceState(null, '', `/picking${search}`);
  const client = createQueryClient();
  render(
    <QueryClientProvider client={client}>
      <SessionContext value={{ ...session, person: { ...session.person, role } }}>
        <PickingScreen />
      </SessionContext>
    </QueryClientProvider>,
  );
  return client;
}

test('a list that nobody began says so, unless its route has left', async () => {
  Object.assign(sheet.route, { state: 'open' });
  open('');
  expect(await screen.findByText('Not begun')).toBeDefined();
  cleanup();
  Object.assign(sheet.route, { status: 'completed' });
  open('');
  expect(await screen.findByText('Driven without a list')).toBeDefined();
});

test('a route leaves at its time until it has left; then the time is what was planned', async () => {
  Object.assign(sheet.route, { plannedStartAt: '2026-03-12T10:00:00.000Z' });
  open('');
  expect(await screen.findByText(/^1 stop, leaves \d+:00 [AP]M, Ann Lee/)).toBeDefined();
  cleanup();
  Object.assign(sheet.route, { status: 'in_progress' });
  open('');
  expect(await screen.findByText(/^1 stop, planned \d+:00 [AP]M, Ann Lee/)).toBeDefined();
});

test('a tap takes all of a line in cases and singles, and a second tap takes it back', async () => {
  open('?route=7');
  const chips = await screen.findByRole('button', { name: '31 Chips, A1' });
  expect(chips.textContent).toMatch(/^2 cases \+ 712 a case/);
  await user.click(chips);
  expect(await screen.findByText('1 of 2 lines')).toBeDefined();
  await user.click(screen.getByRole('button', { name: '31 Chips, A1' }));
  expect(sent.map(({ body }) => body.picks)).toEqual([[{ lineId: 1, picked: 31 }], [{ lineId: 1, picked: null }]]);
});

test('a pick that did not reach the server is not on the screen, also where the list cannot be read again', async () => {
  open('?route=7');
  const chips = await screen.findByRole('button', { name: '31 Chips, A1' });
  const answer = globalThis.fetch;
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  await user.click(chips);
  await vi.waitFor(() => expect(chips.getAttribute('aria-pressed')).toBe('false'));
  const told = () => toastStore.get()[0];
  expect(told()).toMatchObject({ title: 'Not saved', open: true });
  vi.stubGlobal('fetch', answer);
  await user.click(await screen.findByRole('button', { name: '19 Nuts, A2' }));
  expect(await screen.findByText('1 of 2 lines')).toBeDefined();
  // What was said of the chips is true as long as they are not saved.
  expect(told()).toMatchObject({ title: 'Not saved', open: true });
  await user.click(chips);
  expect(await screen.findByText('2 of 2 lines')).toBeDefined();
  await vi.waitFor(() => expect(told()).toMatchObject({ title: 'Not saved', open: false }));
});

test('what somebody else picks meanwhile is on the screen, also where its reading was overtaken by an own pick', async () => {
  const client = open('?route=7');
  const chips = await screen.findByRole('button', { name: '31 Chips, A1' });
  const answer = globalThis.fetch;
  const nuts = sheet.stops[0]?.totes[0]?.lines[1];
  let isFirst = true;
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    if (init.method === undefined || init.method === 'GET') {
      // The reading that was asked for because of the other's pick: it is still on its way when the own one is answered.
      if (isFirst) await new Promise(() => {});
      return answer(input, init);
    }
    const reply = await answer(input, init);
    if (nuts) nuts.picked = 19;
    return reply;
  });
  void client.invalidateQueries();
  await vi.waitFor(() => expect(client.isFetching()).toBe(1));
  isFirst = false;
  await user.click(chips);
  expect(await screen.findByText('2 of 2 lines')).toBeDefined();
});

test('a stop that came onto the route after it was picked is told of, in the list of the day and in its own', async () => {
  Object.assign(sheet.route, { state: 'picked', stopsAdded: 1 });
  sheet.finishedAt = '2026-03-12T04:00:00.000Z';
  const [stop] = sheet.stops;
  if (stop) Object.assign(stop, { isNew: true, totes: [] });
  open('');
  expect(await screen.findByText('1 stop added since')).toBeDefined();
  cleanup();
  open('?route=7');
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /^1 stop was added .* Open the list again to pick for it\.$/,
  );
  expect(screen.getByText('Not on this list yet.')).toBeDefined();
  cleanup();
  sheet.route.status = 'completed';
  open('?route=7');
  expect(await screen.findByText('Not on this list yet.')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
  cleanup();
  open('');
  expect(await screen.findByText('Picked')).toBeDefined();
  expect(screen.queryByText(/added since/)).toBeNull();
});

test('on paper every page names its route and day', async () => {
  open('?route=7');
  const day = await screen.findByText(', Mar 12, 2026');
  expect(day.className).toContain('print:inline');
  const head = day.closest('header');
  expect(head?.textContent).toContain('Pick Route 7, Mar 12, 2026');
  // Only the head group of a table is repeated, and only one that is never broken.
  expect(head?.className).toContain('print:table-header-group print:break-inside-avoid');
  expect(head?.parentElement?.className).toMatch(/print:table( |$)/);
});

test('each tote says its stop for a sheet of paper that begins with it', async () => {
  open('?route=7');
  const tote = await screen.findByRole('region', { name: 'Tote 1-2 of Lobby' });
  expect(within(tote).getByText('Stop 3: Lobby').className).toContain('print:inline');
});

test('by product a place is never torn apart, and paper has a box to tick', async () => {
  open('?route=7&by=product');
  const chips = (await screen.findByText('Chips')).closest('li');
  expect(chips?.textContent).toContain('stop\u00a03\u00a0A1:\u00a031');
  expect(chips?.querySelector('.print\\:block')).not.toBeNull();
});

test('a second tap is kept although the answer to the first comes after it', async () => {
  const client = open('?route=7');
  const chips = await screen.findByRole('button', { name: '31 Chips, A1' });
  const answer = globalThis.fetch;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  vi.stubGlobal('fetch', async (input: string, init: RequestInit = {}) => {
    const reply = await answer(input, init);
    if (String(init.body).includes('"lineId":1')) await held;
    return reply;
  });
  await user.click(chips);
  await user.click(screen.getByRole('button', { name: '19 Nuts, A2' }));
  release();
  await vi.waitFor(() => expect(client.isMutating() + client.isFetching()).toBe(0));
  for (const name of ['31 Chips, A1', '19 Nuts, A2'])
    expect(screen.getByRole('button', { name, pressed: true })).toBeDefined();
  expect(sent).toHaveLength(2);
});

test('what is short has a number and a reason; the rest of the tote is packed at once', async () => {
  open('?route=7');
  await user.click(await screen.findByRole('button', { name: 'Short of Nuts, A2' }));
  const dialog = screen.getByRole('dialog');
  await user.clear(within(dialog).getByLabelText('Units picked'));
  await user.type(within(dialog).getByLabelText('Units picked'), '4');
  await user.selectOptions(within(dialog).getByLabelText('Why'), 'Damaged');
  await user.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('4 of 19, damaged')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Finish picking' })).toHaveProperty('disabled', true);
  await user.click(screen.getByRole('button', { name: 'All of tote 1-2' }));
  expect(sent.at(-1)?.body.picks).toEqual([{ lineId: 1, picked: 31 }]);
  expect(await screen.findByText('Packed')).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Finish picking' }));
  expect(sent.at(-1)).toEqual({ path: '/api/picking/7/state', body: { state: 'picked' } });
});

test('whoever picked is told that a second person checks, and only that person can say that it is right', async () => {
  sheet.route.state = 'picked';
  sheet.finishedAt = '2026-03-12T04:00:00.000Z';
  open('?route=7');
  expect(await screen.findByText('A second person checks a sample.')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'A sample is right' })).toBeNull();
  cleanup();
  sheet.mayCheck = true;
  open('?route=7');
  expect(await screen.findByRole('button', { name: 'A sample is right' })).toBeDefined();
  expect(screen.queryByText('A second person checks a sample.')).toBeNull();
});

test('more than was asked for is told, at its stop and by product', async () => {
  open('?route=7');
  await user.click(await screen.findByRole('button', { name: 'Short of Nuts, A2' }));
  const units = within(screen.getByRole('dialog')).getByLabelText('Units picked');
  await user.clear(units);
  await user.type(units, '24');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent.at(-1)?.body.picks).toEqual([expect.objectContaining({ lineId: 2, picked: 24, reason: null })]);
  expect(await screen.findByText('24 picked, 19 asked for')).toBeDefined();
  await user.click(screen.getByText('By product'));
  expect(await screen.findByText('5 units more')).toBeDefined();
});

test('a search for another product that had no answer does not say that there is none', async () => {
  isDown = true;
  open('?route=7');
  await user.click(await screen.findByRole('button', { name: 'Short of Nuts, A2' }));
  await user.type(screen.getByRole('combobox', { name: /^Another product/ }), 'Oats');
  expect(await screen.findByText('The products did not load. Type again to retry.')).toBeDefined();
  expect(screen.queryByText('No product has this name')).toBeNull();
});

test('a list larger than the truck says so, and old data are told', async () => {
  open('?route=7');
  expect((await screen.findByRole('alert')).textContent).toMatch(/holds 1 tote; this list needs 2/);
  expect(screen.getByText('No data yet')).toBeDefined();
});

test.each([
  [2.9, 'text-ok-text', '2 hours ago'],
  [3.1, 'text-warn-text', '3 hours ago'],
  [7.9, 'text-warn-text', '7 hours ago'],
  [8.1, 'text-bad-text', '8 hours ago'],
])('data of %s hours ago look %s', async (hours, look, words) => {
  const [stop] = sheet.stops;
  if (stop) stop.knownAt = new Date(Date.now() - hours * 3_600_000).toISOString();
  open('?route=7');
  expect((await screen.findByText(`Data from ${words}`)).parentElement?.className).toContain(look);
});

test('what came back is told by product and reason', async () => {
  sheet.cameBack = [
    { productName: 'Chips', reason: 'removed', units: 3 },
    { productName: 'Nuts', reason: 'expired', units: 1 },
    { productName: 'Bars', reason: 'unused', units: 2 },
  ];
  open('?route=7');
  const list = await screen.findByRole('list', { name: 'Came back' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['3 unitsChipsTaken out, still good', '1 unitNutsExpired', '2 unitsBarsNot needed']);
});

test('a day without routes says so and leads to the next one that has some', async () => {
  vi.stubGlobal('fetch', async (input: string) => {
    if (input.startsWith('/api/routes'))
      return Response.json({ rows: [{ date: '2026-03-13' }], total: 2, from: 1, next: null, previous: null });
    const isNext = input.includes('2026-03-13');
    return Response.json({ date: '2026-03-12', routes: isNext ? [sheet.route] : [] });
  });
  open('?date=2026-03-12');
  expect(await screen.findByText(/^No routes on/)).toBeDefined();
  await user.click(await screen.findByRole('button', { name: 'Show Mar 13, 2026' }));
  expect(await screen.findByText(sheet.route.name)).toBeDefined();
});

test.each([
  ['route_manager', '/route-planning'],
  ['field_worker', undefined],
] as const)('a day without routes lets a %s plan one: %s', async (role, href) => {
  vi.stubGlobal('fetch', async (input: string) =>
    Response.json(
      input.startsWith('/api/routes')
        ? { rows: [], total: 0, from: 1, next: null, previous: null }
        : { date: '2026-03-12', routes: [] },
    ),
  );
  open('?date=2026-03-12', role);
  expect(await screen.findByText(/^No routes on/)).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Plan a route' })?.getAttribute('href')).toBe(href);
});

test('by product, two products of one name are two lines', async () => {
  const [stop] = sheet.stops;
  const lines = [line(1, 'Berries', 4), { ...line(2, 'Berries', 6), handling: 'cold' as const }];
  if (stop) stop.totes = [{ from: 1, to: 1, kind: 'dry', units: 10, lines }];
  open('?route=7&by=product');
  expect(await screen.findByRole('button', { name: 'All 4 units of Berries' })).toBeDefined();
  expect(screen.getByRole('button', { name: 'All 6 units of Berries' })).toBeDefined();
});

test('by product, what is short is not called picked, and the button says how many are left', async () => {
  const [stop] = sheet.stops;
  const lines = [
    { ...line(1, 'Berries', 4), productId: 5, picked: 1, reason: 'damaged' as const },
    { ...line(2, 'Berries', 6), productId: 5 },
    { ...line(3, 'Nuts', 2), picked: 0, reason: 'out_of_stock' as const },
  ];
  if (stop) stop.totes = [{ from: 1, to: 1, kind: 'dry', units: 12, lines }];
  open('?route=7&by=product');
  expect(await screen.findByText('3 units short')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Other 6 units of Berries' })).toBeDefined();
  expect(screen.getByText('2 units short')).toBeDefined();
  expect(screen.queryByText('Picked')).toBeNull();
});

test('a list says of which day it is, and on paper when its data are from', async () => {
  const [stop] = sheet.stops;
  if (stop) stop.knownAt = '2026-03-12T10:00:00.000Z';
  open('?route=7');
  const facts = await screen.findByText(/^1 stop, .* Fixed Mar 1[12], 2026, /);
  expect(facts.textContent).toMatch(/^Mar 12, 2026, 1 stop, /);
  expect(screen.getByText(/^Data from Mar 1[12], 2026, \d+:00 [AP]M$/)).toBeDefined();
});
