import { expect, test } from 'vitest';
import { nextSyncOf } from './next-sync.ts';

const now = new Date('2026-01-05T10:00:00.000Z');
const later = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);
const row = { isActive: true, syncEnabled: true, status: 'active', breaker: {} };
const at = (minutes: number) => ({ when: 'at', at: later(minutes).toISOString() });

test('the next sync is that of the resource that is due first; what was never read is due at once', () => {
  const next = (due: readonly (Date | null)[]) => nextSyncOf(row, { connected: true, due }, now);
  expect(next([later(720), later(15)])).toEqual(at(15));
  expect(next([later(720), null])).toEqual({ when: 'now', at: null });
  expect(next([later(720), later(-3)])).toEqual({ when: 'now', at: null });
});

test('nothing is read before the pause after failures is over, nor before the one that the partner asked for', () => {
  const paused = (breaker: object) => nextSyncOf({ ...row, breaker }, { connected: true, due: [later(-1)] }, now);
  expect(paused({ openUntil: later(4).toISOString() })).toEqual(at(4));
  expect(paused({ restUntil: later(9).toISOString() })).toEqual(at(9));
  expect(paused({ openUntil: later(-1).toISOString() })).toEqual({ when: 'now', at: null });
});

test('what is switched off, or not on the timetable, is read by hand; what was refused waits for a person', () => {
  const due = [later(15)];
  const byHand = { when: 'by-hand', at: null };
  expect(nextSyncOf({ ...row, isActive: false }, { connected: false, due }, now)).toEqual(byHand);
  expect(nextSyncOf({ ...row, syncEnabled: false }, { connected: true, due }, now)).toEqual(byHand);
  expect(nextSyncOf({ ...row, status: 'maintenance' }, { connected: true, due }, now)).toEqual(byHand);
  expect(nextSyncOf(row, { connected: false, due }, now)).toEqual({ when: 'put-right', at: null });
});
