import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { setOperatorFormats } from '../../http/format.ts';
import { Clock } from './clock.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  setOperatorFormats({ timeZone: 'UTC', distanceUnit: 'mi', currency: 'USD' });
});

test('the clock names the day of the week where the operator is', () => {
  vi.useFakeTimers({ now: new Date('2026-03-13T02:42:00Z') });
  setOperatorFormats({ timeZone: 'America/New_York', distanceUnit: 'mi', currency: 'USD' });
  render(<Clock />);
  expect(screen.getByText('Thu, Mar 12, 2026 · 10:42 PM')).toBeDefined();
});
