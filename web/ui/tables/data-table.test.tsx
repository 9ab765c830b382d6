import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { type Column, DataTable } from './data-table.tsx';
import { byNumber } from './order-choice.tsx';

const columns: Column<number>[] = [
  { key: 'number', header: 'Number', sortValue: (row) => row, orders: byNumber, cell: (row) => `No. ${row}` },
];
const rows = Array.from({ length: 60 }, (_, n) => n + 1);
const table = () => (
  <DataTable label="Losses" name="losses" rows={rows} columns={columns} rowKey={(row) => row} empty={null} />
);
const first = (): string | null => screen.getAllByRole('cell')[0]?.textContent ?? null;

afterEach(() => {
  cleanup();
  window.history.replaceState(null, '', '/');
});

it('keeps its order and its page in the address under its name, for a reload and a shared link', async () => {
  const user = userEvent.setup();
  render(table());
  await user.click(screen.getByRole('button', { name: 'Number' }));
  await user.click(screen.getByRole('button', { name: 'Number' }));
  const before = window.history.length;
  await user.click(screen.getByRole('button', { name: 'Next page' }));
  expect(window.location.search).toBe('?losses-sort=-number&losses-page=2');
  expect(window.history.length).toBe(before + 1);
  cleanup();
  render(table());
  expect(first()).toBe('No. 35');
  await user.click(screen.getByRole('button', { name: 'Number' }));
  expect([first(), window.location.search]).toEqual(['No. 1', '?losses-sort=number']);
});

it('opens as usual where the address names a page or an order that it does not have', () => {
  window.history.replaceState(null, '', '/?losses-sort=colour&losses-page=none');
  render(table());
  expect(first()).toBe('No. 1');
  cleanup();
  window.history.replaceState(null, '', '/?losses-page=99');
  render(table());
  expect(first()).toBe('No. 51');
});

it('is put in order by words as well, for a phone that has no room for every head', async () => {
  const user = userEvent.setup();
  render(table());
  const choice = screen.getByRole('combobox', { name: 'Sort by' });
  expect(choice).toHaveProperty('value', '');
  await user.selectOptions(choice, 'Number: highest first');
  expect([first(), window.location.search]).toEqual(['No. 60', '?losses-sort=-number']);
  expect(screen.getByRole('columnheader').getAttribute('aria-sort')).toBe('descending');
});
