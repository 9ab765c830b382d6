import { expect, it } from 'vitest';
import { fillingOf } from './fillings.ts';

type Movement = Parameters<typeof fillingOf>[1][number];

const movement = (atUs: number, kind: Movement['kind'], quantity: number, reason: Movement['reason']): Movement => ({
  eventId: `e-${atUs}`,
  effectiveAtUs: atUs,
  kind,
  quantity,
  reason,
});

it('a slot taken out and filled in one save was empty at the filling, in any order of arrival', () => {
  const out = movement(1, 'spoilage', -5, 'expired');
  const filled = movement(2, 'count', 8, 'full_restock');
  expect(fillingOf(5, [out, filled])).toEqual({ atUs: 2, wasEmpty: true });
  expect(fillingOf(5, [filled, out])).toEqual({ atUs: 2, wasEmpty: true });
});

it('units that were left make it no empty slot, and a later filling does not either', () => {
  const out = movement(1, 'spoilage', -4, 'expired');
  const filled = movement(2, 'restock', 8, 'fill');
  expect(fillingOf(5, [out, filled, movement(3, 'restock', 2, 'fill')])).toEqual({ atUs: 2, wasEmpty: false });
});

it('the last filling of the empty slot counts, and a look fills nothing', () => {
  const first = movement(1, 'restock', 3, 'fill');
  const none = movement(2, 'count', 0, 'manual_count');
  const second = movement(3, 'restock', 6, 'fill');
  expect(fillingOf(0, [first, none, second, movement(4, 'restock', 1, 'fill')])).toEqual({ atUs: 3, wasEmpty: true });
  expect(fillingOf(0, [none])).toBeUndefined();
});
