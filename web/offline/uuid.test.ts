import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tick, type UuidClock, uuidV7 } from './uuid.ts';

const zeros = (count: number) => new Uint8Array(count);

test('ids rise on one phone, whatever its clock does', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 44 }), { minLength: 2, maxLength: 50 }), (times) => {
      let clock: UuidClock = { uuidMs: 0, uuidCount: 0 };
      const ids = times.map((nowMs) => {
        clock = tick(clock, nowMs);
        return uuidV7(clock, zeros);
      });
      expect(ids).toEqual([...new Set(ids)].toSorted());
    }),
  );
});

test('a full counter moves on to the next millisecond', () => {
  expect(tick({ uuidMs: 5, uuidCount: 0xfff }, 5)).toEqual({ uuidMs: 6, uuidCount: 0 });
});

test('an id carries its time, version and variant', () => {
  const id = uuidV7({ uuidMs: 0x0123456789ab, uuidCount: 0xabc }, (count) => new Uint8Array(count).fill(0xff));
  expect(id).toBe('01234567-89ab-7abc-bfff-ffffffffffff');
});
