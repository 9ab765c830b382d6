// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { ScheduledRoute } from '../../contract/routes.ts';
import { rememberSession } from '../offline/session.ts';
import { buildSession } from '../offline/testing/fake-phone.ts';
import { buildChanges, buildMachine, buildMarket } from '../offline/testing/sample-changes.ts';
import { giveCode, listWaiting } from './barcodes/waiting-codes.ts';
import { Phone, startPhone as startWith, stopPhones } from './testing/field-phone.tsx';
import { changes, lastToast, market, quantityOf, startPhone, tap } from './testing/two-markets.tsx';

const user = userEvent.setup();
afterEach(stopPhones);

const othersRoute: ScheduledRoute = {
  id: 9,
  name: 'Route 9',
  date: '2026-03-02',
  routeDesignation: '909',
  status: 'in_progress',
  optimized: true,
  estimatedTime: 60,
  drivingMin: null,
  serviceMin: null,
  distanceSource: null,
  driverId: 2,
  driverName: 'Somebody Else',
  vehicleId: null,
  vehicleName: null,
  depotId: null,
  depot: null,
  plannedStartAt: null,
  startedAt: null,
  completedAt: null,
  totalStops: 28,
  completedStops: 12,
  totalDistance: 1,
  stops: [],
};

/** The day begins at South Hall, which the alphabet puts last. What the list reads of a route is its stops. */
const ownRoute = {
  ...othersRoute,
  id: 10,
  driverId: 1,
  stops: [
    {
      ...{ id: 1, routeId: 10, stopOrder: 1, locationType: 'market', marketId: 2, vendingMachineId: null },
      ...{ completed: false, skippedReason: null },
    },
  ],
} as unknown as ScheduledRoute;

test('machines of one name are told apart by where their buildings are', async () => {
  const machines = [
    buildMachine({ id: 1, machineId: 'VM-1', location: 'Lobby', address: '1 Main Street', city: 'Trenton' }),
    buildMachine({ id: 2, machineId: 'VM-2', location: 'Lobby', address: '1 Main Street', city: 'Camden' }),
  ];
  await startWith(buildChanges({ reset: true, machines }), '');
  const cards = await screen.findAllByRole('button', { name: /Snack machine/ });
  const where = cards.map((card) => /Lobby · 1 Main Street, (Trenton|Camden)/.exec(card.textContent ?? '')?.[1]);
  expect(where.sort()).toEqual(['Camden', 'Trenton']);
});

test('the list stands in the order of the day from the first moment', async () => {
  const phone = await startWith({ ...changes, routes: [ownRoute] }, market);
  const first = new Set<string>();
  const watch = new MutationObserver(() => {
    const [card] = screen.queryByRole('region', { name: 'Locations' })?.getElementsByTagName('li') ?? [];
    const [name] = /North Hall|South Hall/.exec(card?.textContent ?? '') ?? [];
    if (name) first.add(name);
  });
  watch.observe(document.body, { subtree: true, childList: true });
  await phone.open();
  await waitFor(() => expect(first.size).toBeGreaterThan(0));
  await screen.findByText('North Hall');
  watch.disconnect();
  expect([...first]).toEqual(['South Hall']);
});

test('a change typed and not saved is there after a restart', async () => {
  const phone = await startPhone(market);
  await tap('One more of Water');
  await waitFor(() => expect(phone.offline.status.get().drafts).toBe(1));
  await phone.open(market);
  expect(await screen.findByText('1 items to update')).toBeDefined();
  expect(await (await quantityOf('Water')).findByText('5')).toBeDefined();
});

test('saving online says so only once the server has everything', async () => {
  const phone = await startPhone(market);
  await tap('One more of Water');
  await tap('Save Changes');
  await waitFor(() => expect(lastToast()?.title).toBe('Inventory Updated'));
  expect([...phone.server.applied.values()]).toMatchObject([{ kind: 'count', quantity: 5, reason: 'manual_count' }]);
  expect(await screen.findByText('Saved')).toBeDefined();
});

test('a server that fails leaves the change on the phone and says so', async () => {
  const phone = await startPhone(market);
  await tap('One more of Water');
  // However often the phone tries parts of the batch again.
  phone.server.play(Array.from({ length: 50 }, () => 'broken'));
  await tap('Save Changes');
  await waitFor(() => expect(lastToast()).toMatchObject({ title: 'Update Failed', variant: 'destructive' }));
  expect(lastToast()?.description).toBe('Failed to update inventory. Changes saved locally.');
  expect(await screen.findByText('Saved on this device')).toBeDefined();
});

