import { expect, it } from 'vitest';
import type { HeldEvent } from '../../contract/stock-review.ts';
import { fieldEvent } from '../../domain/field-event.ts';
import { stockEvent } from '../../domain/inventory.ts';
import { heldTitle } from './wording.ts';

const held = (kind: string): HeldEvent => ({
  ...{ eventId: 'e', status: 'rejected', reason: 'Not yours', kind, quantity: null, capacity: null, note: null },
  ...{ productName: null, slotNumber: null, place: null, location: null, person: null },
  ...{ happenedAt: '2026-03-12T15:00:00.000Z', receivedAt: '2026-03-12T15:00:00.000Z' },
});

const kinds = [...fieldEvent.options.map(({ shape }) => shape.type.value), ...stockEvent.shape.kind.options];

it.each(kinds)('%s, held for a manager, is called by name', (kind) => {
  expect(heldTitle(held(kind))).not.toBe('A change');
});

it('what a newer phone sends is a change all the same', () => {
  expect(heldTitle(held('coin-counted'))).toBe('A change');
});
