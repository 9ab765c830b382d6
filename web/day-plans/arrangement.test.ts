import { expect, test } from 'vitest';
import type { Arrangement } from '../../domain/day-plan.ts';
import { isThere, move, placeOf, setLocked } from './arrangement.ts';

const machine = (id: number, locked = false) => ({ type: 'vending_machine' as const, id, locked });
const ref = (id: number) => ({ type: 'vending_machine' as const, id });
const idsOf = ({ routes, unassigned }: Arrangement) => ({
  routes: routes.map((stops) => stops.map(({ id }) => id)),
  unassigned: unassigned.map(({ id }) => id),
});
const plan: Arrangement = { routes: [[machine(1), machine(2), machine(3)], [machine(4)]], unassigned: [ref(5)] };

test.each([
  ['later on the same route', 1, { route: 0, index: 3 }, [[2, 3, 1], [4]], [5]],
  ['earlier on the same route', 3, { route: 0, index: 0 }, [[3, 1, 2], [4]], [5]],
  ['where it is already', 2, { route: 0, index: 1 }, [[1, 2, 3], [4]], [5]],
  [
    'to another driver',
    2,
    { route: 1, index: 0 },
    [
      [1, 3],
      [2, 4],
    ],
    [5],
  ],
  [
    'from nobody to a driver',
    5,
    { route: 1, index: 1 },
    [
      [1, 2, 3],
      [4, 5],
    ],
    [],
  ],
  ['away from everybody', 4, { route: null, index: 0 }, [[1, 2, 3], []], [5, 4]],
])('a stop moves %s', (_, id, to, ...[routes, unassigned]) => {
  expect(idsOf(move(plan, ref(id), to))).toEqual({ routes, unassigned });
});

test('a stop given to another driver is no longer locked', () => {
  const locked = setLocked(plan, ref(2), true);
  expect(move(locked, ref(2), { route: 0, index: 0 }).routes[0]?.[0]?.locked).toBe(true);
  expect(move(locked, ref(2), { route: 1, index: 0 }).routes[1]?.[0]?.locked).toBe(false);
});

test('a stop that is not in the plan has no place and changes nothing', () => {
  expect(placeOf(plan, ref(9))).toBeNull();
  expect(move(plan, ref(9), { route: 0, index: 0 })).toBe(plan);
});

test.each([
  ['before itself', 2, { route: 0, index: 1 }, true],
  ['behind itself', 2, { route: 0, index: 2 }, true],
  ['beyond the end, where it is last', 3, { route: 0, index: 5 }, true],
  ['left out again', 5, { route: null, index: 0 }, true],
  ['one place up', 2, { route: 0, index: 0 }, false],
  ['one place down', 2, { route: 0, index: 3 }, false],
  ['to the same place of another driver', 2, { route: 1, index: 1 }, false],
  ['off its route', 2, { route: null, index: 1 }, false],
])('a stop put %s stays where it is or not', (_, id, to, stays) => {
  expect(isThere(plan, ref(id), to)).toBe(stays);
});
