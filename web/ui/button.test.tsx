// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
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
