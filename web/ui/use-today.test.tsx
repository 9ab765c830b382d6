// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { setOperatorFormats } from '../http/format.ts';
import { useToday } from './use-today.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
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
