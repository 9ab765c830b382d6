import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Dialog } from '../dialogs/dialog.tsx';
import { dismissToast, TOAST_DURATION, TOAST_LIMIT, TOAST_REMOVE_DELAY, toast, toastStore } from './toast.ts';
import { ToastHost } from './toast-host.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.runAllTimers();
  vi.useRealTimers();
});

test('one toast, five seconds, and a dismissed one is forgotten after a million milliseconds', () => {
  expect([TOAST_LIMIT, TOAST_DURATION, TOAST_REMOVE_DELAY]).toEqual([1, 5000, 1_000_000]);
});

test('a second toast replaces the first', () => {
  render(<ToastHost />);
  act(() => toast({ title: 'Market Created' }));
  act(() => toast({ title: 'Market Updated' }));
  expect(screen.queryByText('Market Created')).toBeNull();
  expect(screen.getByText('Market Updated')).toBeDefined();
});

test('what else there is to know stands beneath the set text', () => {
  render(<ToastHost />);
  act(() => toast({ title: 'Update Failed', description: 'Changes saved locally.', detail: 'This item was removed.' }));
  const [said, detail] = ['Changes saved locally.', 'This item was removed.'].map((text) => screen.getByText(text));
  expect(said?.nextElementSibling).toBe(detail);
});

test('a toast closes by itself after its time and not before', () => {
  render(<ToastHost />);
  act(() => toast({ title: 'Stop Completed' }));
  act(() => vi.advanceTimersByTime(4999));
  expect(toastStore.get()[0]?.open).toBe(true);
  act(() => vi.advanceTimersByTime(1));
  expect(toastStore.get()[0]?.open).toBe(false);
});

test('a dismissed toast stays known until the remove delay is over', () => {
  toast({ title: 'Route Started' });
  dismissToast(toastStore.get()[0]?.id ?? 0);
  vi.advanceTimersByTime(999_999);
  expect(toastStore.get()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toastStore.get()).toHaveLength(0);
});

test.each([
  ['lies beneath the title where what a dialog holds begins near the top', 100, true],
  ['lies over title and description where it ends above what a dialog holds', 190, false],
])('on a small screen a toast %s', (_, top, isBeneath) => {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    // The dialog itself begins near the top in both.
    return new DOMRect(16, this.matches('[data-toasts]') ? top : 40, 358, 700);
  });
  render(
    <>
      <Dialog open onClose={() => {}} title="Add Market">
        <input aria-label="Name" />
      </Dialog>
      <ToastHost />
    </>,
  );
  act(() => toast({ title: 'Creation Failed', variant: 'destructive' }));
  const place = screen.getByText('Creation Failed').closest('ol');
  const follows = (one: Element, other: Element | null) =>
    one.compareDocumentPosition(other as Element) & Node.DOCUMENT_POSITION_FOLLOWING;
  expect(follows(screen.getByRole('heading', { name: 'Add Market' }), place)).toBeTruthy();
  expect(follows(place as Element, screen.getByLabelText('Name'))).toBeTruthy();
  expect(place?.className.includes('max-lg:absolute')).toBe(isBeneath);
  vi.restoreAllMocks();
});

test('a toast stands inside the newest dialog, where it can be read and pressed, and stays when that is gone', () => {
  const shown = (titles: string[]) => (
    <>
      {titles.map((title) => (
        <Dialog key={title} open onClose={() => {}} title={title} />
      ))}
      <ToastHost />
    </>
  );
  const standsIn = (): string | undefined =>
    screen.getByText('Creation Failed').closest('dialog')?.querySelector('h2')?.textContent;
  const { rerender } = render(shown([]));
  act(() => toast({ title: 'Creation Failed', variant: 'destructive' }));
  expect(standsIn()).toBeUndefined();
  rerender(shown(['Add Market', 'Pick on the map']));
  expect(standsIn()).toBe('Pick on the map');
  rerender(shown(['Add Market']));
  expect(standsIn()).toBe('Add Market');
  rerender(shown([]));
  expect(standsIn()).toBeUndefined();
  act(() => vi.advanceTimersByTime(5000));
  expect(toastStore.get()[0]?.open).toBe(false);
});
