// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { LongId } from './long-id.tsx';

afterEach(cleanup);

test.each([
  ['NT-202611230000417', ['NT-2026112', '30000417']],
  ['CT-4711', ['CT-4711']],
])('of %s the end, which tells it from its like, is never cut', (id, parts) => {
  const { container } = render(<LongId id={id} />);
  const shown = container.querySelector(`[title="${id}"]`);
  expect(shown?.textContent).toBe(id);
  const texts = shown?.childElementCount ? [...shown.children].map((part) => part.textContent) : [shown?.textContent];
  expect(texts).toEqual(parts);
  if (parts.length > 1) expect(shown?.lastElementChild?.className).not.toContain('truncate');
});
