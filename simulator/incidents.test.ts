import { expect, it } from 'vitest';
import { incidentInput } from '../domain/incident.ts';
import { dayOf } from './calendar.ts';
import { incidentsOn, incidentsUntil } from './incidents.ts';
import { planOperator } from './operator/operator.ts';

const plan = planOperator('S', 1);

it('are the same for the same seed and day, and others for another seed', () => {
  const day = dayOf('2026-03-12');
  expect(incidentsOn(plan, day)).toEqual(incidentsOn(planOperator('S', 1), day));
  expect(incidentsOn(planOperator('S', 2), day)).not.toEqual(incidentsOn(plan, day));
});

it('keep the rules of an incident', () => {
  const all = incidentsUntil(plan, '2026-03-12', dayOf('2026-03-12').endMs);
  expect(all.length).toBeGreaterThan(3);
  for (const one of all) {
    const { lat, lng, radiusKm, durationMin, reportedMs, ...told } = one;
    const input = {
      ...told,
      latitude: String(lat),
      longitude: String(lng),
      radius: radiusKm,
      estimatedDuration: durationMin,
      reportedAt: new Date(reportedMs).toISOString(),
    };
    expect(incidentInput.safeParse(input).error).toBeUndefined();
  }
});

it('are never all over: at any hour at least one lasts, and none begins in the future', () => {
  for (let hour = 0; hour < 7 * 24; hour += 3) {
    const nowMs = dayOf('2026-03-09').startMs + hour * 3_600_000;
    const day = new Date(nowMs - 4 * 3_600_000).toISOString().slice(0, 10);
    const begun = incidentsUntil(plan, day, nowMs);
    expect(begun.every((one) => one.reportedMs <= nowMs)).toBe(true);
    expect(begun.some((one) => one.reportedMs + one.durationMin * 60_000 > nowMs)).toBe(true);
  }
});
