import { expect, it } from 'vitest';
import { decodePolyline, encodePolyline } from './polyline.ts';

/** The example of the format's own description. */
const text = '_p~iF~ps|U_ulLnnqC_mqNvxq`@';
const points = [
  { lat: 38.5, lng: -120.2 },
  { lat: 40.7, lng: -120.95 },
  { lat: 43.252, lng: -126.453 },
];

it('reads and writes the line of its description', () => {
  expect(decodePolyline(text, 5)).toEqual(points);
  expect(encodePolyline(points, 5)).toBe(text);
});

it('is a text for no point and for a single one, at the ends of the earth too', () => {
  const ends = [
    { lat: -90, lng: 180 },
    { lat: 90, lng: -180 },
  ];
  for (const line of [[], [{ lat: 0, lng: 0 }], ends]) {
    expect(decodePolyline(encodePolyline(line, 6), 6)).toEqual(line);
  }
});

it('refuses a line that breaks off', () => {
  expect(() => decodePolyline(`${text}_`, 5)).toThrow(RangeError);
});
