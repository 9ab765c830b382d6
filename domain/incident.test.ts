import { describe, expect, it } from 'vitest';
import { countsBetween, incidentFactors, incidentInput, incidentUpdate } from './incident.ts';

const good = { title: 'Burst pipe', latitude: '40.7', longitude: '-74', severity: 'high', type: 'closure' };

const sentenceOf = (change: object): string | undefined =>
  incidentInput.safeParse({ ...good, ...change }).error?.issues[0]?.message;

describe('what is said of an incident', () => {
  it('needs a title, a place, a severity and a type; the radius is half a kilometre', () => {
    expect(incidentInput.parse(good)).toMatchObject({ radius: 0.5, roadClosed: false });
  });

  it.each([
    [{ radius: 0 }, /^Radius/],
    [{ radius: -1 }, /^Radius/],
    [{ radius: Number.NaN }, /^Radius/],
    [{ radius: Number.POSITIVE_INFINITY }, /^Radius/],
    [{ radius: 101 }, /^Radius/],
    [{ radius: '1' }, /^Radius/],
    [{ latitude: '91' }, /^Latitude/],
    [{ longitude: '-181' }, /^Longitude/],
    [{ latitude: 'NaN' }, /^Latitude/],
    [{ severity: 'terrible' }, /^Severity/],
    [{ type: 'dragon' }, /^Type/],
    [{ estimatedDuration: 0 }, /^Duration/],
    [{ estimatedDuration: 1.5 }, /^Duration/],
    [{ title: ' ' }, /^Title/],
    [{ reportedAt: 'yesterday' }, /^Start/],
    [{ reportedAt: '2026-03-12T15:00:00Z', resolvedAt: '2026-03-12T14:59:59Z' }, /^End must not lie before/],
  ])('is refused in a sentence that names the field: %j', (change, sentence) => {
    expect(sentenceOf(change)).toMatch(sentence);
  });

  it('is changed in part, without defaults for what is not named', () => {
    expect(incidentUpdate.parse({ title: 'Flood' })).toEqual({ title: 'Flood' });
    expect(incidentUpdate.safeParse({ radius: 0 }).success).toBe(false);
  });

  it('takes factors of 1 and more', () => {
    expect(incidentFactors.safeParse({ low: 0.5, medium: 1, high: 2, critical: 3 }).success).toBe(false);
  });
});

describe('an incident counts', () => {
  const day = (time: string) => new Date(`2026-03-12T${time}:00Z`);
  const lasting = { status: 'active', reportedAt: day('08:00'), resolvedAt: null, estimatedDuration: 60 };

  it.each([
    ['while it lasts', lasting, '08:30', '12:00', true],
    ['when it begins during the route', lasting, '06:00', '08:10', true],
    ['not when it begins after the route', lasting, '06:00', '07:59', false],
    ['not when it is past its duration', lasting, '09:00', '12:00', false],
    ['without a duration for the day it begins on', { ...lasting, estimatedDuration: null }, '22:00', '23:00', true],
    ['not once resolved', { ...lasting, status: 'resolved', resolvedAt: day('08:50') }, '08:10', '08:40', false],
  ])('%s', (...[, incident, from, until, counts]) => {
    expect(countsBetween(incident, { from: day(from), until: day(until) }, 'UTC')).toBe(counts);
  });

  it.each([
    // The day ends in New York four hours after it does in UTC.
    ['America/New_York', '2026-03-13T03:59:00Z', true],
    ['America/New_York', '2026-03-13T04:00:00Z', false],
    ['UTC', '2026-03-12T23:59:00Z', true],
    ['UTC', '2026-03-13T00:00:00Z', false],
  ])('without a duration until midnight on the clock of %s: at %s %s', (timeZone, from, counts) => {
    const span = { from: new Date(from), until: new Date('2026-03-14T00:00:00Z') };
    expect(countsBetween({ ...lasting, estimatedDuration: null }, span, timeZone)).toBe(counts);
  });
});
