import type { NextSync } from '../../contract/integrations.ts';
import type { ConfigRow } from './queries.ts';
import { restOf } from './rest.ts';

type Row = Pick<ConfigRow, 'isActive' | 'syncEnabled' | 'status' | 'breaker'>;
type State = { connected: boolean; due: readonly (Date | null)[] };

/** In maintenance nothing is asked by itself. */
export const isOnTimetable = ({ isActive, syncEnabled, status }: Omit<Row, 'breaker'>): boolean =>
  isActive && syncEnabled && status !== 'maintenance';

/**
 * When the timetable reads a configuration next. `due`: of each resource, null for what was never read. Nothing is read
 * before the pause after failures, or the one that the partner asked for, is over.
 */
export function nextSyncOf({ breaker, ...row }: Row, { connected, due }: State, now: Date): NextSync {
  if (!isOnTimetable(row)) return { when: 'by-hand', at: null };
  if (!connected) return { when: 'put-right', at: null };
  const pauses = [restOf({ breaker }, now), breaker.openUntil].map((until) => (until ? Date.parse(until) : 0));
  const next = Math.max(Math.min(...due.map((at) => at?.getTime() ?? 0)), ...pauses);
  return next > now.getTime() ? { when: 'at', at: new Date(next).toISOString() } : { when: 'now', at: null };
}
