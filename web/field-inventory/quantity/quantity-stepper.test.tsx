// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { QuantityStepper } from './quantity-stepper.tsx';

afterEach(cleanup);

function Row() {
  const [quantity, setQuantity] = useState(3);
  return <QuantityStepper label="Water" quantity={quantity} capacity={null} size="row" onSet={setQuantity} />;
}

test.each([
  ['a number', '12{Enter}', '12'],
  ['a change of mind', '{Escape}', '3'],
])('after %s on the pad a keyboard goes on at the count', async (_, keys, shown) => {
  const user = userEvent.setup();
  render(<Row />);
  screen.getByRole('button', { name: /^Water: 3/ }).focus();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(screen.getByLabelText('Number of Water'));
  await user.keyboard(keys);
  expect(screen.queryByLabelText('Number of Water')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: new RegExp(`^Water: ${shown}\\.`) }));
});

test.each([
  ['sets the number that was typed', '12', '12'],
  ['without a number typed leaves the count', '', '3'],
])('a press beside the pad %s', async (_, keys, shown) => {
  const user = userEvent.setup();
  render(<Row />);
  screen.getByRole('button', { name: /^Water: 3/ }).focus();
  await user.keyboard(`{Enter}${keys}`);
  await user.click(screen.getByRole('button', { name: 'Close the number pad' }));
  expect(screen.queryByLabelText('Number of Water')).toBeNull();
  expect(screen.getByRole('button', { name: new RegExp(`^Water: ${shown}\\.`) })).toBeTruthy();
});

test('a press beside the pad loses no number that cannot be: the pad stays and says why', async () => {
  const user = userEvent.setup();
  render(<Row />);
  screen.getByRole('button', { name: /^Water: 3/ }).focus();
  await user.keyboard('{Enter}{Backspace}');
  await user.click(screen.getByRole('button', { name: 'Close the number pad' }));
  expect(screen.getByRole('alert').textContent).not.toBe('');
});

test('Escape leaves the pad also after one of its keys was pressed', async () => {
  const user = userEvent.setup();
  render(<Row />);
  screen.getByRole('button', { name: /^Water: 3/ }).focus();
  await user.keyboard('{Enter}');
  await user.click(screen.getByRole('button', { name: '7' }));
  // Taken by the pad: left to the browser, the same key would close a dialog around it.
  expect(fireEvent.keyDown(screen.getByRole('button', { name: '7' }), { key: 'Escape' })).toBe(false);
  expect(screen.queryByLabelText('Number of Water')).toBeNull();
  expect(screen.getByRole('button', { name: /^Water: 3\./ })).toBeTruthy();
});

test('the finger that held the number to open the pad presses nothing of it when it is lifted', async () => {
  vi.useFakeTimers();
  render(<Row />);
  const count = screen.getByRole('button', { name: /^Water: 3/ });
  fireEvent.pointerDown(count);
  act(() => vi.advanceTimersByTime(500));
  vi.useRealTimers();
  fireEvent.pointerUp(count);
  fireEvent.click(screen.getByRole('button', { name: '7' }), { detail: 1 });
  expect(screen.getByLabelText('Number of Water')).toHaveProperty('value', '3');
  await userEvent.setup().click(screen.getByRole('button', { name: '7' }));
  expect(screen.getByLabelText('Number of Water')).toHaveProperty('value', '7');
});
