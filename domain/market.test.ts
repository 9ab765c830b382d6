import { expect, test } from 'vitest';
import { marketInput, text } from './market.ts';
import { turningText, unkeepableText } from './plain-text.ts';

const saidOf = (given: unknown) => text(20, 'License plate').nullish().safeParse(given).error?.issues[0]?.message;

test.each([
  [undefined, undefined],
  [null, undefined],
  ['', undefined],
  ['KXJ 1234', undefined],
  [7, 'License plate must be text'],
  ['x'.repeat(21), 'License plate is too long: at most 20 characters'],
  ['a\u0000b', unkeepableText],
  ['half of an emoji \ud83e', unkeepableText],
  ['Depot \u202egnp.exe', turningText],
  ['Depot \u2067north\u2069', turningText],
  // What is written from right to left needs none of them, and an emoji of several keeps what joins it.
  ['\u05de\u05db\u05d5\u05e0\u05d4 12\u200f', undefined],
  ['\ud83d\udc69\u200d\ud83d\udd27', undefined],
])('a text %j is told %j', (given, sentence) => expect(saidOf(given)).toBe(sentence));

test('what cannot be kept is told at its field', () => {
  const market = { name: 'a\u0000', address: '1 Arch Street', latitude: '40', longitude: '-75', status: 'active' };
  const { error } = marketInput.safeParse(market);
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([['name', unkeepableText]]);
});
