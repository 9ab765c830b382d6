// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { MomentField } from './moment-field.tsx';

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Held({ onChange, first = '' }: { onChange: (moment: string) => void; first?: string }) {
  const [value, setValue] = useState(first);
  const change = (moment: string): void => {
    setValue(moment);
    onChange(moment);
  };
  return <MomentField label="Ends" value={value} onChange={change} usualTime="23:59" empty="No day chosen" />;
}

const type = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });

test('a day has its usual time until another is chosen, and is written as everywhere', () => {
  const chosen = vi.fn();
  render(<Held onChange={chosen} />);
  type('Ends, day', '2026-03-02');
  expect(chosen).toHaveBeenLastCalledWith('2026-03-02T23:59');
  expect(screen.getByText('Mar 2, 2026')).toBeTruthy();
  type('Ends, time', '08:30');
  expect(chosen).toHaveBeenLastCalledWith('2026-03-02T08:30');
  type('Ends, day', '2026-03-03');
  expect(chosen).toHaveBeenLastCalledWith('2026-03-03T08:30');
});

test('without a day there is no moment', () => {
  const chosen = vi.fn();
  render(<Held onChange={chosen} first="2026-03-02T08:30" />);
  type('Ends, day', '');
  expect(chosen).toHaveBeenLastCalledWith('');
  expect(screen.getByText('No day chosen')).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>('Ends, time').value).toBe('');
});

test('a time without a day is of today', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-05T12:00:00.000Z') });
  const chosen = vi.fn();
  render(<Held onChange={chosen} />);
  type('Ends, time', '08:30');
  expect(chosen).toHaveBeenLastCalledWith('2026-03-05T08:30');
});
