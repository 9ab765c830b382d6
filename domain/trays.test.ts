import { expect, it } from 'vitest';
import { slotMeant } from './trays.ts';

it.each([
  ['A1', 'A1'],
  ['a1', 'A1'],
  ['b1', 'b1'],
  ['B1', 'B1'],
  ['cd1', null],
  ['1', null],
])('%s means slot %s: as it is written, or the only one that differs in capitals alone', (told, slot) => {
  expect(slotMeant(new Set(['A1', 'B1', 'b1', 'Cd1', 'cD1', '01']), told)).toBe(slot);
});
