// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DayField } from './day-field.tsx';

afterEach(cleanup);

test('a day in a form is written as everywhere, and the platform’s own control under its name changes it', () => {
  const chosen = vi.fn();
  render(<DayField label="Plan for" value="2026-03-02" onChange={chosen} />);
  expect(screen.getByText('Mar 2, 2026')).toBeTruthy();
  const control = screen.getByLabelText<HTMLInputElement>('Plan for');
  expect(control.type).toBe('date');
  fireEvent.change(control, { target: { value: '2026-03-09' } });
  expect(chosen).toHaveBeenCalledWith('2026-03-09');
});

test('an emptied day is no choice', () => {
  const chosen = vi.fn();
  render(<DayField label="Plan for" value="2026-03-02" onChange={chosen} />);
  fireEvent.change(screen.getByLabelText('Plan for'), { target: { value: '' } });
  expect(chosen).not.toHaveBeenCalled();
});

test('where there may be no day, words stand for it, and an emptied one is told', () => {
  const chosen = vi.fn();
  const { rerender } = render(<DayField label="From" value="" empty="Any day" onChange={chosen} />);
  expect(screen.getByText('Any day')).toBeTruthy();
  rerender(<DayField label="From" value="2026-03-02" empty="Any day" onChange={chosen} />);
  expect(screen.queryByText('Any day')).toBeNull();
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '' } });
  expect(chosen).toHaveBeenCalledWith('');
});

test('what is wrong with a day stands under it and is told to who cannot see it', () => {
  render(<DayField label="Date" value="" empty="No day chosen" error="Date is required" onChange={vi.fn()} />);
  const control = screen.getByLabelText('Date');
  expect(control.getAttribute('aria-invalid')).toBe('true');
  const message = document.getElementById(control.getAttribute('aria-describedby') ?? '');
  expect(message?.textContent).toBe('Date is required');
});
