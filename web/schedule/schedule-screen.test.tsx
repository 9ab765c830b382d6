// @vitest-environment happy-dom
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { openVisit } from '../offline/actions.ts';
import { toastStore } from '../ui/toasts/toast.ts';
import {
  buildRoute,
  buildStop,
  place1,
  rowOf,
  started,
  startPhone,
  stopPhones,
  tap,
  typeRestock,
} from './testing/schedule-phone.tsx';

afterEach(stopPhones);

test('a day without signal: started, arrived, completed, skipped; all of it is shown at once and sent in that order', async () => {
  const phone = await startPhone([buildRoute()]);
  phone.goOffline();
  await tap('Start Route');
  expect(await within(await rowOf('Place 1')).findByText('ETA 12:10 AM')).toBeDefined();
  await tap(/Place 1/);
  await tap('Arrive');
  expect(await screen.findByText('Leave by')).toBeDefined();
  await tap('Mark Complete');
  await tap('Back to the stops');
  expect(await within(await rowOf('Place 1')).findByText(/^Done/)).toBeDefined();
  expect(within(await rowOf('Place 1')).queryByRole('button', { name: 'Mark Complete' })).toBeNull();
  await tap(/Place 2/);
  await tap('Skip');
  await tap('Closed');
  expect(await screen.findByText('Skipped: Closed')).toBeDefined();
  expect(screen.getByText('Saved on this device')).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Mark Complete' })).toBeNull();
  expect(phone.server.field.size).toBe(0);
  await phone.goOnline();
  expect([...phone.server.field.values()].map((event) => event.type)).toEqual([
    'route-started',
    'stop-arrived',
    'stop-completed',
    'stop-skipped',
  ]);
  expect(phone.asked.filter((line) => !line.startsWith('GET'))).toEqual([]);
});

test.each([
  ['route_manager', '/route-planning'],
  ['field_worker', undefined],
] as const)('an empty day lets a %s plan a route: %s', async (role, href) => {
  const phone = await startPhone([]);
  phone.role = role;
  await phone.open('', false);
  expect(await screen.findByText(/^No routes scheduled/)).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Plan a route' })?.getAttribute('href')).toBe(href);
});

test('from a stop that is settled the next open one is a tap away', async () => {
  const phone = await startPhone([started()]);
  phone.goOffline();
  await tap(/Place 1/);
  await screen.findByRole('button', { name: 'Arrive' });
  expect(screen.queryByRole('button', { name: 'Next stop' })).toBeNull();
  await tap('Mark Complete');
  await tap('Next stop');
  expect(await screen.findByRole('region', { name: 'Place 2' })).toBeDefined();
  await tap('Skip');
  await tap('Closed');
  await tap('Next stop');
  expect(await screen.findByRole('region', { name: 'Place 3' })).toBeDefined();
});

test.each([false, true])('until a stop is chosen the screen asks for one, once (wide: %s)', async (isWide) => {
  await startPhone([started()], '', isWide);
  await rowOf('Place 1');
  expect(screen.getAllByText('Select a stop to view details')).toHaveLength(1);
  await tap(/Place 1/);
  await waitFor(() => expect(screen.queryByText('Select a stop to view details')).toBeNull());
});

test('with signal a step goes the same way, and what the server has not said yet stays on the screen', async () => {
  const phone = await startPhone([buildRoute()], '', true);
  await tap('Start Route');
  await waitFor(() => expect([...phone.server.field.values()].map((event) => event.type)).toEqual(['route-started']));
  expect(await screen.findByText('Saved')).toBeDefined();
  // The list of before the step is all this screen has got.
  expect(screen.getAllByRole('button', { name: 'Mark Complete' })).toHaveLength(3);
  expect(phone.asked.filter((line) => !line.startsWith('GET'))).toEqual([]);
});

test('what the office did right after a step is asked for once the step can be in the answer', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const phone = await startPhone([buildRoute()], '', true);
    const timesAsked = () => phone.asked.filter((line) => line.startsWith('GET /api/scheduled-routes')).length;
    await tap('Start Route');
    expect(await screen.findByText('Saved')).toBeDefined();
    const before = timesAsked();
    const later = () => {
      act(() => vi.advanceTimersByTime(1000));
      expect(timesAsked()).toBe(before + 1);
    };
    await waitFor(later, { timeout: 30_000 });
  } finally {
    vi.useRealTimers();
  }
});

