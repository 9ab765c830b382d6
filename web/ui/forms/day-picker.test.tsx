// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DayPicker } from './day-picker.tsx';

const chosen = vi.fn();
beforeEach(() => {
  chosen.mockClear();
  render(<DayPicker day="2026-03-02" onChange={chosen} />);
});
afterEach(cleanup);

const control = (): HTMLInputElement => screen.getByLabelText('Date, Mar 2, 2026');

test('the day is written as everywhere, not as the platform writes it', () => {
  expect(screen.getByText('Mar 2, 2026', { exact: false }).className).not.toContain('sr-only');
  expect(control().className).toContain('opacity-0');
});

test('a press anywhere on it opens the platform’s picker, and what is chosen there counts', async () => {
  const opened = vi.fn();
  control().showPicker = opened;
  await userEvent.click(control());
  expect(opened).toHaveBeenCalledOnce();
  fireEvent.change(control(), { target: { value: '2026-03-09' } });
  expect(chosen).toHaveBeenCalledWith('2026-03-09');
});

test('a browser that cannot open a picker lets type into it', async () => {
  control().showPicker = () => {
    throw new DOMException('Not here.', 'NotAllowedError');
  };
  await userEvent.click(control());
  expect(document.activeElement).toBe(control());
});

test('an emptied day is no choice', () => {
  fireEvent.change(control(), { target: { value: '' } });
  expect(chosen).not.toHaveBeenCalled();
});
