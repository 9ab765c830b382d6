import { afterEach, expect, test, vi } from 'vitest';
import { getStreetMap } from '../../contract/roads.ts';
import { call } from '../http/client.ts';
import { serverNow } from '../http/clock.ts';
import { withoutTime } from './without-time.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('an answer that the phone kept days ago does not set the day back', async () => {
  const now = new Date('2026-03-05T15:00:00.000Z');
  vi.useFakeTimers({ toFake: ['Date'], now });
  const map = { tiles: null, bounds: null, source: 'estimate' };
  const cachedResponse = Response.json(map, { headers: { date: new Date('2026-03-02T15:00:00Z').toUTCString() } });
  vi.stubGlobal('fetch', () => withoutTime.cachedResponseWillBeUsed({ cachedResponse }));
  expect(await call(getStreetMap, {})).toEqual(map);
  expect(serverNow()).toEqual(now);
});

test('where nothing was kept there is no answer', async () => {
  expect(await withoutTime.cachedResponseWillBeUsed({})).toBeUndefined();
});
