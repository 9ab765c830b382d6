// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ComboBox } from './combo-box.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const options = ['Arch', 'Broad', 'Chestnut'].map((label) => ({ key: label, label }));

/** What was brought into sight, by role and name. */
function brought(): string[] {
  const seen: string[] = [];
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(async function (this: Element) {
    seen.push(`${this.getAttribute('role')} ${this.getAttribute('aria-label') ?? this.textContent}`);
  });
  return seen;
}

function open(shown = options): void {
  render(<ComboBox label="Street" text="" onText={() => undefined} options={shown} onChoose={() => undefined} />);
  fireEvent.click(screen.getByRole('combobox', { name: 'Street' }));
}

test('the list is brought into sight when it opens, as a dialog may end above it', () => {
  const seen = brought();
  open();
  expect(seen).toEqual(['listbox Street']);
});

test('the suggestion that arrow keys come to is brought into sight', () => {
  const seen = brought();
  open();
  const box = screen.getByRole('combobox', { name: 'Street' });
  fireEvent.keyDown(box, { key: 'ArrowDown' });
  fireEvent.keyDown(box, { key: 'ArrowDown' });
  expect(seen.slice(1)).toEqual(['option Arch', 'option Broad']);
});

test('the list is taken away again when one is chosen', () => {
  open();
  fireEvent.click(screen.getByRole('option', { name: 'Broad' }));
  expect(screen.queryByRole('listbox')).toBeNull();
});
