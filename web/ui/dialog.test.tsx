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
