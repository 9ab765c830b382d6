import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { Legend } from '../../map/layers/legend.tsx';
import { namesOnMap, namesToChoose } from './route-names.ts';

afterEach(cleanup);

const run = (id: number, routeDesignation: string | null, driverName: string | null, vehicleName: string | null) => ({
  ...{ id, name: 'Extra run', routeDesignation, driverName, vehicleName },
});
type Run = ReturnType<typeof run>;

/** What the map's legend reads for the routes of a day; the same designation has the same colour. */
function legendOf(routes: readonly Run[]): (string | null)[] {
  const names = namesOnMap(routes);
  const seriesOf = ({ routeDesignation }: Run) => (routeDesignation === '11' ? 1 : 2);
  render(<Legend routes={routes.map((one) => ({ series: seriesOf(one), name: names.get(one.id) ?? '' }))} />);
  return screen.getAllByRole('listitem').map((entry) => entry.textContent);
}

test('a route that runs twice in a day with one driver and one vehicle is named once', () => {
  expect(legendOf([run(1, '11', 'Sam', 'Van 1'), run(2, '22', 'Ann', 'Van 2'), run(3, '11', 'Sam', 'Van 1')])).toEqual([
    'Route 11',
    'Route 22',
  ]);
});

test('two runs of a route are told apart by their drivers, else by their vehicles', () => {
  expect(legendOf([run(1, '11', 'Sam', 'Van 1'), run(2, '11', null, 'Van 1'), run(3, '22', 'Ann', null)])).toEqual([
    'Route 11, Sam',
    'Route 11, no driver',
    'Route 22',
  ]);
  cleanup();
  expect(legendOf([run(1, null, 'Sam', 'Van 1'), run(2, null, 'Sam', 'Van 2')])).toEqual([
    'Extra run, Van 1',
    'Extra run, Van 2',
  ]);
});

test('no two routes to choose from are called the same', () => {
  const chosen = (routes: readonly Run[]) => [...namesToChoose(routes).values()];
  expect(chosen([run(1, '11', 'Sam', 'Van 1'), run(2, '22', 'Ann', 'Van 2')])).toEqual(['11', '22']);
  expect(chosen([run(1, '11', 'Sam', 'Van 1'), run(2, '11', 'Sam', null)])).toEqual(['11, Van 1', '11, no vehicle']);
  expect(chosen([run(1, '11', 'Sam', null), run(2, '22', 'Ann', null), run(3, '11', 'Sam', null)])).toEqual([
    ...['11 (1)', '22', '11 (2)'],
  ]);
});
