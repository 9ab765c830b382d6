import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { SessionContext } from '../auth/session-context.ts';
import { createQueryClient } from '../http/query-client.ts';
import { RoutePlanningScreen } from './route-planning-screen.tsx';
import { machine, market, plan } from './testing/places.ts';
import {
  atPlanningOffice,
  client,
  office,
  open,
  optimizeButton,
  session,
  toastShown,
} from './testing/planning-office.tsx';

atPlanningOffice();

const routeOfToday = { name: 'Route', totalStops: 3, driverName: null };

it('markets and machines are counted together and estimated before optimizing', async () => {
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Far market' }));
  await user.click(await screen.findByRole('tab', { name: /Vending Machines/ }));
  await user.click(await screen.findByRole('checkbox', { name: 'Snack 7' }));
  expect(await screen.findByText('3 location(s) selected')).toBeTruthy();
  expect(await screen.findByText('24.6 km')).toBeTruthy();
  expect(await screen.findByText('2h 15m')).toBeTruthy();
  expect(await screen.findByText('Planning')).toBeTruthy();
});

it('optimizing sends both kinds apart with start, vehicles, date and options, and shows the plan', async () => {
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Far market' }));
  await user.click(await screen.findByRole('tab', { name: /Vending Machines/ }));
  await user.click(await screen.findByRole('checkbox', { name: 'Snack 7' }));
  await user.click(await optimizeButton());
  await screen.findByText('Optimized');
  expect(office.sent.find((call) => call.path === '/api/routes/optimize')?.body).toMatchObject({
    marketIds: [1200],
    vendingMachineIds: [7],
    startLocation: { lat: 40.7, lng: -74 },
    vehicles: [],
    date: '2026-11-22',
    options: {},
  });
  expect(await screen.findByText('12.3 km')).toBeTruthy();
  expect(await screen.findByText('Would end after the shift')).toBeTruthy();
  const figure = (name: string) => screen.getByText(name).nextElementSibling?.textContent;
  expect(['Total Stops', 'Driving', 'Service'].map(figure)).toEqual(['1', '30 min', '1h 5m']);
  expect(toastShown()).toMatchObject({
    title: 'Route Optimized',
    description: 'Optimized route created with 1 stops. Distance: 12.3km',
  });
});

it('what a plan warns of is counted beside the button, and leads to the sentences', async () => {
  const warnings = ['Near market is 1.2 km (0.7 mi) from the nearest road.', 'Far market is as far.'];
  office.replies['/api/routes/optimize'] = { ...plan, warnings };
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  expect(screen.queryByRole('link', { name: /warning/ })).toBeNull();
  await user.click(await optimizeButton());
  const card = within(screen.getByRole('region', { name: 'Select Locations' }));
  await user.click(await card.findByRole('link', { name: '2 warnings below' }));
  expect([...(document.activeElement?.children ?? [])].map((one) => one.textContent)).toEqual(warnings);
});

it('of locations that did not load no number is claimed, and both the list and the map are tried again', async () => {
  const { '/api/locations/page': asPage, '/api/locations/map': asMap } = office.replies;
  Object.assign(office.replies, { '/api/locations/page': undefined, '/api/locations/map': undefined });
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionContext.Provider value={session}>
        <RoutePlanningScreen />
      </SessionContext.Provider>
    </QueryClientProvider>,
  );
  const card = within(await screen.findByRole('region', { name: 'Route Map' }));
  expect(await card.findByText('The locations on the map did not load')).toBeTruthy();
  expect(await screen.findByText('Markets did not load')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Low stock' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Select all' })).toBeTruthy();
  expect(screen.queryByText(/Locations \(/)).toBeNull();
  Object.assign(office.replies, { '/api/locations/page': asPage, '/api/locations/map': asMap });
  await userEvent.click(card.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Locations (3)')).toBeTruthy();
});

it('a location that is closed on the day is told before anything is planned, and of the plan what the plan says', async () => {
  office.stored = [{ ...market(7, 'Near market', '101'), accessHours: 'Mo-Fr 08:00-17:00' }, machine(7, 'Snack 7')];
  const user = await open();
  await user.click(screen.getByRole('checkbox', { name: 'Near market' }));
  const told = /^Near market is closed on Nov 22, 2026/;
  expect(await screen.findByText(told)).toBeTruthy();
  expect(screen.getByRole('link', { name: '1 warning below' })).toBeTruthy();
  await user.click(await optimizeButton());
  await waitFor(() => expect(screen.queryByText(told)).toBeNull());
});

it('beside the map a long name goes on below instead of being cut', async () => {
  await open();
  const list = await screen.findByRole('region', { name: /^Locations/ });
  expect((await within(list).findByTitle('Near market')).className).toContain('line-clamp-2');
});

it('until the locations are there, no number of them is claimed', async () => {
  let answer = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const known = globalThis.fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    if (url.includes('/api/locations/map')) await arrived;
    return known(url, init);
  });
  await open();
  expect(await screen.findByRole('heading', { name: 'Locations' })).toBeTruthy();
  answer();
  expect(await screen.findByRole('heading', { name: 'Locations (3)' })).toBeTruthy();
});

