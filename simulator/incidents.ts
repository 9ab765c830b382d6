import type { Point } from '../domain/location.ts';
import { type Day, dayOf } from './calendar.ts';
import type { OperatorPlan } from './operator/operator.ts';
import { tourOn } from './operator/tours.ts';
import { at, hash, randomOf } from './random.ts';

/** A traffic incident; the radius in kilometres, instants in milliseconds since the epoch. */
export type IncidentRecord = {
  title: string;
  description: string;
  lat: number;
  lng: number;
  severity: 'low' | 'medium' | 'high' | 'critical';
  type: 'accident' | 'congestion' | 'construction' | 'closure';
  radiusKm: number;
  reportedMs: number;
  durationMin: number;
};

type Kind = Omit<IncidentRecord, 'lat' | 'lng' | 'reportedMs'> & {
  /** Weekdays on which it begins, 0 Monday. */
  weekdays: readonly number[];
  /** Earliest and latest minute of the day. */
  beginsMin: readonly [number, number];
};

const everyDay = [0, 1, 2, 3, 4, 5, 6];
const weekMin = 7 * 24 * 60;

const kinds: readonly Kind[] = [
  {
    title: 'Bridge works, one lane',
    description: 'Traffic lights let one direction pass at a time.',
    severity: 'medium',
    type: 'construction',
    radiusKm: 0.8,
    durationMin: weekMin,
    weekdays: [0],
    beginsMin: [0, 0],
  },
  {
    title: 'Collision, two lanes blocked',
    description: 'Police on site.',
    severity: 'high',
    type: 'accident',
    radiusKm: 0.6,
    durationMin: 240,
    weekdays: everyDay,
    beginsMin: [6 * 60, 9 * 60],
  },
  {
    title: 'Slow traffic toward the centre',
    description: 'Heavier than usual.',
    severity: 'low',
    type: 'congestion',
    radiusKm: 1.5,
    durationMin: 180,
    weekdays: [0, 1, 2, 3, 4],
    beginsMin: [15 * 60, 16 * 60],
  },
  {
    title: 'Water main burst, road closed',
    description: 'Nobody can pass until it is mended.',
    severity: 'critical',
    type: 'closure',
    radiusKm: 0.3,
    durationMin: 20 * 60,
    weekdays: [2],
    beginsMin: [5 * 60, 6 * 60],
  },
];

/** The incidents that begin on a day, each on the way between two neighbouring stops of a tour of that day. */
export function incidentsOn(plan: OperatorPlan, day: Day): IncidentRecord[] {
  return kinds.flatMap(({ weekdays, beginsMin, ...kind }, index) => {
    if (!weekdays.includes(day.weekday)) return [];
    const random = randomOf(plan.seed, hash(day.number, index), 77);
    const reportedMs = day.startMs + random.int(beginsMin[0], beginsMin[1]) * 60_000;
    return [{ ...kind, ...spotOf(plan, day, random.int(0, 1_000_000)), reportedMs }];
  });
}

/** The incidents begun in the last week before an instant: the longest lasts so long. */
export function incidentsUntil(plan: OperatorPlan, today: string, nowMs: number): IncidentRecord[] {
  const days = Array.from({ length: 8 }, (_, back) => dayBefore(dayOf(today), 7 - back));
  return days.flatMap((day) => incidentsOn(plan, day)).filter((incident) => incident.reportedMs <= nowMs);
}

function dayBefore(day: Day, days: number): Day {
  const noon = day.startMs + 12 * 3_600_000 - days * 86_400_000;
  return dayOf(new Date(noon).toISOString().slice(0, 10));
}

function spotOf(plan: OperatorPlan, day: Day, chance: number): Point {
  const territory = at(plan.territories, chance % plan.territories.length);
  const { sites } = tourOn(territory.tours, day);
  const index = chance % Math.max(1, sites.length - 1);
  const from = at(sites, index).point;
  const to = (sites[index + 1] ?? at(sites, index)).point;
  return { lat: (from.lat + to.lat) / 2, lng: (from.lng + to.lng) / 2 };
}
