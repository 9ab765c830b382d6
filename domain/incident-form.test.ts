import { describe, expect, it } from 'vitest';
import { type IncidentTyped, typedIncident } from './incident-form.ts';

const typed: IncidentTyped = {
  title: 'Burst pipe',
  description: '',
  latitude: '40.70',
  longitude: '-74.00',
  severity: 'high',
  type: 'closure',
  radius: '0.5',
  estimatedDuration: '',
  reportedAt: '',
  roadClosed: false,
};

const inMiles = typedIncident({ distanceUnit: 'mi', timeZone: 'America/New_York' });
const inKm = typedIncident({ distanceUnit: 'km', timeZone: 'America/New_York' });

const sentencesOf = (change: Partial<IncidentTyped>) =>
  inKm.safeParse({ ...typed, ...change }).error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('an incident as typed', () => {
  it('a radius in miles is kept in kilometres, one in kilometres as it is', () => {
    expect(inMiles.parse({ ...typed, radius: '1' }).radius).toBeCloseTo(1.609344, 6);
    expect(inKm.parse({ ...typed, radius: '1' }).radius).toBe(1);
    const ofHalf = typedIncident({ distanceUnit: 'mi', timeZone: 'America/New_York' }, 0.5);
    expect(['0.31', '0.3'].map((radius) => ofHalf.parse({ ...typed, radius }).radius)).toEqual([0.5, 0.4828032]);
  });

  it('the widest radius is told in the unit that is typed, and is taken', () => {
    const told = (schema: typeof inKm, radius: string) =>
      schema.safeParse({ ...typed, radius }).error?.issues.map(({ message }) => message);
    expect(told(inMiles, '63')).toEqual(['Radius must be more than 0 and at most 62 mi']);
    expect(told(inKm, '101')).toEqual(['Radius must be more than 0 and at most 100 km']);
    expect([told(inMiles, '62'), told(inKm, '100')]).toEqual([undefined, undefined]);
  });

  it('a comma is read as a point', () => {
    expect(inKm.parse({ ...typed, radius: ' 0,75 ' }).radius).toBe(0.75);
  });

  it('what is left empty is nothing: no description, no duration, begins now', () => {
    expect(inKm.parse({ ...typed, description: '  ' })).toMatchObject({
      description: null,
      estimatedDuration: null,
      reportedAt: null,
    });
  });

  it.each([
    ['in summer', '2026-07-01T09:30', '2026-07-01T13:30:00.000Z'],
    ['in winter', '2026-12-01T09:30', '2026-12-01T14:30:00.000Z'],
  ])('the start is read on the clock of the operator: %s', (...[, reportedAt, instant]) => {
    expect(inKm.parse({ ...typed, reportedAt }).reportedAt).toBe(instant);
  });

  it.each([
    [{ title: ' ' }, 'title', /^Title is required/],
    [{ radius: '' }, 'radius', /^Radius must be/],
    [{ radius: '0' }, 'radius', /^Radius must be/],
    [{ radius: 'wide' }, 'radius', /^Radius must be/],
    [{ latitude: '' }, 'latitude', /^Latitude/],
    [{ longitude: '181' }, 'longitude', /^Longitude/],
    [{ estimatedDuration: '1.5' }, 'estimatedDuration', /^Duration must be a whole number/],
    [{ estimatedDuration: 'long' }, 'estimatedDuration', /^Duration must be a whole number/],
    [{ reportedAt: 'soon' }, 'reportedAt', /^Start must be/],
  ])('%j is refused at its field', (change, field, sentence) => {
    expect(sentencesOf(change)?.[0]).toEqual([field, expect.stringMatching(sentence)]);
  });
});
