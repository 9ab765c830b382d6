import { expect, it } from 'vitest';
import { farPlaces, farWarnings, offRoadSentences, startSentences } from './far-place.ts';

const depot = { lat: 39.95, lng: -75.16 };
const near = { name: 'Near', lat: 40, lng: -75.1 };
const sea = { name: 'Sea', lat: 36, lng: -60 };

it('finds the place that is far from every other place and the depot', () => {
  expect(farPlaces([near, sea], [depot])).toEqual([sea]);
  expect(farPlaces([sea], [depot])).toEqual([sea]);
});

it('leaves alone a place with company, one near a depot, and one with nothing to compare it with', () => {
  expect(farPlaces([near, { ...sea, lng: -60.3 }, sea], [depot])).toEqual([]);
  expect(farPlaces([near, sea], [depot, { lat: 36.3, lng: -60 }])).toEqual([]);
  expect(farPlaces([sea], [])).toEqual([]);
});

it('draws the line at 50 km', () => {
  // A degree of latitude is 111.195 km on the sphere of the distance formula.
  expect(farPlaces([{ lat: depot.lat + 49.9 / 111.195, lng: depot.lng }], [depot])).toHaveLength(0);
  expect(farPlaces([{ lat: depot.lat + 50.1 / 111.195, lng: depot.lng }], [depot])).toHaveLength(1);
});

const sentence = (name: string) =>
  `${name} is more than 50 km (31 mi) from every other stop and the depot. Check its position.`;

it('says it with the name', () => {
  const locations = [
    { name: 'Near', latitude: '40', longitude: '-75.1' },
    { name: 'Sea', latitude: '36', longitude: '-60' },
  ];
  expect(farWarnings(locations, [depot])).toEqual([sentence('Sea')]);
});

it('names five and counts the rest', () => {
  const away = Array.from({ length: 7 }, (_, at) => ({ name: `Sea ${at}`, latitude: '0', longitude: `${at * 2}` }));
  const said = farWarnings(away, [depot]);
  expect(said.slice(0, 5)).toEqual(away.slice(0, 5).map(({ name }) => sentence(name)));
  expect(said.slice(5)).toEqual(['2 more stops are as far away.']);
});

it('names places that are more than half a kilometre from every road, and none of which nobody knows', () => {
  const places = [0.4, 0.5, 1.36, null].map((roadKm) => ({ name: `At ${roadKm}`, roadKm }));
  expect(offRoadSentences(places)).toEqual([
    'At 1.36 is 1.4 km (0.8 mi) from the nearest road, and the way there ends at that road. Check its position.',
  ]);
  const many = Array.from({ length: 7 }, () => ({ name: 'Pier', roadKm: 2 }));
  expect(offRoadSentences(many).slice(5)).toEqual(['2 more stops are as far from a road.']);
});

it('names the few places that lie outside the map of the roads', () => {
  const near = { name: 'Near', roadKm: 0 };
  const outside = Array.from({ length: 6 }, (_, at) => ({ name: `Sea ${at}`, roadKm: 'outside' as const }));
  expect(offRoadSentences([near, ...outside.slice(0, 1)])).toEqual([
    'Sea 0 is outside the map of the roads: ways to it are estimated.',
  ]);
  expect(offRoadSentences([near, ...outside])).toEqual([]);
  expect(offRoadSentences(outside.slice(0, 2))).toEqual([]);
});

it('names a start that is far from every stop, far from every road, or off the map of the roads, and says what to do', () => {
  const stops = [
    { lat: 40, lng: -75.1, roadKm: 0 },
    { lat: 40.01, lng: -75.1, roadKm: 0 },
  ];
  const at = (name: string | null, point: { lat: number; lng: number }, roadKm: number | 'outside' | null) => ({
    name,
    point,
    roadKm,
  });
  const what = 'Check its position in Settings, or start from elsewhere.';
  expect(startSentences([at('North depot', depot, 0.1), at('South depot', depot, null)], stops)).toEqual([]);
  expect(startSentences([at('Sea depot', { lat: 36, lng: -60 }, null)], stops)).toEqual([
    `The start, Sea depot, is more than 50 km (31 mi) from every stop. ${what}`,
  ]);
  expect(startSentences([at('Bay depot', depot, 1.36), at('Isle depot', depot, 'outside')], stops)).toEqual([
    `The start, Bay depot, is 1.4 km (0.8 mi) from the nearest road, and ways from and to it begin at that road. ${what}`,
    `The start, Isle depot, is outside the map of the roads: ways from and to it are estimated. ${what}`,
  ]);
  expect(startSentences([at(null, { lat: 36, lng: -60 }, 30)], stops)).toEqual([
    'The start is more than 50 km (31 mi) from every stop. Check its position, or start from elsewhere.',
  ]);
});

it('blames the map, not the start, where it reaches no stop either, and nothing where nothing is planned', () => {
  const start = { name: 'Depot', point: depot, roadKm: 'outside' as const };
  expect(startSentences([start], [{ ...depot, roadKm: 'outside' }])).toEqual([]);
  expect(startSentences([start], [])).toEqual([]);
});
