// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { DayField } from './day-field.tsx';

afterEach(cleanup);

test('a day in a form is written as everywhere, and the platform’s own control under its name changes it', () => {
  const chosen = vi.fn();
  render(<DayField label="Plan for" day="2026-03-02" onChange={chosen} />);
  expect(screen.getByText('Mar 2, 2026')).toBeTruthy();
  const control = screen.getByLabelText<HTMLInputElement>('Plan for');
  expect(control.type).toBe('date');
  fireEvent.change(control, { target: { value: '2026-03-09' } });
  expect(chosen).toHaveBeenCalledWith('2026-03-09');
});

test('an emptied day is no choice', () => {
  const chosen = vi.fn();
  render(<DayField label="Plan for" day="2026-03-02" onChange={chosen} />);
  fireEvent.change(screen.getByLabelText('Plan for'), { target: { value: '' } });
  expect(chosen).not.toHaveBeenCalled();
});
