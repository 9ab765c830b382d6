// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { Dialog } from './dialog.tsx';

afterEach(cleanup);

test('closing a dialog inside another leaves the outer one, and what was typed there, open', () => {
  const outer = vi.fn();
  const inner = vi.fn();
  render(
    <Dialog open onClose={outer} title="Form">
      <Dialog open onClose={inner} title="Question" />
    </Dialog>,
  );
  // What the platform sends after Escape.
  fireEvent(screen.getByRole('dialog', { name: 'Question' }), new Event('close'));
  expect([inner.mock.calls.length, outer.mock.calls.length]).toEqual([1, 0]);
  fireEvent(screen.getByRole('dialog', { name: 'Form' }), new Event('close'));
  expect(outer).toHaveBeenCalledOnce();
});

test('a steady dialog is ended by its own buttons only', () => {
  const left = vi.fn();
  render(
    <Dialog open steady onClose={left} title="Question">
      <button type="button" onClick={left}>
        Discard
      </button>
    </Dialog>,
  );
  const dialog = screen.getByRole('dialog', { name: 'Question' });
  fireEvent.click(dialog);
  expect(fireEvent(dialog, new Event('cancel', { cancelable: true }))).toBe(false);
  expect(dialog).toBeInstanceOf(HTMLDialogElement);
  if (dialog instanceof HTMLDialogElement) dialog.close();
  expect([dialog.hasAttribute('open'), left.mock.calls.length]).toEqual([true, 0]);
  expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(left).toHaveBeenCalledOnce();
});

test('focus goes back to where the dialog was opened, also from one that took the place of another', () => {
  const opened = (dialog: string | null) => (
    <>
      <button type="button">Rules</button>
      {dialog && (
        <Dialog key={dialog} open onClose={() => {}} title={dialog}>
          <input aria-label={`Field of ${dialog}`} />
        </Dialog>
      )}
    </>
  );
  const { rerender } = render(opened(null));
  const opener = screen.getByRole('button', { name: 'Rules' });
  opener.focus();
  for (const dialog of ['Loading', 'Form']) {
    rerender(opened(dialog));
    screen.getByLabelText(`Field of ${dialog}`).focus();
    expect(document.activeElement).not.toBe(opener);
  }
  rerender(opened(null));
  expect(document.activeElement).toBe(opener);
});

test('a press behind the dialog leaves it; a text selected past its edge does not', () => {
  const left = vi.fn();
  render(
    <Dialog open onClose={left} title="Form">
      <input aria-label="Name" />
    </Dialog>,
  );
  const dialog = screen.getByRole('dialog', { name: 'Form' });
  // Pressed in the field and let go behind the dialog: the browser clicks what holds both.
  fireEvent.pointerDown(screen.getByLabelText('Name'));
  fireEvent.click(dialog);
  expect(left).not.toHaveBeenCalled();
  fireEvent.pointerDown(dialog);
  fireEvent.click(dialog);
  expect(left).toHaveBeenCalledOnce();
});

test('a dialog whose opener went with what it was asked for gives the focus to the heading above it', () => {
  const opened = (rows: readonly string[], asked: string | null) => (
    <section>
      <h2>Depots</h2>
      {rows.map((row) => (
        <button key={row} type="button">{`Delete ${row}`}</button>
      ))}
      {asked && <Dialog open onClose={() => {}} title="Delete?" footer={<button type="button">Delete</button>} />}
    </section>
  );
  const { rerender } = render(opened(['North'], null));
  screen.getByRole('button', { name: 'Delete North' }).focus();
  rerender(opened(['North'], 'North'));
  screen.getByRole('button', { name: 'Delete' }).focus();
  rerender(opened([], 'North'));
  rerender(opened([], null));
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Depots' }));
});
