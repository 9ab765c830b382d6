// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ShowMore } from './show-more.tsx';

const user = userEvent.setup();
afterEach(cleanup);

const part = { shown: 60, total: 1100, step: 60, things: 'routes' };
const said = () => screen.getByRole('status').textContent;

test('says how much of the list is there and brings the next part', async () => {
  const onMore = vi.fn();
  render(<ShowMore {...part} onMore={onMore} />);
  expect(said()).toBe('60 of 1,100 routes');
  await user.click(screen.getByRole('button', { name: 'Show 60 more' }));
  expect(onMore).toHaveBeenCalledOnce();
});

test('offers no more than there is', () => {
  render(<ShowMore {...part} shown={1080} onMore={vi.fn()} />);
  expect(screen.getByRole('button', { name: 'Show 20 more' })).toBeDefined();
});

test('a part that is on its way is not asked for again', () => {
  render(<ShowMore {...part} pending onMore={vi.fn()} />);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Loading...' }).disabled).toBe(true);
});

test('a part that did not load is said and can be asked for again', async () => {
  const onMore = vi.fn();
  render(<ShowMore {...part} failed onMore={onMore} />);
  expect(said()).toBe('The next ones did not load. 60 of 1,100 routes');
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onMore).toHaveBeenCalledOnce();
});

test.each([1100, 1101])('is gone once %i of 1,100 are there', (shown) => {
  const { container } = render(<ShowMore {...part} shown={shown} onMore={vi.fn()} />);
  expect(container.childElementCount).toBe(0);
});
