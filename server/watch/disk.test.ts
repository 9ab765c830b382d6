import { expect, test } from 'vitest';
import { hasRoomFor } from './disk.ts';

const gb = 1e9;

test.each([
  // 95% and less than 10 GB left afterwards.
  [{ usedShare: 0.9, freeBytes: 10 * gb }, 5 * gb, false],
  [{ usedShare: 0.9, freeBytes: 10 * gb }, 4 * gb, true],
  [{ usedShare: 0.9, freeBytes: 100 * gb }, 80 * gb, true],
  [{ usedShare: 0.96, freeBytes: 2 * gb }, 0, false],
  [{ usedShare: 0.5, freeBytes: 2 * gb }, 2 * gb, false],
  [{ usedShare: 1, freeBytes: 0 }, 0, false],
  // Before the first look.
  [{ usedShare: 0, freeBytes: Number.POSITIVE_INFINITY }, 5 * gb, true],
])('on %j there is room for %d more: %s', (use, bytes, hasRoom) => {
  expect(hasRoomFor(use, bytes)).toBe(hasRoom);
});
