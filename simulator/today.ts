import { type Day, isWorkday } from './calendar.ts';
import type { OperatorPlan } from './operator/operator.ts';
import { type DrivenDay, drivenDay, leavesAtMin, type Tour, tourOn } from './operator/tours.ts';
import { at } from './random.ts';

/** A route of today as it stands at an instant. */
export type OpenDay = {
  driven: DrivenDay;
  status: 'planned' | 'in_progress' | 'completed';
  /** How many of its stops, from the first, are done. */
  doneStops: number;
};

const minuteMs = 60_000;
const stepMs = 5 * minuteMs;

/** What the three known designations show whatever the hour: one of each status. */
const shown: Record<string, (tour: Tour, day: Day, nowMs: number) => OpenDay> = {
  '101': plannedDay,
  '202': startedDay,
  '505': finishedDay,
};

/**
 * The routes of today. The three known designations are planned, under way and completed at any hour: what the clock does
 * not allow yet began earlier, so nothing lies in the future that has happened. The others drive on working days and are
 * as far as the clock says.
 */
export function routesOfToday(plan: OperatorPlan, day: Day, nowMs: number): OpenDay[] {
  return plan.territories.flatMap(({ designation, tours }) => {
    const tour = tourOn(tours, day);
    const make = shown[designation];
    if (make) return make(tour, day, nowMs);
    return isWorkday(day) ? asTheClockSays(drivenDay(tour, day, day.startMs + leavesAtMin * minuteMs), nowMs) : [];
  });
}

function asTheClockSays(driven: DrivenDay, nowMs: number): OpenDay {
  if (driven.startedMs > nowMs) return { driven, status: 'planned', doneStops: 0 };
  if (driven.completedMs <= nowMs) return { driven, status: 'completed', doneStops: driven.tour.sites.length };
  return { driven, status: 'in_progress', doneStops: stopsDone(driven, nowMs) };
}

/** A stop is done when its service has ended. */
function stopsDone(driven: DrivenDay, nowMs: number): number {
  return driven.doneMs.filter((ms) => ms <= nowMs).length;
}

/** Leaves at eight, or soon; late in the evening it should have left already. */
function plannedDay(tour: Tour, day: Day, nowMs: number): OpenDay {
  const soon = Math.ceil((nowMs + 15 * minuteMs) / (15 * minuteMs)) * 15 * minuteMs;
  const latest = day.endMs - 15 * minuteMs;
  const startMs = Math.min(Math.max(day.startMs + 8 * 60 * minuteMs, soon), latest);
  return { driven: drivenDay(tour, day, startMs), status: 'planned', doneStops: 0 };
}

/** Left at half past seven if that leaves it in the middle now, else so that a third of it is done. */
function startedDay(tour: Tour, day: Day, nowMs: number): OpenDay {
  const usual = drivenDay(tour, day, day.startMs + 7.5 * 60 * minuteMs);
  const done = stopsDone(usual, nowMs);
  if (done >= 1 && done < tour.sites.length - 1) return { driven: usual, status: 'in_progress', doneStops: done };
  const last = Math.floor((tour.sites.length - 1) / 3);
  const lastedMs = at(usual.doneMs, last) - usual.plannedStartMs;
  const driven = drivenDay(tour, day, roundedDown(nowMs - lastedMs - minuteMs));
  return { driven, status: 'in_progress', doneStops: Math.min(stopsDone(driven, nowMs), tour.sites.length - 1) };
}

/** Left at five if it is back by now, else so that it has just come back, after midnight if that can be. */
function finishedDay(tour: Tour, day: Day, nowMs: number): OpenDay {
  const doneStops = tour.sites.length;
  const usual = drivenDay(tour, day, day.startMs + 5 * 60 * minuteMs);
  if (usual.completedMs <= nowMs - stepMs) return { driven: usual, status: 'completed', doneStops };
  const lastedMs = usual.completedMs - usual.plannedStartMs;
  const backMs = nowMs - Math.min(stepMs, Math.max(0, nowMs - day.startMs) / 2);
  return { driven: drivenDay(tour, day, Math.floor(backMs - lastedMs)), status: 'completed', doneStops };
}

const roundedDown = (ms: number): number => Math.floor(ms / stepMs) * stepMs;
