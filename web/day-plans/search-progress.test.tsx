import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { DayPlan } from '../../contract/day-plans.ts';
import { SearchProgress } from './search-progress.tsx';

afterEach(cleanup);

const searching = (costs: readonly number[]) =>
  ({
    ...{ progress: costs.map((cost, n) => ({ ms: 100 * n, cost })), elapsedMs: 1000, timeLimitMs: 5000 },
    totals: { stops: 12 },
  }) as unknown as DayPlan;

const show = (plan: DayPlan) => render(<SearchProgress plan={plan} stopping={false} onStop={vi.fn()} />);

test('a line that does not begin at zero says how much of the cost it shows', () => {
  show(searching([1000, 980, 950]));
  expect(
    screen.getByText('3 better plans so far. The line shows how the cost fell by 5%; it does not start at zero.'),
  ).toBeTruthy();
});

test('before anything fell there is nothing to say of the line', () => {
  show(searching([1000]));
  expect(screen.getByText('1 better plan so far')).toBeTruthy();
  cleanup();
  show(searching([]));
  expect(screen.getByText('Reading distances')).toBeTruthy();
});
