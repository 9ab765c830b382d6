import { afterEach, expect, test } from 'vitest';
import { setOperatorFormats } from '../http/format.ts';
import { bandNames, speedText } from './wording.ts';

afterEach(() => setOperatorFormats({ timeZone: 'UTC', distanceUnit: 'mi', currency: 'USD' }));

test.each([
  ['mi', ['First 1.9 mi', '1.9 mi to 9.3 mi', 'Beyond 9.3 mi'], '28 mph'],
  ['km', ['First 3.0 km', '3.0 km to 15.0 km', 'Beyond 15.0 km'], '45 km/h'],
] as const)('speeds are written in %s', (distanceUnit, names, speed) => {
  setOperatorFormats({ timeZone: 'UTC', distanceUnit, currency: 'USD' });
  expect(bandNames()).toEqual(names);
  expect(speedText(45)).toBe(speed);
});
