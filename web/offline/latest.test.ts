import { expect, test } from 'vitest';
import { latest } from './latest.ts';
import { untilIdle } from './testing/fake-phone.ts';

test('what changes many times during a read is read once more after it, never twice at once', async () => {
  const ends: (() => void)[] = [];
  const read = latest(() => new Promise<void>((resolve) => ends.push(resolve)));
  for (let i = 0; i < 20; i++) read();
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await untilIdle(() => false);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await untilIdle(() => false);
  expect(ends).toHaveLength(2);
});

test('a read that fails is not the last one', async () => {
  let runs = 0;
  const read = latest(async () => {
    runs += 1;
    throw new Error('closed');
  });
  read();
  await untilIdle(() => false);
  read();
  await untilIdle(() => false);
  expect(runs).toBe(2);
});
