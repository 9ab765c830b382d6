// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../http/client.ts';
import { FailedPage } from './failed-page.tsx';

afterEach(cleanup);

test.each([
  ['the page is let go', new ApiError(400, 'unknown page'), '?q=cola&sort=name'],
  ['an order that was refused too', new ApiError(400, '', { fields: { sort: 'must be name' } }), '?q=cola'],
])('with another try %s, and the rest stays', async (_, error, left) => {
  window.history.replaceState(null, '', '/inventory?q=cola&sort=name&page=far');
  const refetch = vi.fn();
  render(<FailedPage list={{ error, refetch }} title="Inventory did not load" />);
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(window.location.search).toBe(left);
  expect(refetch).toHaveBeenCalledOnce();
});
