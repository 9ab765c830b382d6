import type { OptimizeResult } from '../../../contract/routes.ts';
import { distanceKm, locationKey, type Point } from '../../../domain/place.ts';
import { estimatePerStop } from '../../../domain/route-plan.ts';
import { serviceText } from '../../../domain/service-time.ts';
import type { DistanceUnit } from '../../../domain/unit-schemas.ts';
import { hoursAndMinutes, kmToMiles } from '../../../domain/units.ts';
import { formatMiles, formatTenths } from '../../http/format.ts';
import { toLatLng } from '../../http/parse.ts';
import type { MapPlace, Series } from '../../map/map-data.ts';
import type { Candidate } from '../places/locations.ts';

/** What is chosen, without what a plan leaves out: that is no stop of it. */
export function keptBy(plan: OptimizeResult | null, chosen: readonly Candidate[]): readonly Candidate[] {
  const leftOut = new Set(plan?.unassigned.map(locationKey));
  return chosen.filter(({ key }) => !leftOut.has(key));
}

export type PlanTerms = {
  date: string;
  depotId: number | null;
  vehicleId: number | null;
  /** True: stops that do not pay for their way are left out. */
  worthOnly?: boolean;
};

/** What something was made for: another selection, day, depot or vehicle needs another one. */
export type MadeFor = { keys: ReadonlySet<string>; terms: PlanTerms };

export function madeFor(chosen: readonly Candidate[], terms: PlanTerms): MadeFor {
  return { keys: new Set(chosen.map((place) => place.key)), terms };
}

/** True while selection and terms are those; the order in which locations were chosen does not matter. */
export function stillFits(made: MadeFor, chosen: readonly Candidate[], terms: PlanTerms): boolean {
  const sameTerms =
    made.terms.date === terms.date &&
    made.terms.depotId === terms.depotId &&
    made.terms.vehicleId === terms.vehicleId &&
    (made.terms.worthOnly ?? false) === (terms.worthOnly ?? false);
  return sameTerms && made.keys.size === chosen.length && chosen.every((place) => made.keys.has(place.key));
}

export type Figures = { distance: string; duration: string };

/** Distance and time of a selection: the plan's own, else the estimate per stop. */
export function figuresOf(stopCount: number, plan: OptimizeResult | null): Figures {
  if (plan) return { distance: kmText(plan.totalDistance), duration: hoursAndMinutes(plan.estimatedTime) };
  return {
    distance: kmText(stopCount * estimatePerStop.distanceKm),
    duration: hoursAndMinutes(stopCount * estimatePerStop.durationMin),
  };
}

export function kmText(km: number): string {
  return `${formatTenths(km)} km`;
}

/** The same distance in miles for an operator who counts in miles. */
export function otherUnitText(km: number, unit: DistanceUnit): string | null {
  return unit === 'mi' ? milesText(km) : null;
}

export function milesText(km: number): string {
  return `${formatTenths(kmToMiles(km))} mi`;
}

type Ordered = {
  number: number;
  arrivalAt: string;
  opensAt: string | null;
  closesAt: string | null;
  service: string;
  incidents: readonly number[];
  delay: number;
};
type Order = Map<string, Ordered>;

/** Place in the planned order by location key. */
export function orderOf(plan: OptimizeResult | null): Order {
  const stops = plan?.optimizedOrder ?? [];
  return new Map(
    stops.map((stop, at) => {
      const {
        arrivalAt,
        opensAt = null,
        closesAt = null,
        serviceMin,
        serviceVisits = 0,
        incidents = [],
        delay = 0,
      } = stop;
      const service = serviceText({ serviceMin, serviceVisits });
      return [`${stop.type}:${stop.id}`, { number: at + 1, arrivalAt, opensAt, closesAt, service, incidents, delay }];
    }),
  );
}

/** Planned stops first in their order, then the rest as they were. */
export function inOrder(places: readonly Candidate[], order: Order): readonly Candidate[] {
  if (order.size === 0) return places;
  const last = order.size + 1;
  return [...places].sort((a, b) => (order.get(a.key)?.number ?? last) - (order.get(b.key)?.number ?? last));
}

export function toMapPlace(place: Candidate, order: Order, series: Series | undefined): MapPlace {
  const { type, id, name, address, lat, lng } = place;
  const number = order.get(place.key)?.number;
  return { type, id, name, address, lat, lng, series, ...(number === undefined ? {} : { number }) };
}

/** Where the line of a plan runs: from its start through the stops and back. */
export function lineOf(plan: OptimizeResult): Point[] {
  const stops = plan.optimizedOrder.map(toLatLng);
  const start = { lat: plan.start.lat, lng: plan.start.lng };
  return [start, ...stops, start];
}

/** Length of a way by road, or of the straight one between two points, in the operator's unit. */
export function lengthText({ from, to }: { from: Point; to: Point }, roadMetres: number | null): string {
  return formatMiles(kmToMiles(roadMetres === null ? distanceKm(from, to) : roadMetres / 1000));
}
