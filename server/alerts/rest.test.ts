import { expect, it } from 'vitest';
import { atEase } from './rest.ts';

it('work that nobody waits for has its share of the time, however long its parts take', async () => {
  let at = 0;
  const waits: number[] = [];
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms);
    at += ms;
  };
  const rest = atEase(1 / 4, { now: () => at, wait });
  for (const worked of [100, 20]) {
    at += worked;
    await rest();
  }
  expect(waits).toEqual([300, 60]);
});
