import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyMovement,
  type Balance,
  draftKind,
  effectiveAtUs,
  emptyBalance,
  fold,
  isAfter,
  type Movement,
  shownQuantity,
} from './inventory.ts';

const numRuns = 2000;

const movement: fc.Arbitrary<Movement> = fc.record({
  eventId: fc.uuid(),
  kind: fc.constantFrom('count', 'restock', 'removal', 'spoilage', 'sale', 'return'),
  quantity: fc.integer({ min: -30, max: 60 }),
  effectiveAt: fc.integer({ min: 0, max: 40 }),
});
// Ids are unique in the generator: otherwise shrinking slides into the case of a reused id.
const movements = fc.uniqueArray(movement, { maxLength: 25, selector: (m) => m.eventId });

function arrive(order: readonly Movement[]): Balance {
  const stored: Movement[] = [];
  let balance = emptyBalance;
  for (const one of order) {
    balance = applyMovement(balance, one, (position) =>
      stored.filter((m) => m.kind !== 'count' && isAfter(m, position)).reduce((sum, m) => sum + m.quantity, 0),
    );
    stored.push(one);
  }
  return balance;
}

/** What counts added to or took from what was believed: the shrinkage, with its sign turned. */
function corrections(all: readonly Movement[]): number {
  let believed = 0;
  let sum = 0;
  for (const one of [...all].sort((a, b) => (isAfter(a, b) ? 1 : -1))) {
    if (one.kind === 'count') sum += one.quantity - believed;
    believed = one.kind === 'count' ? one.quantity : believed + one.quantity;
  }
  return sum;
}

describe('the ledger rule', () => {
  it('gives the same balance for any order of arrival, and that is the fold', () => {
    const shuffled = movements.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, order]) => {
        expect(arrive(order)).toEqual(fold(all));
      }),
      { numRuns },
    );
  });

  it('is equal to the fold after every single step', () => {
    fc.assert(
      fc.property(movements, (all) => {
        for (let n = 1; n <= all.length; n++) expect(arrive(all.slice(0, n))).toEqual(fold(all.slice(0, n)));
      }),
      { numRuns },
    );
  });

  it('leaves the quantity alone when a sale from before the count arrives late', () => {
    const count: Movement = { eventId: 'b', kind: 'count', quantity: 8, effectiveAt: 100 };
    const early: Movement = { eventId: 'a', kind: 'sale', quantity: -2, effectiveAt: 50 };
    const late: Movement = { eventId: 'c', kind: 'sale', quantity: -3, effectiveAt: 150 };
    expect(arrive([count, early]).quantity).toBe(8);
    expect(arrive([count, early, late]).quantity).toBe(5);
  });

  it('keeps the later of two counts, whichever arrives first', () => {
    const first: Movement = { eventId: 'a', kind: 'count', quantity: 4, effectiveAt: 100 };
    const second: Movement = { eventId: 'b', kind: 'count', quantity: 9, effectiveAt: 200 };
    expect(arrive([first, second])).toEqual(arrive([second, first]));
    expect(arrive([second, first]).quantity).toBe(9);
  });

  it('conserves units: last quantity = first count + deltas + corrections by counts', () => {
    fc.assert(
      fc.property(movements, (all) => {
        const deltas = all.reduce((sum, one) => sum + (one.kind === 'count' ? 0 : one.quantity), 0);
        expect(fold(all).quantity).toBe(deltas + corrections(all));
      }),
      { numRuns },
    );
  });

  it('a sale from before the last count that arrives late leaves the quantity and changes the shrinkage by exactly its amount', () => {
    const sold = fc.record({
      eventId: fc.uuid(),
      units: fc.integer({ min: 1, max: 20 }),
      at: fc.integer({ min: 0, max: 40 }),
    });
    fc.assert(
      fc.property(movements, sold, (all, { eventId, units, at }) => {
        const { anchor } = fold(all);
        const late: Movement = { eventId, kind: 'sale', quantity: -units, effectiveAt: at };
        fc.pre(anchor !== null && isAfter(anchor, late) && all.every((one) => one.eventId !== eventId));
        expect(fold([...all, late])).toEqual(fold(all));
        expect(corrections([...all, late])).toBe(corrections(all) + units);
      }),
      { numRuns },
    );
  });

  it('shows no quantity below zero, but keeps it in the balance', () => {
    const sold = arrive([{ eventId: 'a', kind: 'sale', quantity: -3, effectiveAt: 1 }]);
    expect(sold.quantity).toBe(-3);
    expect(shownQuantity(sold)).toBe(0);
  });
});

describe('the effective time', () => {
  const now = 1_773_327_600_000;
  const ages = fc.array(fc.integer({ min: 0, max: 7 * 86_400_000 }), { minLength: 1, maxLength: 20 });

  it('is right to the millisecond for any constant error of the phone clock', () => {
    const tenYears = 10 * 365 * 86_400_000;
    fc.assert(
      fc.property(fc.integer({ min: -tenYears, max: tenYears }), ages, (skew, all) => {
        for (const age of all) {
          const at = effectiveAtUs({
            receivedAt: now,
            sentAtClient: now + skew,
            occurredAtClient: now + skew - age,
            lastServerTime: null,
            previousUs: null,
          });
          expect(at).toBe((now - age) * 1000);
        }
      }),
      { numRuns },
    );
  });

  it('stays between the last known server time and the millisecond of arrival, and rises per device', () => {
    const wild = fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(wild, fc.integer({ min: 0, max: 1e9 }), (clockReadings, sinceContact) => {
        const lastServerTime = now - sinceContact;
        let previousUs: number | null = null;
        for (const reading of clockReadings) {
          const at: number = effectiveAtUs({
            receivedAt: now,
            sentAtClient: now,
            occurredAtClient: now + reading,
            lastServerTime,
            previousUs,
          });
          expect(at).toBeGreaterThanOrEqual(lastServerTime * 1000);
          expect(at).toBeLessThan((now + 1) * 1000);
          if (previousUs !== null) expect(at).toBeGreaterThan(previousUs);
          previousUs = at;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the kind of a draft', () => {
  it.each([
    [[{ type: 'add', units: 1 }], 'restock'],
    [
      [
        { type: 'add', units: 1 },
        { type: 'count', quantity: 5 },
      ],
      'count',
    ],
    [[{ type: 'count', quantity: 0 }], 'count'],
  ] as const)('of %j is %s', (actions, kind) => {
    expect(draftKind(actions)).toBe(kind);
  });
});
