import { expect, it } from 'vitest';
import { accessWeek, accessWindows, isAccessHours } from './access-hours.ts';

const hours = (from: number, to: number) => ({ fromMin: from * 60, toMin: to * 60 });

it.each([
  ['24/7', 3, [hours(0, 24)]],
  ['08:00-17:00', 6, [hours(8, 17)]],
  ['Mo-Fr 08:00-17:00', 0, [hours(8, 17)]],
  ['Mo-Fr 08:00-17:00', 5, []],
  ['Mo-Fr 08:00-12:00,13:00-17:00; Sa 09:00-12:00', 5, [hours(9, 12)]],
  ['Mo-Fr 08:00-12:00, 13:00-17:00; Sa 09:00-12:00', 2, [hours(8, 12), hours(13, 17)]],
  ['Mo-Su 06:00-22:00; Su off', 6, []],
  ['Fr-Mo 20:00-02:00', 6, [{ fromMin: 1200, toMin: 1560 }]],
  ['Tu,Th 10:00-11:00', 3, [hours(10, 11)]],
  ['Mo-Fr 07:00-19:00; PH off', 1, [hours(7, 19)]],
])('%s on weekday %i', (text, weekday, windows) => {
  expect(accessWindows(text, weekday)).toEqual(windows);
});

it.each(['sunrise-sunset', 'Mo-Fr', 'call first', '8-17', 'Mo 25:00-26:00'])('%s is not understood', (text) => {
  expect(accessWindows(text, 0)).toBeNull();
  expect(isAccessHours(text)).toBe(false);
});

it('an empty text means nothing is known', () => {
  expect(accessWindows('', 0)).toBeNull();
  expect(isAccessHours('')).toBe(true);
});

it('the week names neighbouring days of the same hours once, and those without any', () => {
  expect(accessWeek('mo-fr 6:00-14:00; Sa 8:00-12:00')).toEqual([
    { from: 0, to: 4, windows: [hours(6, 14)] },
    { from: 5, to: 5, windows: [hours(8, 12)] },
    { from: 6, to: 6, windows: [] },
  ]);
  expect(accessWeek('24/7')).toEqual([{ from: 0, to: 6, windows: [hours(0, 24)] }]);
  expect(accessWeek('Mo,We 9:00-10:00')?.map(({ from, to }) => [from, to])).toEqual([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 6],
  ]);
  expect(accessWeek('ask at the desk')).toBeNull();
});
