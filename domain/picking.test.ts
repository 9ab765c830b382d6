import { expect, test } from 'vitest';
import { freshnessOf, handlingOf, inCases, packTotes } from './picking.ts';

const line = (name: string, units: number, category: string | null) => ({
  name,
  units,
  handling: handlingOf(category),
});

test('drinks are packed first and cold things last, each in totes of their own', () => {
  const totes = packTotes([line('wrap', 6, 'Fresh'), line('chips', 30, 'Chips'), line('cola', 12, 'Soda')]);
  expect(totes.map(({ kind, lines }) => [kind, lines.map(({ name }) => name)])).toEqual([
    ['drinks', ['cola']],
    ['dry', ['chips']],
    ['cold', ['wrap']],
  ]);
});

test('a category is told by its words, not by letters within them', () => {
  const kindsOf = (...categories: string[]) => categories.map((category) => handlingOf(category));
  expect(kindsOf('Juice', 'Tea and coffee', 'Water', 'Mineral Waters')).toEqual(Array(4).fill('drinks'));
  expect(kindsOf('Licorice', 'Steak Bites', 'Rice Snacks', 'Watermelon Gum')).toEqual(Array(4).fill('dry'));
  expect(kindsOf('Ice Cream', 'Ice', 'Fresh', 'Dairy')).toEqual(Array(4).fill('cold'));
});

test('a tote is never filled over its size, and a line larger than one counts as several', () => {
  const totes = packTotes([line('a', 30, null), line('b', 20, null), line('c', 90, null), line('d', 0, null)]);
  expect(totes.map(({ from, to, units }) => [from, to, units])).toEqual([
    [1, 1, 30],
    [2, 2, 20],
    [3, 5, 90],
  ]);
});

test('units are whole cases and singles; without a case size all are singles', () => {
  expect(inCases(31, 12)).toEqual({ cases: 2, singles: 7 });
  expect(inCases(31, null)).toEqual({ cases: 0, singles: 31 });
  expect(inCases(31, 1)).toEqual({ cases: 0, singles: 31 });
});

test('data are fresh under three hours, old over eight, and old where there are none', () => {
  const now = new Date('2026-03-12T12:00:00Z');
  const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
  expect([2.9, 3, 8, 8.1].map((hours) => freshnessOf(hoursAgo(hours), now))).toEqual([
    'fresh',
    'ageing',
    'ageing',
    'old',
  ]);
  expect(freshnessOf(null, now)).toBe('old');
});
