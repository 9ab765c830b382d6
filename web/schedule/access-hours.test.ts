import { expect, test } from 'vitest';
import { accessText } from './access-hours.ts';

const monday = { day: '2026-03-02', isToday: true };
const sunday = { day: '2026-03-08', isToday: true };

test.each([
  ['Mo-Fr 06:00-14:00', monday, 'Open today 6:00 AM-2:00 PM. Mon-Fri 6:00 AM-2:00 PM, Sat-Sun closed'],
  ['mo-fr 6:00-14:00', sunday, 'Closed today. Mon-Fri 6:00 AM-2:00 PM, Sat-Sun closed'],
  ['Mo-Fr 06:00-14:00', { ...sunday, isToday: false }, 'Closed on Sun. Mon-Fri 6:00 AM-2:00 PM, Sat-Sun closed'],
  [
    'Mo-Fr 08:00-12:00,13:00-17:30; Sa,Su 20:00-02:00',
    sunday,
    'Open today 8:00 PM-2:00 AM. Mon-Fri 8:00 AM-12:00 PM and 1:00 PM-5:30 PM, Sat-Sun 8:00 PM-2:00 AM',
  ],
  ['05:00-22:00', monday, 'Open every day 5:00 AM-10:00 PM'],
  ['24/7', monday, 'Open every day all day'],
  ['Mo-Su off', monday, 'Closed every day'],
])('%s reads the day of the stop first', (typed, when, text) => {
  expect(accessText(typed, when)).toBe(text);
});

test('what cannot be read stands as it was typed', () => {
  expect(accessText('ring twice, ask for Joe', monday)).toBe('ring twice, ask for Joe');
});
