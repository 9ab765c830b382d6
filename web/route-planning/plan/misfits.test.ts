import { expect, it } from 'vitest';
import { type Means, meansOf, misfitsBefore } from './misfits.ts';

const place = (name: string, totes: number, lat = 40) => ({ name, totes, lat, lng: -75 });
const van = (id: number, capacityTotes: number | null) => ({ id, name: `Van ${id}`, depotId: null, capacityTotes });
const means = (change: Partial<Means> = {}): Means => ({
  ...{ depots: [{ lat: 40, lng: -75 }], vehicles: [van(1, 10)], isOneOf: true, lacks: [] },
  ...change,
});

it('says nothing of what fits, and nothing of a vehicle whose size is not known', () => {
  expect(misfitsBefore([place('Lobby', 4), place('Hall', 6)], means())).toEqual([]);
  expect(misfitsBefore([place('Lobby', 400)], means({ vehicles: [van(1, 10), van(2, null)] }))).toEqual([]);
  expect(misfitsBefore([], means({ lacks: ['No depot'] }))).toEqual([]);
});

it('names the stop that needs more totes than the vehicle holds, and the sum of several', () => {
  expect(misfitsBefore([place('Lobby', 12)], means())).toEqual(['Lobby needs about 12 totes: Van 1 holds 10.']);
  expect(misfitsBefore([place('Lobby', 6), place('Hall', 7)], means({ isOneOf: false }))).toEqual([
    'The stops need about 13 totes; Van 1 holds 10. Some may be left out.',
  ]);
});

it('says that stops will be left out only where a vehicle is chosen: without one the planner keeps them all', () => {
  const choices = { drivers: [], depots: [], vehicles: [van(1, 10)] };
  const said = (vehicleId: number | null) =>
    misfitsBefore([place('Lobby', 6), place('Hall', 7)], {
      ...meansOf(choices, { date: '2026-11-28', depotId: null, vehicleId }, []),
      lacks: [],
    });
  expect(said(1)).toEqual(['The stops need about 13 totes; Van 1 holds 10. Some may be left out.']);
  expect(said(null)).toEqual(['The stops need about 13 totes; Van 1 holds 10. Choose fewer stops.']);
});

it('tells those of one name in one line', () => {
  expect(
    misfitsBefore(
      ['Lobby', 'Lobby', 'Hall'].map((name) => place(name, 12)),
      means(),
    ),
  ).toEqual([
    'Lobby needs about 12 totes: Van 1 holds 10. So does 1 more of that name.',
    'Hall needs about 12 totes: Van 1 holds 10.',
  ]);
  const far = misfitsBefore([place('Lobby', 1), place('Nowhere', 1, 0), place('Nowhere', 1, 80)], means());
  expect(far).toHaveLength(1);
});

it('compares with all vehicles of the day, or with the largest where any one of them drives', () => {
  const vehicles = [van(1, 10), van(2, 8)];
  const stops = [place('Lobby', 9), place('Hall', 9), place('Gate', 1)];
  expect(misfitsBefore(stops, means({ vehicles }))).toEqual([
    'The stops need about 19 totes; no vehicle holds more than 10. Choose fewer stops, or plan the day.',
  ]);
  expect(misfitsBefore(stops, means({ vehicles, isOneOf: false }))).toEqual([
    'The stops need about 19 totes; the vehicles hold 18 together. Some may be left out.',
  ]);
});

it('names a place whose position cannot be true', () => {
  expect(misfitsBefore([place('Lobby', 1), place('Nowhere', 1, 0)], means())[0]).toMatch(
    /^Nowhere is more than 50 km .* Check its position\.$/,
  );
});

it('says that there is nobody to drive, and no depot to start from', () => {
  const terms = { date: '2026-11-28', depotId: null, vehicleId: 2 };
  const choices = { drivers: [], depots: [], vehicles: [van(1, 10), van(2, 8)] };
  const { lacks, vehicles } = meansOf(choices, terms, []);
  expect(vehicles.map(({ id }) => id)).toEqual([2]);
  expect(misfitsBefore([place('Lobby', 1)], means({ lacks }))).toEqual([
    'Nobody can drive a route yet: add people with the role Field Operator.',
    'No depot is set up: the route begins at its first stop. Add one in Settings.',
  ]);
});
