// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Select } from './select.tsx';

afterEach(cleanup);

const options = [
  { value: '', label: 'All Routes' },
  { value: '101', label: 'Route 101' },
];

test.each([
  ['', 'All Routes'],
  ['101', 'Route 101'],
  ['999', '999'],
])('of the value %j it shows %s, also where that is none of its options', (value, shown) => {
  render(<Select label="Route" value={value} options={options} onChange={() => {}} />);
  const select = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Route' });
  expect([select.value, select.selectedOptions[0]?.text]).toEqual([value, shown]);
});
