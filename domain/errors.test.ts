import { expect, test } from 'vitest';
import { notFound } from './errors.ts';

test('what stands on a route may be on another; of anything else no route is spoken', () => {
  expect(notFound('machine').message).toBe('This machine does not exist, or is not on your route.');
  expect(notFound('inventory item').message).toBe('This inventory item does not exist, or is not on your route.');
  expect(notFound('product').message).toBe('This product does not exist.');
  expect(notFound('person').message).toBe('This person does not exist.');
});