it('a failed optimization says so', async () => {
  office.replies['/api/routes/optimize'] = undefined;
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.click(await optimizeButton());
  await waitFor(() => expect(toastShown()?.title).toBe('Optimization Failed'));
  expect(toastShown()).toMatchObject({
    description: 'Failed to optimize route. Please try again.',
    variant: 'destructive',
  });
});

const refuseSnack = () =>
  Response.json({ detail: 'Gone', code: 'not-found', fields: { 'vending_machine:7': 'Gone' } }, { status: 404 });

async function chooseBoth(user: Awaited<ReturnType<typeof open>>) {
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.click(await screen.findByRole('tab', { name: /Vending Machines/ }));
  await user.click(await screen.findByRole('checkbox', { name: 'Snack 7' }));
  await screen.findByText('2 location(s) selected');
}

it('what no vehicle holds is still said of a plan that keeps it, and not of what the plan leaves out', async () => {
  const vehicles = [{ id: 3, name: 'Van', depotId: 1, capacityTotes: 10 }];
  office.replies['/api/route-choices'] = { drivers: [], depots: [], vehicles };
  office.stored = [
    { ...market(1200, 'Far market', null), missingUnits: 800 },
    { ...market(7, 'Near market', '101'), missingUnits: 480 },
  ];
  const reason = 'Closed on this day (Mo-Th).';
  const unassigned = [{ type: 'market', id: 7, name: 'Near market', reason }];
  office.replies['/api/routes/optimize'] = { ...plan, unassigned, warnings: [] };
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Far market' }));
  expect(await screen.findByText('Near market needs about 12 totes: Van holds 10.')).toBeTruthy();
  await user.click(await optimizeButton());
  await screen.findByText(reason);
  expect(screen.getByText('Far market needs about 20 totes: Van holds 10.')).toBeTruthy();
  expect(screen.queryByText(/Near market needs/)).toBeNull();
});

