import { expect, test } from 'vitest';
import { holdsDropped, holdsUnkeepable, keepable, textProblem, turningText, unkeepableText } from './plain-text.ts';

const turning = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

test.each(turning.map((one) => [one.codePointAt(0)?.toString(16), one]))('U+%s is told and dropped', (_, one) => {
  expect(textProblem(`Depot ${one}north`)).toBe(turningText);
  const told = { name: `a${one}b`, [`k${one}`]: [one, { deep: `${one}c` }], at: new Date(0), n: 1 };
  expect(holdsDropped(told)).toBe(true);
  // A database would keep it.
  expect(holdsUnkeepable(told)).toBe(false);
  expect(keepable(told)).toEqual({ name: 'ab', k: ['', { deep: 'c' }], at: new Date(0), n: 1 });
});

test('what no database keeps has its own sentence', () => {
  expect(textProblem('a\u0000\u202e')).toBe(unkeepableText);
  expect(textProblem('Plain \u05e9\u05dc\u05d5\u05dd')).toBeUndefined();
});
