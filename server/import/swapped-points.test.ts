import { expect, it } from 'vitest';
import { type Around, cellOf, longitudeOf, looksSwapped } from './swapped-points.ts';

const newYork: Around = { cells: new Set([cellOf({ lat: 40.7, lng: -74 })]), longitude: -75 };
const unknown: Around = { cells: new Set(), longitude: null };
const berlin: Around = { cells: new Set(), longitude: 15 };

it.each([
  ['New York beside what is known there', { lat: -74, lng: 40.75 }, newYork],
  ['a latitude beyond the pole', { lat: -118.2, lng: 34.1 }, newYork],
  ['a first list of a new operator, in Antarctica', { lat: -74, lng: 40.75 }, unknown],
  ['Berlin, which the other way round lies off Somalia', { lat: 13.4, lng: 52.5 }, berlin],
])('%s is taken for swapped, and its right form is not', (_title, point, around) => {
  expect(looksSwapped(point, around)).toBe(true);
  expect(looksSwapped({ lat: point.lng, lng: point.lat }, around)).toBe(false);
});

it('leaves alone what is far from everything both ways, or near both ways', () => {
  expect(looksSwapped({ lat: 34, lng: -118 }, newYork)).toBe(false);
  expect(looksSwapped({ lat: 10, lng: 20 }, berlin)).toBe(false);
  const both = { ...unknown, cells: new Set([cellOf({ lat: 20, lng: 22 }), cellOf({ lat: 22, lng: 20 })]) };
  expect(looksSwapped({ lat: 22, lng: 20 }, both)).toBe(false);
});

it('knows where the people of a time zone are, across the day line too', () => {
  expect(longitudeOf('America/New_York', '2026-01-10')).toBe(-75);
  expect(longitudeOf('UTC', '2026-01-10')).toBeNull();
  const fiji: Around = { cells: new Set(), longitude: longitudeOf('Pacific/Fiji', '2026-01-10') };
  expect(looksSwapped({ lat: -17, lng: -179 }, fiji)).toBe(false);
});
