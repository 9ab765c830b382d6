import { expect, test } from 'vitest';
import {
  type CrewDraft,
  crewDrafts,
  endsNextDay,
  minutesOf,
  refusalOf,
  takenText,
  withoutVehicleText,
} from './crews.ts';

const driver = (id: number, routeDesignation: string | null) => ({ id, name: `Driver ${id}`, routeDesignation });
const choices = {
  drivers: [driver(1, '101'), driver(2, '202')],
  vehicles: [{ id: 7, name: 'Van', depotId: null, capacityTotes: null }],
  depots: [],
};
const crew = (fields: Partial<CrewDraft> = {}): CrewDraft => ({
  driverId: 1,
  name: 'Ana',
  designation: '101',
  isIn: true,
  vehicleId: null,
  start: '06:00',
  end: '15:00',
  ...fields,
});

test('drivers of the planned designations are in, and get the vehicles there are', () => {
  const drafts = crewDrafts(choices, new Set(['202']));
  expect(drafts.map(({ driverId, isIn, vehicleId }) => [driverId, isIn, vehicleId])).toEqual([
    [1, false, null],
    [2, true, 7],
  ]);
});

test.each([
  ['nothing is chosen', [crew()], 0, /select at least one/],
  ['more is chosen than a plan holds', [crew()], 3_001, /at most 3,000 locations/],
  ['nobody drives', [crew({ isIn: false })], 3, /at least one driver/],
  ['a shift has no end', [crew({ end: '' })], 3, /Give Ana/],
  ['a shift has no length', [crew({ end: '06:00' })], 3, /The shift of Ana ends at the minute it starts/],
  ['two have one vehicle', [crew({ vehicleId: 1 }), crew({ name: 'Ben', vehicleId: 1 })], 3, /Ben has a vehicle/],
])('the plan waits while %s', (_, crews, places, sentence) => {
  expect(refusalOf(crews, places)).toMatch(sentence);
});

test('a shift whose end is earlier on the clock ends on the next day', () => {
  expect(endsNextDay(crew())).toBe(false);
  expect(endsNextDay(crew({ start: '22:00', end: '06:00' }))).toBe(true);
  expect(endsNextDay(crew({ end: '' }))).toBe(false);
});

test('a complete form is not refused', () => {
  expect(refusalOf([crew({ vehicleId: 1 }), crew({ vehicleId: 2 })], 3)).toBeNull();
  expect(minutesOf('06:30')).toBe(390);
  expect(minutesOf('')).toBeNull();
});

test.each([
  [[], null],
  [[3], null],
  [[1], 'Ana has a route on this day already. This plan adds another one.'],
  [[1, 2], 'Ana and 1 other have a route on this day already. This plan adds another one.'],
])('says which drivers have routes on the day: %j', (having, text) => {
  const drivers = [crew(), crew({ driverId: 2, name: 'Ben' })];
  expect(takenText(drivers, new Map(having.map((id) => [id, 1])))).toBe(text);
});

test('says of whom nothing limits the load, where there are vehicles to give', () => {
  const [ana, ben] = [crew(), crew({ driverId: 2, name: 'Ben' })];
  expect(withoutVehicleText([ana], 0)).toBeNull();
  expect(withoutVehicleText([crew({ vehicleId: 7 })], 1)).toBeNull();
  expect(withoutVehicleText([ana], 1)).toMatch(/^Ana has no vehicle: /);
  expect(withoutVehicleText([ana, ben], 1)).toMatch(/^Ana and 1 other have no vehicle: /);
});
