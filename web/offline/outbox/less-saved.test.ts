import { expect, test } from 'vitest';
import { lessSaved } from './less-saved.ts';

const fill = (quantity: number) => ({ kind: 'restock', quantity, reason: 'fill' }) as const;
const counted = (quantity: number) => ({ kind: 'count', quantity, reason: 'manual_count' }) as const;
const spoiled = { kind: 'spoilage', quantity: -1, reason: 'expired' } as const;

// Three were shown before.
test.each([
  ['more was put in', { change: fill(8) }, { movements: [fill(2)], left: 5 }, { change: fill(6) }],
  [
    'more was taken out',
    { change: fill(2), taken: { expired: 3 } },
    { movements: [spoiled, fill(2)], left: 4 },
    { change: fill(0), taken: { expired: 2 } },
  ],
  [
    'what was found is said',
    { change: fill(8), found: 4 },
    { movements: [counted(4), fill(2)], left: 6 },
    { change: fill(6) },
  ],
  [
    'found anew, it is counted anew',
    { change: fill(3), found: 5 },
    { movements: [counted(4), fill(2)], left: 6 },
    { change: fill(1), found: 7 },
  ],
  ['less was put in', { change: fill(3) }, { movements: [fill(5)], left: 8 }, { change: fill(0), found: 6 }],
  [
    'less was taken out, and something put in',
    { change: fill(2), taken: { expired: 0 } },
    { movements: [spoiled], left: 2 },
    { change: fill(2), found: 3 },
  ],
  ['a count taken back', { change: fill(2) }, { movements: [counted(9)], left: 9 }, { change: fill(2), found: 3 }],
  [
    'a count stands for itself',
    { change: counted(7), taken: { expired: 1 } },
    { movements: [spoiled, counted(6)], left: 6 },
    { change: counted(7) },
  ],
  ['nothing more', { change: fill(2), taken: { expired: 1 } }, { movements: [spoiled, fill(2)], left: 4 }, null],
])('of a change that goes on while it is saved the rest is left: %s', (_title, work, saved, rest) => {
  expect(lessSaved(work, { ...saved, shown: 3 })).toEqual(rest);
});