test('saving offline keeps the change, says so in words and counts it as pending', async () => {
  const phone = await startPhone(market);
  phone.goOffline();
  await tap('One more of Water');
  await tap('Save Changes');
  await waitFor(() => expect(lastToast()?.title).toBe('Offline Update'));
  expect(lastToast()?.description).toBe('Update saved locally. Will sync when connection is restored.');
  expect(await screen.findByText('Saved on this device')).toBeDefined();
  expect(await screen.findByRole('button', { name: '1 Pending changes' })).toBeDefined();
  expect(await (await quantityOf('Water')).findByText('5')).toBeDefined();
});

test('the screen opens with locations and stock without a network', async () => {
  const phone = await startPhone();
  phone.goOffline();
  await phone.open();
  await tap(/North Hall/);
  expect(await screen.findByText('Water')).toBeDefined();
  expect(await screen.findByText('Offline')).toBeDefined();
});

test('search and route filter stay when coming back from a location', async () => {
  await startPhone();
  await user.type(await screen.findByLabelText('Search locations'), 'far');
  await tap(/South Hall/);
  await tap('Back');
  expect(await screen.findByLabelText('Search locations')).toHaveProperty('value', 'far');
  expect(screen.queryByText('North Hall')).toBeNull();
});

test('the note of a visit travels with each change of the save', async () => {
  const phone = await startPhone(market);
  phone.goOffline();
  await tap('One more of Water');
  await user.type(await screen.findByLabelText('Update Notes'), 'Cooler is warm');
  await tap('Save Changes');
  await waitFor(async () => expect(await phone.stockEntries()).toHaveLength(1));
  expect((await phone.stockEntries())[0]).toMatchObject({
    event: { note: 'Cooler is warm', location: { type: 'market', id: 1 } },
  });
});

test('a location is green while it is active and grey otherwise', async () => {
  const markets = [buildMarket({ status: 'maintenance' }), buildMarket({ id: 2, name: 'South Hall' })];
  await startWith({ ...changes, markets }, '');
  const looks = async (name: RegExp, word: string) =>
    within(await screen.findByRole('button', { name })).getByText(word).className;
  expect(await looks(/North Hall/, 'Maintenance')).toContain('bg-idle-soft');
  expect(await looks(/South Hall/, 'Active')).toContain('bg-ok-soft');
});

test('a route left chosen by another person of this tab hides nothing', async () => {
  sessionStorage.setItem('milkrun-field-filter', JSON.stringify({ search: '', route: '505', type: 'market' }));
  await startPhone();
  expect(await screen.findByText('North Hall')).toBeDefined();
  expect(screen.getByRole('combobox', { name: 'Route' })).toHaveProperty('value', '');
});

test('a kind without locations is not called a search without hits', async () => {
  await startPhone();
  await screen.findByRole('button', { name: /South Hall/ });
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Route' }), '202');
  await user.click(await screen.findByRole('tab', { name: 'Vending' }));
  expect(await screen.findByText('No machines on Route 202. Markets are under Markets.')).toBeDefined();
  await user.type(screen.getByRole('searchbox'), 'zz');
  expect(await screen.findByText('No locations match this search.')).toBeDefined();
});

test('a driver of machines alone finds them at once', async () => {
  await startWith({ ...changes, markets: [], items: [] }, '');
  expect(await screen.findByRole('button', { name: /Snack machine/ })).toBeDefined();
  expect(screen.getByRole('tab', { name: 'Vending' }).getAttribute('aria-selected')).toBe('true');
  await user.click(screen.getByRole('tab', { name: 'Markets' }));
  expect(await screen.findByText('No markets on your route. Machines are under Vending.')).toBeDefined();
});

test('search, route and kind are there after a reload', async () => {
  const phone = await startPhone();
  await user.click(await screen.findByRole('tab', { name: 'Vending' }));
  await phone.open();
  expect((await screen.findByRole('tab', { name: 'Vending' })).getAttribute('aria-selected')).toBe('true');
});

test('updates made are asked for again when the server has taken a change', async () => {
  const phone = await startPhone(market);
  const asked = () => phone.dayCalls;
  await waitFor(() => expect(asked()).toBeGreaterThan(0));
  const before = asked();
  await tap('One less of Water');
  await tap('Save Changes');
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
});

test('a save after the sign-in has ended offers to sign in, with the change kept', async () => {
  const phone = await startPhone(market);
  await tap('One more of Water');
  phone.server.play(Array.from({ length: 50 }, () => 'signed-out'));
  await tap('Save Changes');
  await waitFor(() => expect(lastToast()).toMatchObject({ title: 'Update Failed', action: { label: 'Sign in' } }));
  expect((await phone.stockEntries()).map((entry) => entry.status)).toEqual(['unsent']);
});

