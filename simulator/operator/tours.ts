import { distanceKm, type Point } from '../../domain/location.ts';
import { serviceMinutes } from '../../domain/service-time.ts';
import { type Day, isWorkday, workdayNumber } from '../calendar.ts';
import { at, share } from '../random.ts';
import type { Site } from './sites.ts';

/** One part of a territory, served on one day in a fixed order. Kilometres and minutes from leaving the depot. */
export type Tour = {
  designation: string;
  part: number;
  sites: Site[];
  legKm: number[];
  legMin: number[];
  serviceMin: number[];
  /** Minutes after leaving. */
  arrivalMin: number[];
  totalKm: number;
  drivingMin: number;
  serviceMinTotal: number;
};

/** Straight lines lengthened as streets do. */
const detour = 1.3;

/** Minutes to drive a distance in town; longer ways use faster roads. Same estimate as the planner's own. */
function drivingMinutes(km: number): number {
  const slow = Math.min(km, 3) / 30;
  const middle = Math.max(0, Math.min(km, 15) - 3) / 45;
  return 60 * (slow + middle + Math.max(0, km - 15) / 80);
}

export function roadKm(a: Point, b: Point): number {
  return distanceKm(a, b) * detour;
}

/** The tours of one territory: as many as working days pass between two services; a market is on two of them. */
export function toursOf(designation: string, sites: readonly Site[], depot: Point, parts: number): Tour[] {
  return Array.from({ length: parts }, (_, part) => {
    const own = sites.filter((site, index) => {
      const ownPart = Math.floor((index * parts) / sites.length);
      return ownPart === part || (site.type === 'market' && (ownPart + Math.floor(parts / 2)) % parts === part);
    });
    const calls = (7 / 5) * parts;
    return timedTour({ designation, part, sites: inGoodOrder(own, depot), depot, calls });
  });
}

type Plan = { designation: string; part: number; sites: Site[]; depot: Point; calls: number };

function timedTour({ designation, part, sites, depot, calls }: Plan): Tour {
  const legKm = sites.map((site, index) => roadKm(index === 0 ? depot : at(sites, index - 1).point, site.point));
  const legMin = legKm.map(drivingMinutes);
  const serviceMin = sites.map((site) => serviceMinutes(site.type, site.salesPerDay * calls));
  const arrivalMin: number[] = [];
  let clock = 0;
  for (const [index, minutes] of legMin.entries()) {
    clock += minutes;
    arrivalMin.push(clock);
    clock += at(serviceMin, index);
  }
  const last = sites.at(-1);
  const homeKm = last ? roadKm(last.point, depot) : 0;
  const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
  return {
    designation,
    part,
    sites,
    legKm,
    legMin,
    serviceMin,
    arrivalMin,
    totalKm: sum(legKm) + homeKm,
    drivingMin: Math.round(sum(legMin) + drivingMinutes(homeKm)),
    serviceMinTotal: sum(serviceMin),
  };
}

/** The nearest site next, then crossings undone: reversing any stretch that shortens the round trip. */
function inGoodOrder(sites: readonly Site[], depot: Point): Site[] {
  const left = [...sites];
  const order: Site[] = [];
  let from = depot;
  while (left.length) {
    const nearest = left.reduce((best, site) =>
      distanceKm(from, site.point) < distanceKm(from, best.point) ? site : best,
    );
    left.splice(left.indexOf(nearest), 1);
    order.push(nearest);
    from = nearest.point;
  }
  while (shorten(order, depot)) {
    // Each pass makes the trip shorter, so it ends.
  }
  return order;
}

function shorten(order: Site[], depot: Point): boolean {
  const point = (index: number): Point => order[index]?.point ?? depot;
  let shorter = false;
  for (let i = 0; i < order.length - 1; i++) {
    for (let j = i + 1; j < order.length; j++) {
      const now = distanceKm(point(i - 1), point(i)) + distanceKm(point(j), point(j + 1));
      const then = distanceKm(point(i - 1), point(j)) + distanceKm(point(i), point(j + 1));
      if (then > now - 1e-6) continue;
      order.splice(i, j - i + 1, ...order.slice(i, j + 1).reverse());
      shorter = true;
    }
  }
  return shorter;
}

/** The tour of a day: the parts take turns over the working days. */
export function tourOn(tours: readonly Tour[], day: Day): Tour {
  const parts = tours.length;
  return at(tours, ((workdayNumber(day) % parts) + parts) % parts);
}

/** Drivers leave the depot at six. */
export const leavesAtMin = 6 * 60;

/** How a driven day went: when each stop was planned and when it really was. Milliseconds since the epoch. */
export type DrivenDay = {
  tour: Tour;
  day: string;
  plannedStartMs: number;
  startedMs: number;
  completedMs: number;
  plannedMs: number[];
  actualMs: number[];
  /** When the driver left each stop. */
  doneMs: number[];
};

/** Most stops take as long as planned, some shorter or longer: what comes in the middle is the plan. */
function servedMinutes(tour: Tour, day: Day, index: number): number {
  const usual = at(tour.serviceMin, index);
  const mark = share(day.number, at(tour.sites, index).id, index, 5);
  if (mark < 0.2) return usual * (0.65 + mark);
  return mark < 0.8 ? usual : usual * (mark + 0.35);
}

/** The day of a tour that leaves at an instant: it starts a little off and is driven slower or faster than planned. */
export function drivenDay(tour: Tour, day: Day, plannedStartMs: number): DrivenDay {
  const mark = share(Number(tour.designation), day.number);
  const startedMs = plannedStartMs + Math.round((mark * 16 - 4) * 60_000);
  const pace = 0.88 + 0.24 * share(day.number, Number(tour.designation), 9);
  const actualMs: number[] = [];
  const doneMs: number[] = [];
  let clock = startedMs;
  for (const [index, minutes] of tour.legMin.entries()) {
    clock += Math.round(minutes * pace * 60_000);
    actualMs.push(clock);
    clock += Math.round(servedMinutes(tour, day, index) * 60_000);
    doneMs.push(clock);
  }
  const homeMin = tour.drivingMin - tour.legMin.reduce((total, one) => total + one, 0);
  return {
    tour,
    day: day.day,
    plannedStartMs,
    startedMs,
    completedMs: clock + Math.round(Math.max(0, homeMin) * pace * 60_000),
    plannedMs: tour.arrivalMin.map((minutes) => plannedStartMs + Math.round(minutes * 60_000)),
    actualMs,
    doneMs,
  };
}

/** The day as history has it; null on a weekend, when nobody drives. */
export function pastDay(tours: readonly Tour[], day: Day): DrivenDay | null {
  if (!isWorkday(day)) return null;
  return drivenDay(tourOn(tours, day), day, day.startMs + leavesAtMin * 60_000);
}