test('leaving the planned order is asked about once, and both answers are taken', async () => {
  const phone = await startPhone([started()]);
  await tap(/Place 3/);
  await tap('Arrive');
  expect(await screen.findByText('You are 2 stops ahead of the plan: go here first?')).toBeDefined();
  await tap('Keep the plan');
  expect(await phone.steps()).toEqual([]);
  await tap('Arrive');
  await tap('Go here first');
  await waitFor(async () => expect(await phone.steps()).toEqual(['stop-arrived 3']));
});

test('while the server is being asked nobody says that it is not reached', async () => {
  const phone = await startPhone([started()]);
  phone.isSlow = true;
  await phone.open('', false);
  expect(await screen.findByText('Place 1')).toBeDefined();
  expect(screen.queryByText(/the server is not reached/)).toBeNull();
  phone.goOffline();
  expect(await screen.findByText(/the server is not reached/)).toBeDefined();
});

test('a skipped stop is opened again while the route is under way', async () => {
  const stops = [buildStop(1, { skippedReason: 'Closed' }), buildStop(2)];
  const phone = await startPhone([started({ stops })]);
  phone.goOffline();
  const row = await rowOf('Place 1');
  expect(within(row).queryByRole('button', { name: 'Mark Complete' })).toBeNull();
  await tap('Open again', row);
  expect(await within(await rowOf('Place 1')).findByRole('button', { name: 'Mark Complete' })).toBeDefined();
  expect(await phone.steps()).toEqual(['stop-reopened 1']);
});

test('completing a stop ends its visit in one tap, and counts not saved are spoken of first', async () => {
  const phone = await startPhone([started()]);
  phone.goOffline();
  await openVisit(phone.offline, { location: place1, routeId: 1, stopId: 1 });
  await typeRestock(phone);
  await tap('Mark Complete', await rowOf('Place 1'));
  expect(await screen.findByText('1 change is not saved at Place 1')).toBeDefined();
  expect(await phone.entries()).toEqual([]);
  await tap('Save and complete');
  await waitFor(async () => expect(await phone.steps()).toEqual(['stop-completed 1']));
  const entries = await phone.entries();
  expect(entries.map((entry) => entry.type)).toEqual(['stock-event', 'visit', 'visit', 'progress']);
  expect(entries[2]).toMatchObject({ event: { type: 'visit', closedAtClient: expect.any(String) } });
});

test('why the stop is in the plan and what to bring are there without signal', async () => {
  const phone = await startPhone([started()]);
  phone.goOffline();
  expect(await screen.findByText('Cola is sold out at place 2.')).toBeDefined();
  expect(await screen.findByText('21 units to bring')).toBeDefined();
  await tap(/Place 2/);
  expect(await screen.findByText('Bring 7 units of 1 product')).toBeDefined();
  expect((await screen.findByRole('list', { name: 'What to bring' })).textContent).toBe('7ColaA1: 4, A2: 3');
});

test('what the office took off the route meanwhile is said with its sentence, and the rest goes on', async () => {
  const phone = await startPhone([started()]);
  phone.goOffline();
  await tap('Mark Complete', await rowOf('Place 1'));
  await waitFor(async () => expect(await phone.steps()).toHaveLength(1));
  phone.server.refusedStops.add(1);
  phone.routes = [started({ stops: [buildStop(2), buildStop(3)] })];
  await phone.goOnline();
  const notice = await screen.findByRole('list', { name: 'Needs attention' });
  expect(notice.textContent).toContain('Completion of a stop: Place 1');
  expect(notice.textContent).toContain('This stop was taken off the route.');
  await tap('Dismiss', notice);
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Needs attention' })).toBeNull());
  toastStore.get()[0]?.action?.run();
  const back = await screen.findByRole('list', { name: 'Needs attention' });
  expect(back.textContent).toContain('Completion of a stop: Place 1');
});

test('a step the server would not have is said aloud, and stands at its stop as well as in the list', async () => {
  const phone = await startPhone([started()], '&stop=1');
  phone.server.refusedStops.add(1);
  await tap('Mark Complete');
  const said = () => toastStore.get().find((one) => one.open && one.title === 'Not taken by the server')?.description;
  const reason = 'Completion of a stop: Place 1. This stop was taken off the route.';
  await waitFor(() => expect(said()).toBe(reason));
  const page = within(await screen.findByRole('region', { name: 'Place 1' }));
  expect(await page.findByText('This stop was taken off the route.')).toBeDefined();
  await tap('Back to the stops');
  expect(await screen.findByRole('list', { name: 'Needs attention' })).toBeDefined();
});

