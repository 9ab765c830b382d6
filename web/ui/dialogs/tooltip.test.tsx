import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Tooltip, Tooltips } from './tooltip.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTime(ms));
const enter = (name: string) => fireEvent.pointerMove(screen.getByText(name), { pointerType: 'mouse' });
function leave(name: string): void {
  fireEvent.pointerLeave(screen.getByText(name), { pointerType: 'mouse' });
  // What it says may be pointed at: it is left once the pointer is beside that too.
  fireEvent.pointerMove(document.body, { clientX: 500, clientY: 500 });
}
const shown = () => screen.queryByRole('tooltip')?.textContent;

function twoOfThem(): void {
  render(
    <Tooltips>
      <Tooltip text="Nov 3, 2026, 8:38 AM">
        <span>1 day ago</span>
      </Tooltip>
      <Tooltip text="Nov 1, 2026, 9:10 AM">
        <span>3 days ago</span>
      </Tooltip>
    </Tooltips>,
  );
}

test('it opens when the pointer has rested for 700 ms, and not before', () => {
  twoOfThem();
  enter('1 day ago');
  wait(699);
  expect(shown()).toBeUndefined();
  wait(1);
  expect(shown()).toBe('Nov 3, 2026, 8:38 AM');
});

test.each([
  ['at once within 300 ms of the last one', 299, 'Nov 1, 2026, 9:10 AM'],
  ['after the whole time again later than that', 301, undefined],
])('the next one opens %s', (_, pauseMs, expected) => {
  twoOfThem();
  enter('1 day ago');
  wait(700);
  leave('1 day ago');
  wait(pauseMs);
  enter('3 days ago');
  expect(shown()).toBe(expected);
});
