// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { dismissToast, toastStore } from '../ui/toasts/toast.ts';
import { askWhenSeen, offerUpdate, useUpdate } from './updates.ts';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Menu() {
  const update = useUpdate();
  return (
    update && (
      <button type="button" onClick={update}>
        Update Milkrun
      </button>
    )
  );
}

test('a newer version can be taken after its toast has gone, and after it had to wait for counts under way', async () => {
  const posted: unknown[] = [];
  let isSending = true;
  render(<Menu />);
  expect(screen.queryByRole('button')).toBeNull();
  const worker = { state: 'installed' as const, postMessage: (message: unknown) => posted.push(message) };
  act(() => offerUpdate(worker, () => !isSending));
  act(() => dismissToast(toastStore.get()[0]?.id ?? 0));
  await userEvent.click(screen.getByRole('button', { name: 'Update Milkrun' }));
  expect(toastStore.get()[0]).toMatchObject({ title: 'Counts are being sent', action: { label: 'Update' } });
  expect(posted).toEqual([]);
  isSending = false;
  act(() => toastStore.get()[0]?.action?.run());
  expect(posted).toEqual([{ type: 'take-over' }]);
});

test('a newer version that another tab has taken is taken by a reload', async () => {
  const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => {});
  const posted: unknown[] = [];
  const worker = { state: 'installed' as ServiceWorkerState, postMessage: (message: unknown) => posted.push(message) };
  act(() => offerUpdate(worker, () => true));
  worker.state = 'activated';
  act(() => toastStore.get()[0]?.action?.run());
  expect(posted).toEqual([]);
  expect(reload).toHaveBeenCalledTimes(1);
  reload.mockRestore();
});

test('an app that stays open asks for a newer version when it is seen again, at most once an hour', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  let asked = 0;
  const update = async () => {
    asked += 1;
    throw new TypeError('offline');
  };
  const stop = askWhenSeen({ update });
  const seenAfterMs = (ms: number) => {
    vi.setSystemTime(Date.now() + ms);
    document.dispatchEvent(new Event('visibilitychange'));
    return asked;
  };
  expect(seenAfterMs(60_000)).toBe(0);
  expect(seenAfterMs(3_600_000)).toBe(1);
  expect(seenAfterMs(60_000)).toBe(1);
  stop();
  expect(seenAfterMs(7_200_000)).toBe(1);
});
