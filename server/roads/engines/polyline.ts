import type { Point } from '../../../domain/location.ts';

/**
 * Decodes an encoded polyline: signed differences in groups of five bits, latitude first.
 * Source: developers.google.com/maps/documentation/utilities/polylinealgorithm; Valhalla writes 6 decimals, OSRM as asked.
 */
export function decodePolyline(text: string, decimals: 5 | 6): Point[] {
  const scale = 10 ** decimals;
  const points: Point[] = [];
  let at = 0;
  let lat = 0;
  let lng = 0;
  const next = (): number => {
    let value = 0;
    let shift = 0;
    for (;;) {
      const group = text.charCodeAt(at++) - 63;
      if (!(group >= 0)) throw new RangeError('the line ends within a number');
      value |= (group & 0x1f) << shift;
      if (group < 0x20) return value & 1 ? ~(value >> 1) : value >> 1;
      shift += 5;
    }
  };
  while (at < text.length) {
    lat += next();
    lng += next();
    points.push({ lat: lat / scale, lng: lng / scale });
  }
  return points;
}
