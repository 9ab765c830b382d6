import { expect, it } from 'vitest';
import { lateSeverity, partnerSeverity, soldOutSeverity, spanText, worstFirst } from './exception.ts';

it.each([
  [16, 'medium'],
  [60, 'high'],
  [120, 'critical'],
])('a stop %i minutes late is %s', (minutes, severity) => {
  expect(lateSeverity(minutes)).toBe(severity);
});

it.each([
  [1, 'medium'],
  [4, 'high'],
  [10, 'critical'],
])('%i sold-out slots are %s', (slots, severity) => {
  expect(soldOutSeverity(slots)).toBe(severity);
});

it.each([
  [1, false, 'medium'],
  [24, false, 'high'],
  [1, true, 'high'],
])('a partner that fails for %i hours is, where it waits for a person: %s, %s', (hours, waitsForPerson, severity) => {
  expect(partnerSeverity(hours, waitsForPerson)).toBe(severity);
});

it('the worst comes first, and of equals the oldest', () => {
  const young = { severity: 'high' as const, since: '2026-03-12T10:00:00Z' };
  const old = { severity: 'high' as const, since: '2026-03-11T10:00:00Z' };
  const worst = { severity: 'critical' as const, since: '2026-03-12T11:00:00Z' };
  expect([young, worst, old].sort(worstFirst)).toEqual([worst, old, young]);
});

it.each([
  [42.9, '42 min'],
  [120, '2 h'],
  [47.9 * 60, '47 h'],
  [50 * 60, '2 days'],
])('%d minutes read %s', (minutes, text) => {
  expect(spanText(minutes)).toBe(text);
});
