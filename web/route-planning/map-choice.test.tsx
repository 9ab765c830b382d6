// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { MapChoice } from './map-choice.tsx';
import type { Candidate } from './places/locations.ts';

afterEach(cleanup);

const view = { west: -75, south: 40, east: -74, north: 41, zoom: 12 };
const place = (id: number, lat: number): Candidate => ({
  ...{ key: `vending_machine:${id}`, type: 'vending_machine', id, name: `Snack ${id}`, where: '', address: '' },
  ...{ status: 'active', routeDesignation: null, lowCount: 0, accessHours: null, totes: 0, lat, lng: -74.5 },
});

function open(chosen: readonly Candidate[], withOthers = true): void {
  const selection = {
    ...{ keys: new Set(chosen.map(({ key }) => key)), chosen, isReading: false },
    ...{ toggle: () => {}, choose: () => {}, remove: () => {}, clear: () => {}, isWhole: () => false },
    ...{ chooseAll: async () => {}, removeAll: async () => {} },
  };
  const wish = {};
  render(<MapChoice selection={selection} wish={wish} view={view} withOthers={withOthers} onOthers={() => {}} />);
}

test.each([
  [[50], 'The selected location is outside this view: zoom out to see it'],
  [[40.5, 50], '1 of 2 selected is outside this view: zoom out to see it'],
  [[40.5, 50, 51], '2 of 3 selected are outside this view: zoom out to see them'],
  [[40.5], ''],
])('what is selected and out of view is counted (%j)', (latitudes, hint) => {
  open(latitudes.map((lat, at) => place(at + 1, lat)));
  expect(screen.getByRole('status').textContent).toBe(hint);
});

test('alone on the map too, which looks at the first that was selected', () => {
  open([place(1, 40.5), place(2, 50)], false);
  expect(screen.getByRole('status').textContent).toBe('1 of 2 selected is outside this view: zoom out to see it');
});
