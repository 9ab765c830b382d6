// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Card } from '../ui/card.tsx';
import { SectionSkip } from './section-skip.tsx';

const user = userEvent.setup();
beforeEach(() => {
  // No layout here: everything that is in the document is to be seen.
  HTMLElement.prototype.checkVisibility ??= () => true;
  render(
    <>
      <SectionSkip />
      <main id="content" tabIndex={-1}>
        <Card title="Route Map">
          <button type="button">Zoom in</button>
        </Card>
        <Card title="Quick Actions">
          <button type="button">Create New Route</button>
        </Card>
      </main>
    </>,
  );
});
afterEach(cleanup);

const focused = () => document.activeElement?.textContent;

test('it takes no place among the columns of the layout', () => {
  expect(screen.getByRole('button', { name: 'Go to a section' }).parentElement?.className).toBe('contents');
});

test('a section is reached from the first control, and its first button is the next one', async () => {
  await user.tab();
  await user.keyboard('{Enter}');
  expect(focused()).toBe('Route Map');
  await user.keyboard('{ArrowDown}{Enter}');
  expect([document.activeElement?.tagName, focused()]).toEqual(['H2', 'Quick Actions']);
  expect(screen.queryByRole('list')).toBeNull();
  await user.tab();
  expect(focused()).toBe('Create New Route');
});

test('the list goes round, closes with Escape, and closes when it is left', async () => {
  await user.tab();
  await user.keyboard('{Enter}{ArrowUp}');
  expect(focused()).toBe('Quick Actions');
  await user.keyboard('{ArrowDown}');
  expect(focused()).toBe('Route Map');
  await user.keyboard('{Escape}');
  expect([focused(), screen.queryByRole('list')]).toEqual(['Go to a section', null]);
  await user.keyboard('{Enter}{Tab}{Tab}');
  expect([focused(), screen.queryByRole('list')]).toEqual(['Zoom in', null]);
});

test('a screen in one piece leads to its heading', async () => {
  cleanup();
  render(
    <>
      <SectionSkip />
      <main>
        <h1>Field Inventory</h1>
      </main>
    </>,
  );
  await user.tab();
  await user.keyboard('{Enter}{Enter}');
  expect([document.activeElement?.tagName, focused()]).toEqual(['H1', 'Field Inventory']);
});
