import { expect, test } from 'vitest';
import { counted } from './counted.ts';

test('the words that go with one stand for one alone', () => {
  const said = [0, 1, 2, 1200].map((count) => counted(count, 'balance differs', 'balances differ'));
  expect(said).toEqual(['0 balances differ', '1 balance differs', '2 balances differ', '1,200 balances differ']);
});
