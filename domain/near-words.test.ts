import { expect, it } from 'vitest';
import { nearWords } from './near-words.ts';

const known = ['vending', 'lobby', 'hospital', 'center', 'cola', 'university', 'winston', '1024'];

it.each([
  ['vendnig', 'vending'],
  ['hosptal', 'hospital'],
  ['lobbby', 'lobby'],
  ['univesrty', 'university'],
  ['hopsi', 'hospital'],
  ['cemter', 'center'],
])('%s may mean %s', (typed, meant) => expect(nearWords(typed, known)).toContain(meant));

it.each(['xyzzy', 'col', '1025', 'lo'])('%s means none of them', (typed) =>
  expect(nearWords(typed, known)).toEqual([]),
);

it('the nearest comes first', () => expect(nearWords('winstom', ['winstons', 'winston'])[0]).toBe('winston'));
