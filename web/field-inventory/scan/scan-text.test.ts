import { expect, test } from 'vitest';
import { checkDigitProblem, locationInScan, ScanMemory } from './scan-text.ts';

test.each(['4006381333931', '036000291452', '96385074', 'VM-0042', '12345'])('%s may be a barcode', (code) => {
  expect(checkDigitProblem(code)).toBeNull();
});

test.each(['4006381333932', '036000291453', '96385075'])('%s has a wrong check digit', (code) => {
  expect(checkDigitProblem(code)).toContain('last digit');
});

test('an address with type and id names the location, anything else does not', () => {
  expect(locationInScan('https://run.example/mobile-inventory?type=vending_machine&id=7')).toEqual({
    type: 'vending_machine',
    id: 7,
  });
  expect(locationInScan('/mobile-inventory?type=market&id=3')).toEqual({ type: 'market', id: 3 });
  expect(locationInScan('https://run.example/?type=truck&id=7')).toBeNull();
  expect(locationInScan('https://run.example/?type=market&id=-1')).toBeNull();
  expect(locationInScan('4006381333931')).toBeNull();
});

test('a code kept before the camera is one scan, and a second scan once it was out of sight', () => {
  const memory = new ScanMemory();
  expect(memory.take('1', 0, 'camera')).toBe(1);
  expect(memory.take('1', 1000, 'camera')).toBeNull();
  expect(memory.take('1', 2400, 'camera')).toBeNull();
  expect(memory.take('1', 4000, 'camera')).toBe(2);
  expect(memory.take('2', 4000, 'camera')).toBe(1);
});

test('a hand scanner that reads the same code at once scanned it twice', () => {
  const memory = new ScanMemory();
  expect(memory.take('1', 0, 'typed')).toBe(1);
  expect(memory.take('1', 300, 'typed')).toBe(2);
});