test("yesterday's updates are not counted in a morning without a network", async () => {
  const phone = await startPhone();
  const updates = async () =>
    (await screen.findByText('Updates made')).parentElement?.textContent?.replace('Updates made', '');
  await waitFor(async () => expect(await updates()).toBe('7'));
  phone.goOffline();
  phone.clock.nowMs += 24 * 3_600_000;
  await phone.open();
  await waitFor(async () => expect(await updates()).toBe('0'));
  expect(screen.getByText('Stops completed').parentElement?.textContent).toBe('Stops completedNone planned');
});

test("the day's progress is the person's own, not that of every route they may see", async () => {
  const phone = new Phone(changes);
  const { person, ...rest } = buildSession(1);
  await rememberSession(phone.offline, { ...rest, person: { ...person, routeDesignation: null } });
  await phone.offline.store.write(['routes'], (tx) =>
    tx.objectStore('routes').put({ id: 9, generation: 0, row: { ...othersRoute, date: '2026-03-02' } }),
  );
  await phone.open();
  const progress = await screen.findByRole('region', { name: "Today's progress" });
  await waitFor(() => expect(progress.textContent).toContain('Updates made7'));
  expect(progress.textContent).toContain('Stops completed0 of 4');
  expect(progress.textContent).not.toContain('Route 9');
});

test('a location that is deleted while it is open says so, and what was counted there can be saved', async () => {
  const phone = await startPhone(market);
  await tap('One less of Water');
  await screen.findByRole('button', { name: 'Save Changes' });
  // The refresh that the screen began with ends first: another one would join it.
  await phone.offline.refresh();
  phone.changes = buildChanges({
    removed: [
      { kind: 'market', id: 1 },
      { kind: 'market_item', id: 1 },
      { kind: 'market_item', id: 2 },
    ],
  });
  await phone.offline.refresh();
  expect((await screen.findByRole('alert')).textContent).toContain(
    'deleted or moved to another route while it was open',
  );
  await tap('Save Changes');
  await waitFor(async () => expect(await phone.stockEntries()).toHaveLength(1));
});

test('a location opens at its top, and the list comes back where it was left', async () => {
  await startPhone();
  const scrollTo = vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  vi.spyOn(window, 'scrollY', 'get').mockReturnValue(640);
  await tap(/North Hall/);
  await screen.findByRole('list', { name: 'Products' });
  expect(scrollTo.mock.lastCall).toEqual([0, 0]);
  await tap('Back');
  await waitFor(() => expect(scrollTo.mock.lastCall).toEqual([0, 640]));
  vi.restoreAllMocks();
});

test("a market's row opens the camera by itself, and Photo mode with it", async () => {
  vi.stubGlobal('isSecureContext', true);
  const opened: (string | null)[] = [];
  vi.spyOn(HTMLInputElement.prototype, 'click').mockImplementation(function (this: HTMLInputElement) {
    opened.push(this.getAttribute('capture'));
  });
  await startPhone();
  fireEvent.click(await screen.findByRole('button', { name: /North Hall/ }));
  fireEvent.click((await screen.findAllByRole('button', { name: /^Photo of / }))[0] as HTMLElement);
  expect(opened).toEqual(['environment']);
  expect(screen.getByRole('button', { name: 'Disable Photo Mode' }).getAttribute('aria-pressed')).toBe('true');
  vi.restoreAllMocks();
});

test('a barcode given without a network goes out by itself, also while nobody scans', async () => {
  const phone = await startPhone();
  phone.goOffline();
  await giveCode(phone.offline, { code: '5901234123457', userId: 1, productId: 1, productName: 'Cola' });
  expect(screen.queryByRole('region', { name: 'Scan' })).toBeNull();
  phone.isOnline = true;
  act(() => phone.offline.online.setConnected(true));
  await waitFor(() => expect(phone.barcodes).toEqual([{ barcode: '5901234123457' }]));
});

test('a barcode that the server could not take goes out by itself later, though the network was never gone', async () => {
  const phone = await startPhone();
  phone.barcodeAnswer = { outcome: 'unreachable' };
  await act(() => giveCode(phone.offline, { code: '5901234123457', userId: 1, productId: 1, productName: 'Cola' }));
  phone.barcodeAnswer = { outcome: 'answered', body: {} };
  await waitFor(async () => {
    act(() => void phone.clock.runNext());
    expect(await listWaiting(phone.offline, 1)).toEqual([]);
  });
  expect(phone.barcodes).toHaveLength(2);
});

test('who was added without a name is called by the address', async () => {
  const phone = new Phone(changes);
  const { person, ...rest } = buildSession(1);
  await rememberSession(phone.offline, { ...rest, person: { ...person, firstName: '', lastName: '' } });
  await phone.open();
  expect((await screen.findByText(/^Logged in as/)).textContent).toBe('Logged in as driver1@example.com');
  expect(screen.getByText('Operator').nextSibling?.textContent).toBe('driver1@example.com');
});
