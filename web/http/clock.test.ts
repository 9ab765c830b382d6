// @vitest-environment happy-dom
import '../ui/testing.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const now = Date.parse('2026-03-05T15:00:00.000Z');
const hourMs = 3_600_000;

beforeEach(() => {
  localStorage.clear();
  vi.resetModules();
  vi.useFakeTimers({ toFake: ['Date'], now });
});
afterEach(() => {
  vi.useRealTimers();
});

/** The app as it starts: nothing but what the browser keeps is known. */
const started = async () => {
  vi.resetModules();
  return import('./clock.ts');
};

/** An answer by a server whose clock is so far ahead of this machine's. */
const answered = async (aheadMs: number) => {
  const { noteAnswer } = await started();
  noteAnswer(new Response(null, { headers: { date: new Date(now + aheadMs).toUTCString() } }));
};

const aheadMs = async () => (await started()).serverNow().getTime() - Date.now();

test('after a reload without a network the time is that of the server, as it was heard last', async () => {
  await answered(30 * hourMs);
  vi.setSystemTime(now + 5 * hourMs);
  expect(await aheadMs()).toBe(30 * hourMs);
});

test('what was heard more than a day ago is believed no more', async () => {
  await answered(30 * hourMs);
  vi.setSystemTime(now + 25 * hourMs);
  expect(await aheadMs()).toBe(0);
});

test('a clock that shows a time before the answer has been turned, and what was heard says nothing', async () => {
  await answered(30 * hourMs);
  vi.setSystemTime(now - 2 * hourMs);
  expect(await aheadMs()).toBe(0);
});

test('what was heard before goes before what the phone keeps, and the next answer before both', async () => {
  await answered(2 * hourMs);
  const { noteAnswer, noteKeptClock, serverNow } = await started();
  noteKeptClock(hourMs);
  expect(serverNow().getTime()).toBe(now + 2 * hourMs);
  noteAnswer(new Response(null, { headers: { date: new Date(now).toUTCString() } }));
  expect(serverNow().getTime()).toBe(now);
});

test('what another program has written there is nothing to go by', async () => {
  localStorage.setItem('milkrun-clock', 'noon');
  expect(await aheadMs()).toBe(0);
});
