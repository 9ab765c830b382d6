import { describe, expect, it } from 'vitest';
import { setOperatorFormats } from '../../http/format.ts';
import type { Candidate } from '../places/locations.ts';
import { figuresOf, lengthText, madeFor, milesText, stillFits } from './plan.ts';

function candidate(id: number, type: Candidate['type'] = 'market'): Candidate {
  const key = `${type}:${id}`;
  const place = { name: key, where: '', address: '', status: 'active', routeDesignation: null };
  return { type, id, key, lat: 40, lng: -75, lowCount: 0, accessHours: null, totes: 0, ...place };
}

const terms = { date: '2026-11-22', depotId: 1, vehicleId: null };

describe('a plan', () => {
  it('is estimated at 8.2 km and 45 minutes a stop before it is optimized', () => {
    expect(figuresOf(3, null)).toEqual({ distance: '24.6 km', duration: '2h 15m' });
  });

  it('has the thousands of a long way set apart', () => {
    expect(figuresOf(500, null).distance).toBe('4,100.0 km');
    expect(milesText(4_100)).toBe('2,547.6 mi');
  });

  it('fits the same locations whatever the order they were chosen in', () => {
    const made = madeFor([candidate(1), candidate(2, 'vending_machine')], terms);
    expect(stillFits(made, [candidate(2, 'vending_machine'), candidate(1)], terms)).toBe(true);
  });

  it('no longer fits another selection or another day', () => {
    const made = madeFor([candidate(1), candidate(2)], terms);
    expect(stillFits(made, [candidate(1)], terms)).toBe(false);
    expect(stillFits(made, [candidate(1), candidate(2, 'vending_machine')], terms)).toBe(false);
    expect(stillFits(made, [candidate(1), candidate(2)], { ...terms, date: '2026-11-23' })).toBe(false);
  });
});

it('the way to a place is as long as the operator measures', () => {
  const way = { from: { lat: 40, lng: -75 }, to: { lat: 40.1, lng: -75 } };
  expect(lengthText(way, null)).toBe('6.9 mi');
  setOperatorFormats({ timeZone: 'UTC', currency: 'USD', distanceUnit: 'km' });
  expect([lengthText(way, null), lengthText(way, 12_345)]).toEqual(['11.1 km', '12.3 km']);
  setOperatorFormats({ timeZone: 'UTC', currency: 'USD', distanceUnit: 'mi' });
});
