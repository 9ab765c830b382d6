import { expect, it } from 'vitest';
import { zoomAround } from './zoom-around.ts';

const center = { lat: 40, lng: -75 };
const size = { width: 520, height: 480 };
const near = { west: -75.03, east: -74.99, south: 39.99, north: 40.02 };

it('what all fits at the zoom that is wished for leaves it as it is', () => {
  expect(zoomAround({ center, zoom: 12, around: near }, size)).toBe(12);
  expect(zoomAround({ center, zoom: 12 }, size)).toBe(12);
});

it.each([
  { west: -75.2, px: 260 },
  { east: -74.5, px: 260 },
  { south: 39.5, px: 240 },
  { north: 41, px: 240 },
])('what lies too far to one side is brought into view, as near as can be, with room for its mark (%j)', (far) => {
  const { px, ...side } = far;
  const zoom = zoomAround({ center, zoom: 12, around: { ...near, ...side } }, size);
  expect(zoom).toBeLessThan(12);
  const { west, east, south, north } = {
    west: center.lng,
    east: center.lng,
    south: center.lat,
    north: center.lat,
    ...side,
  };
  const pixels = acrossOf(east - west, zoom) + upOf(north, zoom) - upOf(south, zoom);
  expect(pixels).toBeCloseTo(px - 56, 6);
});

it('a map that is hardly there, or a place at a pole, still has a zoom', () => {
  expect(zoomAround({ center, zoom: 12, around: { ...near, north: 90 } }, size)).toBe(2);
  expect(zoomAround({ center, zoom: 12, around: near }, { width: 0, height: 0 })).toBeGreaterThan(2);
});

const acrossOf = (degrees: number, zoom: number): number => (degrees / 360) * 512 * 2 ** zoom;
const upOf = (lat: number, zoom: number): number =>
  acrossOf((Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 180) / Math.PI, zoom);
