import { expect, test } from 'vitest';
import { signInAddress, wantedAddress } from './wanted-address.ts';

const origin = 'https://milkrun.example';

test.each([
  ['', `${origin}/`],
  ['?next=%2Fdaily-schedule%3Fdate%3D2026-03-12', `${origin}/daily-schedule?date=2026-03-12`],
  ['?next=%2F', `${origin}/`],
])('%s leads to %s', (search, wanted) => {
  expect(wantedAddress(search, origin)).toBe(wanted);
});

// Browsers read a backslash as a slash, skip tabs and resolve dots: these leave the site if taken as they are.
test.each([
  'https://evil.example/',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/x/..//evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
])('%j never leads off this site', (next) => {
  const wanted = wantedAddress(`?next=${encodeURIComponent(next)}`, origin);
  expect(new URL(wanted, `${origin}/login`).origin).toBe(origin);
});

test.each([
  ['/mobile-inventory', '?id=10', 'never-in', '/login?next=%2Fmobile-inventory%3Fid%3D10'],
  ['/mobile-inventory', '?id=10', 'ended', '/login?next=%2Fmobile-inventory%3Fid%3D10&ended=1'],
  ['/', '', 'never-in', '/login'],
  ['/', '', 'ended', '/login?ended=1'],
  ['/login', '?next=%2Fmarkets', 'ended', null],
] as const)('from %s%s, %s: %s', (pathname, search, gone, address) => {
  expect(signInAddress({ pathname, search }, gone)).toBe(address);
});
