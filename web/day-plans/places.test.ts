import { expect, test } from 'vitest';
import type { Exception } from '../route-planning/chosen-places.ts';
import {
  type Choice,
  countOfChoice,
  designationsOf,
  inOrder,
  isIn,
  offAtFirst,
  type PlannedPlace,
  plannedOf,
  wishOfChoice,
} from './places.ts';

const place = (id: number, routeDesignation: string | null, lowCount = 0, status = 'active'): PlannedPlace => ({
  type: 'vending_machine',
  id,
  key: `vending_machine:${id}`,
  name: `Machine ${id}`,
  ...{ lat: 40, lng: -75, where: '', address: '', accessHours: null, totes: 0 },
  routeDesignation,
  lowCount,
  status,
});
const counts = inOrder([
  { designation: '1010', all: 5, needing: 1 },
  { designation: '202', all: 3, needing: 2 },
  { designation: '', all: 2, needing: 0 },
]);
const choice = (change: Partial<Choice> = {}): Choice => ({
  scope: 'needing',
  off: new Set(),
  chosen: [],
  exceptions: [],
  ...change,
});

test('designations stand in their natural order', () => {
  expect(counts.map((one) => one.designation)).toEqual(['', '202', '1010']);
});

test('only what needs a visit is planned unless everything is, and a route can be left out', () => {
  expect(countOfChoice(counts, choice())).toBe(3);
  expect(countOfChoice(counts, choice({ scope: 'all', off: new Set(['202']) }))).toBe(7);
  expect(designationsOf(counts, choice())).toEqual(new Set(['202', '1010']));
});

test('one place more or less counts only where it changes something', () => {
  const added = { place: place(1, '', 0), isLeftOut: false };
  const inAnyway = { place: place(2, '202', 4), isLeftOut: false };
  const leftOut = { place: place(3, '202', 4), isLeftOut: true };
  const switchedOff = { place: place(4, '202', 4, 'inactive'), isLeftOut: true };
  const countWith = (one: Exception): number => countOfChoice(counts, choice({ exceptions: [one] }));
  expect([added, inAnyway, leftOut, switchedOff].map(countWith)).toEqual([4, 3, 2, 3]);
  const exceptions = [added, inAnyway, leftOut, switchedOff];
  expect(countOfChoice(counts, choice({ exceptions }))).toBe(3);
  expect(plannedOf([place(2, '202', 4), place(3, '202', 4)], choice({ exceptions })).map(({ id }) => id)).toEqual([
    2, 1,
  ]);
  expect(isIn(place(4, '202', 4, 'inactive'), choice({ scope: 'all' }))).toBe(false);
});

test('what was chosen on Route Planning is planned as it is, and nothing is asked for', () => {
  const chosen = [place(7, '909'), place(8, null)];
  const made = choice({ scope: 'chosen', chosen, exceptions: [{ place: place(8, null), isLeftOut: true }] });
  expect(wishOfChoice(counts, made)).toBeNull();
  expect(countOfChoice(counts, made)).toBe(1);
  expect(plannedOf([], made).map(({ id }) => id)).toEqual([7]);
  expect(designationsOf(counts, made)).toEqual(new Set(['909', '']));
});

test('routes are named to the server only where some are off', () => {
  expect(wishOfChoice(counts, choice())).toEqual({ visited: 'true', low: 'true' });
  expect(wishOfChoice(counts, choice({ scope: 'all', off: new Set(['202']) }))).toEqual({
    visited: 'true',
    routes: '["","1010"]',
  });
  expect(wishOfChoice(counts, choice({ off: new Set(['', '202', '1010']) }))).toBeNull();
});

test('more than one plan can hold begins with no route', () => {
  expect(offAtFirst(counts).size).toBe(0);
  expect(offAtFirst([{ designation: '1', all: 9_000, needing: 3_001 }])).toEqual(new Set(['1']));
});
