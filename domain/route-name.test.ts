import { expect, it } from 'vitest';
import { nameOfRoute } from './route-name.ts';

it('names a route by whose it is and its day, and by its day alone where nobody is known', () => {
  expect(nameOfRoute('Tamika Whitlock', '2026-11-29')).toBe('Tamika Whitlock, Nov 29, 2026');
  expect(nameOfRoute('Route 101', '2026-03-01')).toBe('Route 101, Mar 1, 2026');
  expect(nameOfRoute(null, '2026-03-01')).toBe('Route Mar 1, 2026');
  expect(nameOfRoute(null, '2026-02-31x')).toBe('Route 2026-02-31x');
});