test('a stop whose place was deleted says so, holds nothing to count, and is settled like any other', async () => {
  const stops = [buildStop(1, { isDeleted: true, marketId: 9, vendingMachineId: null }), buildStop(2)];
  const phone = await startPhone([started({ stops })]);
  phone.goOffline();
  const row = await rowOf('Place 1');
  expect(within(row).getByText('Place was deleted')).toBeDefined();
  expect(within(await rowOf('Place 2')).queryByText('Place was deleted')).toBeNull();
  await tap(/Place 1/);
  expect(await screen.findByText(/^The office deleted this place/)).toBeDefined();
  expect(screen.queryByRole('link', { name: 'Update Inventory' })).toBeNull();
  await tap('Skip');
  await tap('Closed');
  expect(await screen.findByText('Skipped: Closed')).toBeDefined();
});

test('without signal an empty machine is said to be empty, as the phone knows it', async () => {
  const phone = await startPhone([started()]);
  await phone.offline.store.write(['slots'], (tx) => tx.objectStore('slots').clear());
  phone.goOffline();
  await tap(/Place 1/);
  expect(await screen.findByText('No inventory data available')).toBeDefined();
  expect(screen.queryByRole('list', { name: /^Inventory of/ })).toBeNull();
});

test('the inventory of a stop scrolls above a height of 12 rem, which ends within a row: it shows that it goes on', async () => {
  await startPhone([started()]);
  await tap(/Place 1/);
  const list = await screen.findByRole('list', { name: /^Inventory of/ });
  expect(list.className).toContain('max-h-48');
  expect(list.className).toContain('overflow-y-auto');
  const [row] = within(list).getAllByRole('listitem');
  expect(row?.className).toContain('min-h-10.5');
});

test('a planned arrival that has passed says how late it is by now, before and after the start', async () => {
  const stops = [buildStop(1, { estimatedArrival: '2026-03-02T04:20:00.000Z' }), buildStop(2)];
  await startPhone([buildRoute({ stops })]);
  const row = within(await rowOf('Place 1'));
  expect(row.getByText('ETA 11:20 PM')).toBeDefined();
  expect(row.getByText('40 min late')).toBeDefined();
  expect(within(await rowOf('Place 2')).queryByText(/late/)).toBeNull();
});

test('on a phone whose clock is wrong by hours a stop is late by the server’s, and the day as long as it was', async () => {
  const stops = [buildStop(1, { estimatedArrival: '2026-03-02T04:20:00.000Z' })];
  const phone = await startPhone([started({ stops, startedAt: '2026-03-02T04:00:00.000Z' })]);
  phone.clock.nowMs += 3 * 3_600_000;
  const ahead = { lastServerTime: '2026-03-02T05:00:30.000Z', clockOffsetMs: -3 * 3_600_000 };
  await phone.offline.store.write(['meta'], (tx) => tx.objectStore('meta').put({ key: 'contact', value: ahead }));
  phone.goOffline();
  await phone.open('', false);
  expect(await within(await rowOf('Place 1')).findByText('40 min late')).toBeDefined();
  await phone.open('&end=1', false);
  await waitFor(() => expect(screen.getByText('Time on the route').nextSibling?.textContent).toBe('1h 0m'));
});

test('a stop that nobody can say an arrival for yet tells the planned one alone', async () => {
  const phone = await startPhone([buildRoute()]);
  phone.goOffline();
  await tap(/Place 1/);
  expect(await screen.findByText('Planned')).toBeDefined();
  expect(screen.queryByText('Expected')).toBeNull();
  expect(screen.queryByText('–')).toBeNull();
});

test('a stop of a route under way tells the arrival to expect beside the planned one', async () => {
  await startPhone([started({ stops: [buildStop(1, { expectedArrival: '2026-03-02T11:20:00.000Z' })] })]);
  await tap(/Place 1/);
  expect(await screen.findByText('Expected')).toBeDefined();
  expect(screen.getByText('Planned')).toBeDefined();
});
