import { expect, test } from 'vitest';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import type { KeptLocation } from '../../offline/kept/reads.ts';
import { designationsOf, filterLocations, withKnown } from './location-filter.ts';

function buildLocation(over: Partial<KeptLocation> = {}): KeptLocation {
  return {
    ref: { type: 'market', id: 1 },
    name: 'North Hall',
    address: '1 Test Street',
    place: null,
    routeDesignation: '101',
    status: 'active',
    ...over,
  };
}

const north = buildLocation();
const south = buildLocation({
  ref: { type: 'market', id: 2 },
  name: 'South Hall',
  address: '9 Far Road',
  routeDesignation: '20',
});
const snack = buildLocation({
  ref: { type: 'vending_machine', id: 1 },
  name: 'Snack',
  place: 'Lobby',
  address: '1 Test Street',
});
const all = [north, south, snack];
const base = { search: '', route: '', type: 'market' } as const;

test('markets are found by name or address, machines by name or place', () => {
  expect(filterLocations(all, { ...base, search: ' FAR ' }, [])).toMatchObject([{ name: 'South Hall' }]);
  expect(filterLocations(all, { ...base, type: 'vending_machine', search: 'lobby' }, [])).toHaveLength(1);
  expect(filterLocations(all, { ...base, type: 'vending_machine', search: 'street' }, [])).toHaveLength(0);
});

test('the route filter offers what the locations have, in natural order', () => {
  expect(designationsOf(all)).toEqual(['20', '101']);
  expect(filterLocations(all, { ...base, route: '20' }, [])).toMatchObject([{ name: 'South Hall' }]);
});

test('a route that no location has is not filtered by', () => {
  const known = { locations: all, isWhole: true };
  expect(withKnown({ ...base, route: '505' }, known)).toEqual(base);
  expect(withKnown({ ...base, route: '20' }, known)).toEqual({ ...base, route: '20' });
});

test.each([
  ['machines alone', { locations: [snack], isWhole: true }, null, 'vending_machine'],
  ['machines alone, as far as they have come', { locations: [snack], isWhole: false }, null, 'market'],
  ['both', { locations: all, isWhole: true }, null, 'market'],
  ['nothing', { locations: [], isWhole: true }, null, 'market'],
  ['machines alone, and chose markets', { locations: [snack], isWhole: true }, 'market', 'market'],
] as const)('who has %s begins with the right kind', (_title, known, type, kind) => {
  expect(withKnown({ ...base, type }, known).type).toBe(kind);
});

test('only stops still to be done have a number, and stand first', () => {
  const stop = (marketId: number, stopOrder: number, skippedReason: string | null) => ({
    ...{ marketId, stopOrder, skippedReason, vendingMachineId: null },
    ...{ locationType: 'market', completed: false },
  });
  // What the list reads of a route is its stops.
  const route = { stops: [stop(1, 1, 'Closed'), stop(2, 2, null)] } as unknown as ScheduledRoute;
  expect(filterLocations(all, base, [route]).map(({ name, stop: at }) => [name, at])).toEqual([
    ['South Hall', 2],
    ['North Hall', null],
  ]);
});
