import { expect, test } from 'vitest';
import { chosenOf, groupsOf, type Place } from './places.ts';

const place = (id: number, designation: string, needsVisit: boolean): Place => ({
  type: 'vending_machine',
  id,
  designation,
  needsVisit,
});
const places = [place(1, '202', true), place(2, '101', false), place(3, '101', true), place(4, '', false)];

test('designations are counted in their natural order', () => {
  expect(groupsOf(places)).toEqual([
    { designation: '', all: 1, needing: 0 },
    { designation: '101', all: 2, needing: 1 },
    { designation: '202', all: 1, needing: 1 },
  ]);
});

test('only what needs a visit is chosen unless everything is, and a designation can be left out', () => {
  const ids = (off: string[], everything: boolean) => chosenOf(places, new Set(off), everything).map(({ id }) => id);
  expect(ids([], false)).toEqual([1, 3]);
  expect(ids(['202'], true)).toEqual([2, 3, 4]);
});
