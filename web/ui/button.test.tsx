// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { Button } from './button.tsx';

afterEach(cleanup);

const shown = (pending: boolean) => (
  <>
    <Button pending={pending}>Save</Button>
    <Button>Next</Button>
  </>
);
/** As browsers take it from a button that is switched off. */
function loseFocus(): void {
  const gone = document.body.appendChild(document.createElement('input'));
  gone.focus();
  gone.remove();
}
const button = (name: string) => screen.getByRole('button', { name });

test('a button that was pressed by key has the focus again when its work is done', () => {
  const { rerender } = render(shown(false));
  button('Save').focus();
  rerender(shown(true));
  loseFocus();
  rerender(shown(false));
  expect(document.activeElement).toBe(button('Save'));
});

test('a focus that went on meanwhile stays where it is', () => {
  const { rerender } = render(shown(false));
  button('Save').focus();
  rerender(shown(true));
  button('Next').focus();
  rerender(shown(false));
  expect(document.activeElement).toBe(button('Next'));
});

test('a double click starts the work of a button once, wherever its second click lands', async () => {
  const user = userEvent.setup();
  const press = vi.fn();
  const { rerender } = render(
    <Button pending={false} onClick={press}>
      Book
    </Button>,
  );
  await user.dblClick(button('Book'));
  expect(press).toHaveBeenCalledTimes(1);
  await user.click(button('Book'));
  expect(press).toHaveBeenCalledTimes(2);
  // In a form the click itself would send it.
  const send = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
  rerender(
    <form onSubmit={send}>
      <Button type="submit" pending={false}>
        Book
      </Button>
    </form>,
  );
  await user.dblClick(button('Book'));
  expect(send).toHaveBeenCalledTimes(1);
});

test('a button that starts no work is pressed as often as it is clicked', async () => {
  const press = vi.fn();
  render(<Button onClick={press}>More</Button>);
  await userEvent.setup().dblClick(button('More'));
  expect(press).toHaveBeenCalledTimes(2);
});
