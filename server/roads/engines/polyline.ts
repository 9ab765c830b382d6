import type { Point } from '../../../domain/location.ts';

/** The same as `decodePolyline` reads; a line of a single point, or of none, is a text too. */
export function encodePolyline(points: readonly Point[], decimals: 5 | 6): string {
  const scale = 10 ** decimals;
  let text = '';
  const put = (difference: number): void => {
    let value = difference < 0 ? ~(difference << 1) : difference << 1;
    while (value >= 0x20) {
      text += String.fromCharCode((0x20 | (value & 0x1f)) + 63);
      value >>= 5;
    }
    text += String.fromCharCode(value + 63);
  };
  let [lastLat, lastLng] = [0, 0];
  for (const point of points) {
    const [lat, lng] = [Math.round(point.lat * scale), Math.round(point.lng * scale)];
    put(lat - lastLat);
    put(lng - lastLng);
    [lastLat, lastLng] = [lat, lng];
  }
  return text;
}

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
