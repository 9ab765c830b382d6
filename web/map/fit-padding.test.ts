import { expect, it } from 'vitest';
import { fitPadding } from './fit-padding.ts';

const office = { width: 640, height: 480 };
const phone = { width: 358, height: 400 };
const nothing = { width: 0, height: 0, bottom: 0 };

it('what is fitted keeps clear of the edges', () => {
  expect(fitPadding(nothing, office)).toEqual({ top: 56, left: 56, right: 56, bottom: 56 });
  expect(fitPadding(nothing, { width: 200, height: 160 })).toMatchObject({ top: 20, right: 20 });
});

it('a legend is kept clear of beside it where there is room, else under it', () => {
  expect(fitPadding({ ...nothing, width: 110, height: 70 }, office)).toMatchObject({ left: 134, top: 56 });
  expect(fitPadding({ ...nothing, width: 110, height: 70 }, phone)).toMatchObject({ left: 50, top: 94 });
});

it('buttons and notes that lie over the lower edge are kept clear of', () => {
  expect(fitPadding({ ...nothing, bottom: 84 }, phone).bottom).toBe(108);
  expect(fitPadding({ ...nothing, bottom: 20 }, phone).bottom).toBe(56);
});

it('however much lies over a map, a part of it is left for what is fitted', () => {
  const { top, bottom } = fitPadding({ width: 300, height: 300, bottom: 300 }, phone);
  expect([top, bottom]).toEqual([160, 160]);
});
