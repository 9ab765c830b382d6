import { QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../http/client.ts';
import { createQueryClient, doneWithout } from '../http/query-client.ts';
import { watchUnanswered } from './unanswered.ts';

const away = new ApiError(503, 'away', { detail: 'The database does not answer. Try again in a moment.' }, '2');
const awayWords = 'The database does not answer. Milkrun keeps trying: what is missing comes by itself.';

let stops: (() => void)[] = [];
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  vi.useRealTimers();
});

function watched() {
  const client = createQueryClient();
  const said: (string | null)[] = [];
  stops.push(watchUnanswered(client, (words) => said.push(words)));
  const ask = (name: string, queryFn: () => Promise<unknown>) => {
    const stop = new QueryObserver(client, { queryKey: [name], queryFn }).subscribe(() => {});
    stops.push(stop);
    return stop;
  };
  return { client, ask, now: () => said.at(-1) ?? null };
}
const after = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const never = () => new Promise<never>(() => {});

test('what failed and is asked again is told after two seconds, until the answer', async () => {
  let isAway = true;
  const { ask, now } = watched();
  ask('markets', async () => {
    if (isAway) throw away;
    return [];
  });
  await after(1_900);
  expect(now()).toBeNull();
  await after(200);
  expect(now()).toBe(awayWords);
  isAway = false;
  await after(2_000);
  expect(now()).toBeNull();
});

test('when the screen has given up it is still told, and while it asks again, until anything is answered', async () => {
  const { client, ask, now } = watched();
  ask('markets', () => Promise.reject(away));
  await after(20_000);
  expect(now()).toBe(awayWords);
  void client.invalidateQueries();
  await after(100);
  expect(now()).toBe(awayWords);
  await after(20_000);
  ask('stock', async () => []);
  await after(100);
  expect(now()).toBeNull();
});

test('when one thing is answered, what waits for its next try is told as a part', async () => {
  const { ask, now } = watched();
  let isAway = true;
  ask('markets', async () => {
    if (isAway) throw away;
    return [];
  });
  await after(2_500);
  isAway = false;
  ask('stock', async () => []);
  await after(100);
  expect(now()).toBe('Part of this screen has no answer yet. Milkrun keeps trying: what is missing comes by itself.');
  await after(2_000);
  expect(now()).toBeNull();
});

test('a server that cannot be reached is told too, a refusal is not', async () => {
  const { ask, now } = watched();
  ask('refused', () => Promise.reject(new ApiError(403, 'no')));
  await after(5_000);
  expect(now()).toBeNull();
  ask('markets', () => Promise.reject(new ApiError(0, 'The server cannot be reached. Check the connection.')));
  await after(3_000);
  expect(now()).toBe('The server cannot be reached. Milkrun keeps trying: what is missing comes by itself.');
});

test('no answer at all is told after a while, unless others are answered meanwhile', async () => {
  const { ask, now } = watched();
  ask('markets', never);
  await after(3_900);
  expect(now()).toBeNull();
  await after(200);
  expect(now()).toBe('No answer from the server yet. Still waiting for it.');
  ask('stock', async () => []);
  await after(10_000);
  expect(now()).toBeNull();
});

test('who waits without any answer and is then refused one is told so without a pause', async () => {
  const { ask, now } = watched();
  ask('stock', () => new Promise((_, reject) => setTimeout(() => reject(away), 6_000)));
  await after(5_900);
  expect(now()).toBe('No answer from the server yet. Still waiting for it.');
  await after(200);
  expect(now()).toBe(awayWords);
});

test('a screen that is left takes its words along', async () => {
  const { ask, now } = watched();
  const leave = ask('markets', () => Promise.reject(away));
  const leaveOther = ask('stock', never);
  await after(5_000);
  expect(now()).toBe(awayWords);
  leave();
  expect(now()).toBe('No answer from the server yet. Still waiting for it.');
  leaveOther();
  expect(now()).toBeNull();
});

test.each([
  ['fails', () => Promise.reject(new ApiError(0, 'The server cannot be reached. Check the connection.'))],
  ['does not answer', never],
])('what a screen does well without is not told when it %s', async (_, queryFn) => {
  const { client, now } = watched();
  const options = { queryKey: ['directions'], queryFn, meta: doneWithout };
  stops.push(new QueryObserver(client, options).subscribe(() => {}));
  await after(10_000);
  expect(now()).toBeNull();
});

test('what somebody writes into the cache is no answer', async () => {
  const { client, ask, now } = watched();
  ask('markets', () => Promise.reject(away));
  await after(3_000);
  client.setQueryData(['session'], {});
  expect(now()).toBe(awayWords);
});
