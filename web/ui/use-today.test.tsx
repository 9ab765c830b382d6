// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { listMarkets } from '../../contract/markets.ts';
import { call } from '../http/client.ts';
import { setOperatorFormats } from '../http/format.ts';
import { useToday } from './use-today.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function Day() {
  return <p>{useToday()}</p>;
}

test('what is left open over midnight goes on with the next day, where the operator is', () => {
  setOperatorFormats({ timeZone: 'America/New_York', currency: 'USD', distanceUnit: 'mi' });
  vi.useFakeTimers({ now: Date.parse('2026-03-03T04:59:00.000Z') });
  render(<Day />);
  expect(screen.getByText('2026-03-02')).toBeDefined();
  act(() => vi.advanceTimersByTime(60_000));
  expect(screen.getByText('2026-03-03')).toBeDefined();
});

test('the day is the one that the server’s answers tell, also where the computer’s clock is wrong', async () => {
  setOperatorFormats({ timeZone: 'America/New_York', currency: 'USD', distanceUnit: 'mi' });
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-05T15:00:00.000Z') });
  const answerAt = (date: string) =>
    vi.stubGlobal('fetch', async () => Response.json({}, { headers: { date: new Date(date).toUTCString() } }));
  render(<Day />);
  expect(screen.getByText('2026-03-05')).toBeDefined();
  answerAt('2026-03-03T15:00:00Z');
  await act(() => call(listMarkets, { query: {} }));
  expect(screen.getByText('2026-03-03')).toBeDefined();
  answerAt('2026-03-05T15:00:10Z');
  await act(() => call(listMarkets, { query: {} }));
  expect(screen.getByText('2026-03-05')).toBeDefined();
});
