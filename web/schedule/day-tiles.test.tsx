// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { DayTiles } from './day-tiles.tsx';
import { buildRoute } from './testing/schedule-phone.tsx';

afterEach(cleanup);

const figure = () => screen.getByText('Total Stops').nextSibling?.textContent;

test.each([
  ['is on its way', undefined, false, ''],
  ['did not load', undefined, true, '–'],
  ['is there', [buildRoute()], false, '3'],
  ['is there from the phone', [buildRoute()], true, '3'],
])('a day that %s', (_title, routes, failed, told) => {
  render(<DayTiles routes={routes} failed={failed} />);
  expect(figure()).toBe(told);
});
