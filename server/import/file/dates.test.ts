import { describe, expect, it } from 'vitest';
import { readMoney, readWhole } from './cells.ts';
import { instantReader, readWritten } from './dates.ts';

describe('dates in files', () => {
  const at = instantReader('America/New_York');
  const read = (cell: string): string | null => {
    const written = readWritten(cell);
    return written && at(written).toISOString();
  };

  it.each([
    ['2024-03-01 10:15:50.520', '2024-03-01T15:15:50.520Z'],
    ['2024-07-01T10:15:50', '2024-07-01T14:15:50.000Z'],
    ['2024-07-01T10:15:50Z', '2024-07-01T10:15:50.000Z'],
    ['2024-07-01T10:15:50+02:00', '2024-07-01T08:15:50.000Z'],
    ['7/1/2024 1:05 PM', '2024-07-01T17:05:00.000Z'],
    ['07/01/2024 12:00:00 AM', '2024-07-01T04:00:00.000Z'],
    ['1.7.2024 08:00', '2024-07-01T12:00:00.000Z'],
  ])('%s is an instant on the operator’s clock', (cell, instant) => {
    expect(read(cell)).toBe(instant);
  });

  it.each([['Saturday, January 1, 2022'], ['1/1/2022'], ['1/1/22'], ['20220101'], ['1 Jan 2022'], ['2022-01-01']])(
    '%s is a day: its noon stands for it',
    (cell) => {
      expect(read(cell)).toBe('2022-01-01T17:00:00.000Z');
    },
  );

  it.each(['', '2022-02-30', '13/1/2022', '1/1/2022 25:00', 'yesterday', '1 Foo 2022', '123'])(
    '%s is no date',
    (cell) => {
      expect(readWritten(cell)).toBeNull();
    },
  );
});

describe('amounts in files', () => {
  it.each([
    ['3.5', 350n],
    ['$1,234.50', 123450n],
    ['1.234,50 EUR', 123450n],
    ['0,5', 50n],
    ['.25', 25n],
    ['38.7', 3870n],
    ['2.005', 201n],
    ['-1', -100n],
  ])('%s is %s hundredths', (cell, hundredths) => {
    expect(readMoney(cell)).toBe(hundredths);
  });

  it.each(['', 'free', '1.2.3', '123456789.00', '1e3'])('%s is no amount', (cell) => {
    expect(readMoney(cell)).toBeNull();
  });

  it.each([
    ['2', 2],
    ['2.0', 2],
    ['2.5', null],
    ['two', null],
  ])('%s as a whole number is %s', (cell, whole) => {
    expect(readWhole(cell)).toBe(whole);
  });
});
