import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Segmented } from './segmented.tsx';

it('a label that may be cut is told whole where the pointer rests, and a short one is not repeated', () => {
  const long = 'Route of the northern business parks';
  const options = ['All', long].map((label) => ({ value: label, label }));
  render(<Segmented label="Route" options={options} value="All" onChange={() => {}} />);
  expect(screen.getByRole('button', { name: long }).title).toBe(long);
  expect(screen.getByRole('button', { name: 'All' }).title).toBe('');
});
