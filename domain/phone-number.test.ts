import { expect, test } from 'vitest';
import { phoneAsTyped, phoneText } from './phone-number.ts';

test.each([
  ['+15125550100', '(512) 555-0100'],
  ['15125550100', '(512) 555-0100'],
  ['5125550100', '(512) 555-0100'],
  ['512-555-0100', '(512) 555-0100'],
  ['+1 512 555 0100', '(512) 555-0100'],
  ['(512) 555-0100', '(512) 555-0100'],
])('a number of the United States or Canada kept as %s is written %s', (kept, written) => {
  expect(phoneText(kept)).toBe(written);
});

test.each([
  ['+493012345678', '+49 301 234 5678'],
  ['+442079460958', '+44 207 946 0958'],
  ['+35312345678', '+353 123 456 78'],
  ['+33123456789', '+33 123 456 789'],
  ['+79161234567', '+7 916 123 4567'],
  ['+5112345678', '+51 123 456 78'],
  ['+5125550100', '+51 255 501 00'],
  ['+37060012345', '+370 600 123 45'],
  ['+11234567890', '+1 123 456 7890'],
])('a number of another country, %s, has its parts set apart: %s', (kept, written) => {
  expect(phoneText(kept)).toBe(written);
});

test.each(['0301234567', '512 555 0100 ext. 12', 'ask at the desk', '+44 20 7946 0958', '911', ''])(
  'what is no bare number, as %j, stays as it was written',
  (kept) => {
    expect(phoneText(kept)).toBe(kept);
  },
);

test.each([
  ['512555010', '512555010'],
  ['5125550100', '(512) 555-0100'],
  ['(512) 555-01001', '(512) 555-01001'],
  ['+493012345678', '+493012345678'],
])('what is typed as %s stands there as %s', (typed, shown) => {
  expect(phoneAsTyped(typed)).toBe(shown);
});
