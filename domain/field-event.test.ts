import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fieldEvent, type VisitMovement, visitLine } from './field-event.ts';

const base = {
  eventId: '0190b0c2-7e1f-7c3a-9b1d-000000000001',
  schemaVersion: 1,
  occurredAtClient: '2026-03-12T05:00:00.000Z',
  deviceSeq: 3,
  lastServerTime: null,
};
const movement = (kind: VisitMovement['kind'], quantity: number, more: Partial<VisitMovement> = {}): VisitMovement => ({
  kind,
  quantity,
  shown: null,
  reason: null,
  ...more,
});

it.each([
  ['filled to par: what was shown, and the units put in', [movement('restock', 7, { shown: 3 })], [3, 7, 0, 0, 10]],
  ['a single count says what is there now', [movement('count', 9, { shown: 4 })], [4, 5, 0, 0, 9]],
  ['a lower single count took units away', [movement('count', 1, { shown: 4 })], [4, 0, 3, 0, 1]],
  ['a count first says what was found', [movement('count', 2, { shown: 4 }), movement('restock', 8)], [2, 8, 0, 0, 10]],
  [
    'removed and spoiled are told apart',
    [movement('removal', -2, { shown: 6 }), movement('spoilage', -1, { reason: 'expired' }), movement('restock', 5)],
    [6, 5, 2, 1, 8],
  ],
])('%s', (_, movements, numbers) => {
  const { beginning, adds, removed, spoiled, ending } = visitLine(movements);
  expect([beginning, adds, removed, spoiled, ending]).toEqual(numbers);
});

it('spoiled units are counted by reason, unknown reasons as other', () => {
  const line = visitLine([
    movement('spoilage', -2, { shown: 9, reason: 'expired' }),
    movement('spoilage', -1, { reason: 'damaged' }),
    movement('spoilage', -1, { reason: 'eaten by mice' }),
  ]);
  expect(line.spoiledBy).toEqual({ expired: 2, damaged: 1, other: 1 });
});

it('beginning plus adds less removed and spoiled is the ending', () => {
  const kinds = fc.constantFrom<VisitMovement['kind']>('count', 'restock', 'removal', 'spoilage', 'return');
  const some = fc.record({ kind: kinds, size: fc.nat(50) }).map(({ kind, size }) => {
    const isOut = kind === 'removal' || kind === 'spoilage' || kind === 'return';
    return movement(kind, isOut ? -size : size);
  });
  fc.assert(
    fc.property(fc.array(some, { minLength: 1, maxLength: 8 }), fc.nat(50), (movements, shown) => {
      const [first, ...rest] = movements;
      const line = visitLine(first ? [{ ...first, shown }, ...rest] : []);
      expect((line.beginning ?? 0) + line.adds - line.removed - line.spoiled).toBe(line.ending);
    }),
  );
});

it('a skipped stop needs a reason, and an unknown kind of event is refused', () => {
  const skipped = { ...base, type: 'stop-skipped', routeId: 1, stopId: 2, reason: '  ' };
  expect(fieldEvent.safeParse(skipped).success).toBe(false);
  expect(fieldEvent.safeParse({ ...skipped, reason: 'Closed' }).success).toBe(true);
  expect(fieldEvent.safeParse({ ...base, type: 'stop-sold', routeId: 1, stopId: 2 }).success).toBe(false);
});
