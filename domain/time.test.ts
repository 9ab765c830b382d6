import { expect, test } from 'vitest';
import { addDays, dayIn, instantIn, raisedText } from './time.ts';

test('the day and the instant are those of each zone, whichever was asked before', () => {
  const at = new Date('2026-03-12T03:30:00Z');
  const days = ['America/New_York', 'UTC', 'Asia/Tokyo', 'America/New_York'].map((zone) => dayIn(zone, at));
  expect(days).toEqual(['2026-03-11', '2026-03-12', '2026-03-12', '2026-03-11']);
  const noon = (zone: string) => instantIn(zone, '2026-03-12', 720).toISOString();
  expect([noon('America/New_York'), noon('UTC'), noon('America/New_York')]).toEqual([
    '2026-03-12T16:00:00.000Z',
    '2026-03-12T12:00:00.000Z',
    '2026-03-12T16:00:00.000Z',
  ]);
});

test.each([
  ['America/New_York', '2026-03-08', 150, '2026-03-08T07:30:00.000Z'],
  ['Europe/Berlin', '2026-03-29', 150, '2026-03-29T01:30:00.000Z'],
  // The clocks go from midnight to one: the day begins then, and is not the last hour of the day before.
  ['America/Santiago', '2026-09-06', 0, '2026-09-06T04:00:00.000Z'],
  ['America/Havana', '2026-03-08', 0, '2026-03-08T05:00:00.000Z'],
  ['Africa/Cairo', '2026-04-24', 0, '2026-04-23T22:00:00.000Z'],
])('in %s a time that the clocks skip moves forward, on %s', (zone, day, minutes, instant) => {
  expect(instantIn(zone, day, minutes).toISOString()).toBe(instant);
});

test.each(['America/New_York', 'America/Santiago', 'America/Havana', 'Atlantic/Azores', 'Africa/Cairo', 'Asia/Tokyo'])(
  'each day of a year begins within it in %s, and every hour of it comes after the one before',
  (zone) => {
    for (let day = '2026-01-01'; day < '2027-01-01'; day = addDays(day, 1)) {
      const hours = Array.from({ length: 24 }, (_, hour) => instantIn(zone, day, hour * 60));
      expect(
        hours.map((at) => dayIn(zone, at)),
        day,
      ).toEqual(hours.map(() => day));
      expect(
        hours.toSorted((a, b) => a.getTime() - b.getTime()),
        day,
      ).toEqual(hours);
    }
  },
);

test('a zone that nobody knows is refused every time', () => {
  for (const _ of [1, 2]) expect(() => dayIn('Nowhere/At_All', new Date(0))).toThrow(RangeError);
});

test('a day in a zone asked for again takes no new format', () => {
  const made = Intl.DateTimeFormat;
  let count = 0;
  class Counted extends made {
    constructor(...given: ConstructorParameters<typeof made>) {
      super(...given);
      count += 1;
    }
  }
  Intl.DateTimeFormat = Counted as unknown as typeof made;
  try {
    for (let hour = 0; hour < 50; hour += 1) {
      dayIn('Europe/Lisbon', new Date(hour * 3_600_000));
      instantIn('Europe/Lisbon', '2026-03-12', hour);
    }
  } finally {
    Intl.DateTimeFormat = made;
  }
  expect(count).toBe(2);
});

test('an alert says how long it has stood, to the minute at first, and what that time is of', () => {
  const now = new Date('2026-03-12T12:00:00Z');
  const texts = [0, 1, 59, 60, 150, 60 * 24 * 3].map((min) => raisedText(new Date(now.getTime() - min * 60_000), now));
  expect(texts).toEqual([
    'Raised just now',
    'Raised 1 min ago',
    'Raised 59 min ago',
    'Raised 1 hour ago',
    'Raised 2 hours ago',
    'Raised 3 days ago',
  ]);
});
