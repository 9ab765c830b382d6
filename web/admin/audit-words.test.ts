import { expect, it } from 'vitest';
import { setOperatorFormats } from '../http/format.ts';
import { actionInWords, changesOf, objectInWords } from './audit-words.ts';

it.each([
  ['auth.sign-in-failed', 'Sign-in: sign in failed'],
  ['person.update', 'Person: update'],
  ['demo', 'Demo'],
])('the action %s reads %s', (action, words) => {
  expect(actionInWords(action)).toBe(words);
});

it('an object reads as words', () => {
  expect(objectInWords('vending_machine')).toBe('Vending machine');
});

it('a detail tells before and after, and what has one value only', () => {
  expect(
    changesOf('{"routeDesignation": [null, "101"], "isActive": [true, false], "bytes": 12, "list": [1, 2, 3]}'),
  ).toEqual([
    { name: 'Route designation', before: 'none', after: '101' },
    { name: 'Is active', before: 'yes', after: 'no' },
    { name: 'Bytes', before: null, after: '12' },
    { name: 'List', before: null, after: '[1,2,3]' },
  ]);
  expect(changesOf(null)).toEqual([]);
});

it('a day and an instant in a detail are written as everywhere', () => {
  setOperatorFormats({ timeZone: 'America/New_York', distanceUnit: 'mi', currency: 'USD' });
  expect(
    changesOf('{"expiresAt": [null, "2026-12-01T05:30:00.000Z"], "from": "2026-11-29", "path": "2026-11-29.csv"}'),
  ).toEqual([
    { name: 'Expires at', before: 'none', after: 'Dec 1, 2026, 12:30 AM' },
    { name: 'From', before: null, after: 'Nov 29, 2026' },
    { name: 'Path', before: null, after: '2026-11-29.csv' },
  ]);
});