it('a plan that leaves out every location is no success, and no route is created from it', async () => {
  const unassigned = [{ type: 'market', id: 7, name: 'Near market', reason: 'Closed on this day (Mo-Th).' }];
  office.replies['/api/routes/optimize'] = { ...plan, optimizedOrder: [], unassigned, totalDistance: 0 };
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.click(await optimizeButton());
  expect(await screen.findByText('Closed on this day (Mo-Th).')).toBeTruthy();
  const told = {
    title: 'Route Is Empty',
    description: 'Every selected location was left out. The reasons stand under Unassigned.',
    variant: 'destructive',
  };
  expect(toastShown()).toMatchObject(told);
  await user.click(await screen.findByRole('button', { name: "Start Today's Route" }));
  await user.click(await screen.findByRole('button', { name: 'Create New Route' }));
  expect(toastShown()).toMatchObject(told);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('a location that was deleted meanwhile leaves the selection when optimizing meets it', async () => {
  office.replies['/api/routes/optimize'] = refuseSnack;
  const user = await open();
  await chooseBoth(user);
  await user.click(await optimizeButton());
  await screen.findByText('1 location(s) selected');
  expect(toastShown()?.description).toBe('Snack 7 does not exist any more and was taken out. Optimize again.');
});

it('a route with a location that was deleted meanwhile is not created: the rest is looked at first', async () => {
  const user = await open();
  await chooseBoth(user);
  await user.click(screen.getByRole('button', { name: 'Create New Route' }));
  office.replies['/api/routes'] = refuseSnack;
  await user.click(await screen.findByRole('button', { name: /^Create route for/ }));
  await screen.findByText('1 location(s) selected');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(toastShown()?.description).toContain('Snack 7 does not exist any more');
});

it('a page that stayed open since yesterday plans for tomorrow as it is now', async () => {
  vi.setSystemTime(Date.parse('2026-11-22T12:00:00.000Z'));
  await open();
  expect(screen.getByLabelText<HTMLInputElement>('Plan for').value).toBe('2026-11-23');
});

it('a route without a day is not created, and the field says so', async () => {
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.click(screen.getByRole('button', { name: 'Create New Route' }));
  await user.clear(await screen.findByLabelText('Date'));
  await user.click(screen.getByRole('button', { name: 'Create route' }));
  expect(await screen.findByText('Date is required')).toBeTruthy();
  expect(office.sent.filter((call) => call.method === 'POST')).toEqual([]);
});

it('a route that nobody named says the day chosen last, one that somebody did keeps its name', async () => {
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.click(screen.getByRole('button', { name: 'Create New Route' }));
  const date = await screen.findByLabelText('Date');
  const name = screen.getByLabelText<HTMLInputElement>('Name');
  fireEvent.change(date, { target: { value: '2026-12-05' } });
  expect(name.value).toContain('Dec 5, 2026');
  await user.clear(name);
  await user.type(name, 'Refill');
  fireEvent.change(date, { target: { value: '2026-12-06' } });
  expect(name.value).toBe('Refill');
});

it('who drives and where from did not load: said on the screen and where a route is made, and what was typed stays', async () => {
  office.replies['/api/route-choices'] = undefined;
  const user = await open();
  await screen.findByText('Drivers, vehicles and depots did not load');
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.click(screen.getByRole('button', { name: 'Create New Route' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.queryByLabelText('Driver')).toBeNull();
  const name = dialog.getByLabelText<HTMLInputElement>('Name');
  await user.clear(name);
  await user.type(name, 'Refill');
  office.replies['/api/route-choices'] = {
    ...{ vehicles: [], depots: [{ id: 1, name: 'North', latitude: '40.70', longitude: '-74.00', isDefault: true }] },
    drivers: [{ id: 8, name: 'Sam', routeDesignation: '101' }],
  };
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  const chosenIn = (label: string) => dialog.getByLabelText<HTMLSelectElement>(label).value;
  await dialog.findByLabelText('Driver');
  expect([name.value, chosenIn('Driver'), chosenIn('Vehicle'), chosenIn('Depot')]).toEqual(['Refill', '8', '', '1']);
  expect(screen.queryByText('Drivers, vehicles and depots did not load')).toBeNull();
});

it('what there is to choose from stays when reading it again fails', async () => {
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await screen.findByLabelText('Start from');
  office.replies['/api/route-choices'] = undefined;
  await client().invalidateQueries();
  await user.click(screen.getByRole('button', { name: 'Create New Route' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByLabelText<HTMLSelectElement>('Depot').value).toBe('1');
});

it('a route is not made before it is known who can drive it', async () => {
  const choices = office.replies['/api/route-choices'];
  let answer = (_: unknown): void => undefined;
  office.replies['/api/route-choices'] = new Promise((resolve) => {
    answer = resolve;
  });
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.click(screen.getByRole('button', { name: 'Create New Route' }));
  const dialog = within(await screen.findByRole('dialog'));
  const isOff = (label: string) => dialog.getByLabelText<HTMLSelectElement>(label).disabled;
  expect(['Driver', 'Vehicle', 'Depot'].map(isOff)).toEqual([true, true, true]);
  expect(dialog.queryByRole('option', { name: 'No driver yet' })).toBeNull();
  const create = dialog.getByRole<HTMLButtonElement>('button', { name: /^Create route/ });
  expect(create.disabled).toBe(true);
  answer(choices);
  await waitFor(() => expect(create.disabled).toBe(false));
  expect(dialog.getByLabelText<HTMLSelectElement>('Depot').value).toBe('1');
});

it('with nothing selected neither a route is created nor a navigation opened', async () => {
  const user = await open();
  await user.click(await screen.findByRole('button', { name: 'Create New Route' }));
  expect(toastShown()?.description).toBe('Select locations first, then create a route from them.');
  await user.click(await screen.findByRole('button', { name: 'Start Navigation' }));
  expect(toastShown()).toMatchObject({
    title: 'No Route Selected',
    description: 'Please select locations first to start navigation.',
  });
});

it('who may not plan starts routes, and is offered to create none', async () => {
  await open({ role: 'field_worker' });
  expect(await screen.findByRole('button', { name: "Start Today's Route" })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Create New Route' })).toBeNull();
});

it('where no route waits today, it is said whether there is one at all, and of which designation', async () => {
  const user = await open();
  const start = async () => {
    await user.click(await screen.findByRole('button', { name: "Start Today's Route" }));
    return toastShown();
  };
  const none = { title: 'No Route Today', variant: 'destructive' };
  await waitFor(async () =>
    expect(await start()).toMatchObject({ ...none, description: 'No route is planned for today. Create one first.' }),
  );
  cleanup();
  office.replies['/api/routes'] = [
    { ...routeOfToday, id: 1, routeDesignation: '101', status: 'planned' },
    { ...routeOfToday, id: 2, routeDesignation: '202', status: 'in_progress' },
  ];
  const again = await open();
  await again.selectOptions(await screen.findByRole('combobox', { name: 'Route' }), '202');
  await waitFor(async () =>
    expect(await start()).toMatchObject({
      ...none,
      description: 'Route 202 of today is under way or completed.',
    }),
  );
});

it('navigation ends at the location chosen last', async () => {
  const opened = vi.spyOn(window, 'open').mockReturnValue(null);
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Far market' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.click(await screen.findByRole('button', { name: 'Start Navigation' }));
  const link = new URL(String(opened.mock.calls[0]?.[0]));
  expect(link.searchParams.get('destination')).toBe('40.73,-74.05');
  expect(link.searchParams.get('waypoints')?.split('|')).toHaveLength(1);
});

it('says so where a maps page takes fewer locations than are chosen', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null);
  const names = Array.from({ length: 9 }, (_, at) => `Market ${at}`);
  office.stored = [...office.stored, ...names.map((name, at) => market(20 + at, name, null))];
  const user = await open();
  for (const name of ['Near market', ...names]) await user.click(await screen.findByRole('checkbox', { name }));
  const press = async () => user.click(await screen.findByRole('button', { name: 'Start Navigation' }));
  await press();
  expect(toastShown()?.title).not.toBe('Too Many for One Way');
  await user.click(await screen.findByRole('checkbox', { name: 'Far market' }));
  await press();
  expect(toastShown()?.title).toBe('Too Many for One Way');
});
