import { describe, expect, it } from 'vitest';
import { dayOf } from './calendar.ts';
import { planOperator } from './operator/operator.ts';
import { type OpenDay, routesOfToday } from './today.ts';

const plan = planOperator('S', 1);

function routesAt(day: string, minutes: number) {
  const today = dayOf(day);
  const nowMs = today.startMs + minutes * 60_000;
  const routes = routesOfToday(plan, today, nowMs);
  const one = (designation: string): OpenDay => {
    const found = routes.find((route) => route.driven.tour.designation === designation);
    if (!found) throw new Error(`no route ${designation}`);
    return found;
  };
  return { routes, nowMs, today, planned: one('101'), started: one('202'), done: one('505') };
}

// Every quarter of an hour of a Thursday, a Sunday and the two days on which the clock is changed.
const moments = ['2026-03-12', '2026-03-15', '2026-03-08', '2026-11-01'].flatMap((day) =>
  Array.from({ length: 92 }, (_, n) => [day, n * 15 + 1] as const),
);

describe('the routes of today', () => {
  it('are three at any hour: one planned, one under way, one completed', () => {
    for (const [day, minutes] of moments) {
      const { routes, planned, started, done } = routesAt(day, minutes);
      expect(routes).toHaveLength(3);
      expect([planned.status, started.status, done.status]).toEqual(['planned', 'in_progress', 'completed']);
    }
  });

  it('have done nothing in the future', () => {
    for (const [day, minutes] of moments) {
      const { nowMs, started, done } = routesAt(day, minutes);
      expect(started.driven.startedMs).toBeLessThan(nowMs);
      expect(Math.max(...started.driven.actualMs.slice(0, started.doneStops))).toBeLessThanOrEqual(nowMs);
      expect(done.driven.completedMs).toBeLessThanOrEqual(nowMs);
    }
  });

  it('have some stops done and some to do on the one under way', () => {
    for (const [day, minutes] of moments) {
      const { started } = routesAt(day, minutes);
      expect(started.doneStops).toBeGreaterThanOrEqual(1);
      expect(started.doneStops).toBeLessThan(started.driven.tour.sites.length);
    }
  });

  it('complete the finished one after midnight wherever a minute of the day has passed', () => {
    for (const [day, minutes] of moments) {
      const { done, today } = routesAt(day, minutes);
      expect(done.driven.completedMs).toBeGreaterThanOrEqual(today.startMs);
    }
  });

  it('plan the open one for the same day, ahead of now but for the last half hour', () => {
    for (const [day, minutes] of moments) {
      const { planned, nowMs, today } = routesAt(day, minutes);
      expect(planned.driven.plannedStartMs).toBeLessThan(today.endMs);
      if (nowMs < today.endMs - 30 * 60_000) expect(planned.driven.plannedStartMs).toBeGreaterThan(nowMs);
    }
  });

  it('of a larger operator are as far on a working day as the clock says', () => {
    const many = planOperator('M', 1);
    const day = dayOf('2026-03-12');
    const at = (hour: number) => routesOfToday(many, day, day.startMs + hour * 3_600_000);
    expect(at(12)).toHaveLength(30);
    expect(new Set(at(3).map((route) => route.status)).size).toBe(3);
    expect(at(22).filter((route) => route.status === 'completed')).toHaveLength(28);
  });
});
