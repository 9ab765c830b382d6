import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { market } from './testing/places.ts';
import { atPlanningOffice, office, onMap, open, page, toastShown } from './testing/planning-office.tsx';

atPlanningOffice();

it('another designation asks for its lists and clears the selection', async () => {
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Route' }), 'Route 202');
  await waitFor(() =>
    expect(office.sent.map((call) => call.path)).toContain(
      '/api/locations/page?type=vending_machine&route=202&sort=name&limit=100',
    ),
  );
  expect(await screen.findByText('0 location(s) selected')).toBeTruthy();
});

it('what is chosen stays chosen while something else is searched for', async () => {
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  await user.type(await screen.findByRole('searchbox', { name: 'Search locations' }), 'far');
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: 'Near market' })).toBeNull());
  await user.click(await screen.findByRole('checkbox', { name: 'Far market' }));
  expect(await screen.findByText('2 location(s) selected')).toBeTruthy();
});

it('what is chosen stays chosen after a reload', async () => {
  const user = await open();
  await user.click(await screen.findByRole('checkbox', { name: 'Near market' }));
  cleanup();
  await open();
  expect(await screen.findByText('1 location(s) selected')).toBeTruthy();
  expect(screen.getByRole('checkbox', { name: 'Near market' })).toHaveProperty('checked', true);
});

it('of a search the list in front is asked alone; the map and the other list follow once it answered', async () => {
  const user = await open();
  office.sent = [];
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  office.replies['/api/locations/page'] = (query: URLSearchParams) => held.then(() => page(query));
  await user.type(await screen.findByRole('searchbox', { name: 'Search locations' }), 'far');
  const searched = () => office.sent.flatMap(({ path }) => (path.includes('search=far') ? [path] : []));
  await waitFor(() => expect(searched()).toEqual([expect.stringContaining('type=market')]));
  expect(screen.getByRole('checkbox', { name: 'Near market' })).toBeDefined();
  answer();
  await screen.findByRole('checkbox', { name: 'Far market' });
  await waitFor(() => expect(searched()).toHaveLength(3));
});

it('everything that matches is chosen, also what the list has not loaded, and let go again', async () => {
  office.stored = Array.from({ length: 1_250 }, (_, n) => market(n + 1, n === 0 ? 'Near market' : `Market ${n}`, null));
  office.stored.push({ ...market(9_000, 'Other', null), lowCount: 1 });
  const user = await open();
  await user.type(await screen.findByRole('searchbox', { name: 'Search locations' }), 'market');
  await user.click(await screen.findByRole('button', { name: 'Select all 1,250' }));
  expect(await screen.findByText('1250 location(s) selected')).toBeTruthy();
  await user.click(await screen.findByRole('button', { name: 'Deselect all 1,250' }));
  expect(await screen.findByText('0 location(s) selected')).toBeTruthy();
});

it('more than one plan can hold is not chosen, and it is said what to do', async () => {
  office.stored = Array.from({ length: 3_001 }, (_, n) => market(n + 1, n === 0 ? 'Near market' : `Market ${n}`, null));
  const user = await open();
  await user.click(await screen.findByRole('button', { name: 'Select all 3,001' }));
  await waitFor(() => expect(toastShown()?.title).toBe('Too Many Locations'));
  expect(await screen.findByText('0 location(s) selected')).toBeTruthy();
});

it('no call of a complete list is made, and of many places none but a page', async () => {
  await open();
  const asked = office.sent.map((call) => call.path.split('?')[0]);
  expect(asked).not.toContain('/api/markets');
  expect(asked).not.toContain('/api/markets/with-inventory');
  expect(asked).not.toContain('/api/vending-machines');
});

it('what only runs low is asked for, and its number is told', async () => {
  const user = await open();
  await user.click(await screen.findByRole('tab', { name: /Vending Machines/ }));
  await user.click(await screen.findByRole('button', { name: 'Low stock 1' }));
  await waitFor(() =>
    expect(office.sent.map((call) => call.path)).toContain(
      '/api/locations/page?type=vending_machine&low=true&sort=-low&limit=100',
    ),
  );
});

it('places drawn in groups are counted with the others', async () => {
  office.replies['/api/locations/map'] = (query: URLSearchParams) => ({
    ...onMap(query),
    groups: [{ lat: 40, lng: -74, count: 49_997, west: -75, east: -74, south: 40, north: 41 }],
  });
  await open();
  expect(await screen.findByText('Locations (50,000)')).toBeTruthy();
  expect(await screen.findByText(/49,997 are drawn in groups/)).toBeTruthy();
});
