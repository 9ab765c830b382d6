import type { DayPlan, DayPlanRoute, DayPlanStop } from '../../contract/day-plans.ts';
import type { Arrangement } from '../../domain/day-plan.ts';
import { noDelay } from '../../domain/incident-effect.ts';
import { locationKey } from '../../domain/location.ts';
import { entryAt } from '../../domain/openings.ts';
import { toldDistance } from '../../domain/units.ts';
import type { Context, Crew, Place } from './context.ts';
import type { CrewTravel } from './traffic.ts';

type Evaluated = Pick<DayPlan, 'routes' | 'unassigned' | 'totals' | 'distanceSource' | 'warnings'>;

/** Times an arrangement as it would be driven, late or not: nothing is refused, what is wrong is said. */
export function evaluate(context: Context, arrangement: Arrangement, reasons: Record<string, string>): Evaluated {
  const routes = context.crews.map((crew, index) =>
    driven(context, { crew, ...roadsOf(context, index) }, arrangement.routes[index] ?? []),
  );
  const unassigned = arrangement.unassigned.flatMap((ref) => {
    const place = context.places.get(locationKey(ref));
    if (!place) return [];
    const { type, id, name, address, latitude, longitude } = place;
    return [{ type, id, name, address, latitude, longitude, reason: reasons[place.key] ?? 'Not given to a driver.' }];
  });
  const sum = (value: (route: DayPlanRoute) => number): number =>
    routes.reduce((total, route) => total + value(route), 0);
  return {
    routes,
    unassigned,
    totals: {
      distanceKm: toldDistance(sum((route) => route.totalDistance)),
      drivingMin: sum((route) => route.drivingMin),
      serviceMin: sum((route) => route.serviceMin),
      stops: sum((route) => route.stops.length),
    },
    distanceSource: context.matrix.source,
    warnings: warningsOf(context),
  };
}

/** What is said of the ways, once; also of those that only some crews drive, around what is closed in their shift. */
const warningsOf = ({ warnings, traffic }: Context): string[] => [
  ...new Set([...warnings, ...traffic.travel.flatMap(({ around }) => around.matrix.warnings)]),
];

const tenth = (value: number): number => Math.round(value * 10) / 10;
const minutes = (seconds: number): number => Math.round(seconds / 60);

type Roads = Pick<CrewTravel, 'matrix' | 'delayBetween'>;

const roadsOf = ({ traffic, matrix }: Context, index: number): Roads =>
  traffic.travel[index] ?? { matrix, delayBetween: () => noDelay };

type Driver = Roads & { crew: Crew };

function driven(
  context: Context,
  { crew, matrix, delayBetween }: Driver,
  stops: Arrangement['routes'][number],
): DayPlanRoute {
  const at = (seconds: number): string => new Date(context.midnight.getTime() + seconds * 1000).toISOString();
  const walk = {
    clock: crew.shift[0],
    from: crew.depotIndex,
    metres: 0,
    driving: 0,
    waiting: 0,
    service: 0,
    totes: 0,
    delay: 0,
  };
  const planned: DayPlanStop[] = [];
  for (const stop of stops) {
    const place = context.places.get(locationKey(stop));
    if (!place) continue;
    const way = matrix.durations[walk.from]?.[place.index] ?? null;
    const seconds = way ?? 0;
    const metres = matrix.distances[walk.from]?.[place.index] ?? 0;
    const arrival = walk.clock + seconds;
    const { begin, late } = entryAt(place.windows, arrival);
    const lost = delayBetween(walk.from, place.index);
    planned.push({
      ...shownOf(place),
      locked: stop.locked,
      noWay: way === null,
      arrivalAt: at(arrival),
      waitMin: minutes(begin - arrival),
      lateMin: Math.ceil(late / 60),
      serviceMin: place.serviceMin,
      serviceVisits: place.serviceVisits,
      legDistanceKm: tenth(metres / 1000),
      legDurationMin: tenth(seconds / 60),
      delayMin: minutes(lost.delay),
      incidents: lost.incidents,
    });
    walk.clock = begin + place.serviceMin * 60;
    walk.from = place.index;
    walk.metres += metres;
    walk.driving += seconds;
    walk.waiting += begin - arrival;
    walk.service += place.serviceMin;
    walk.totes += place.totes;
    walk.delay += lost.delay;
  }
  const home = matrix.durations[walk.from]?.[crew.depotIndex] ?? 0;
  const end = walk.clock + home;
  return {
    ...whoOf(crew),
    shiftStartAt: at(crew.shift[0]),
    shiftEndAt: at(crew.shift[1]),
    endAt: at(end),
    totalDistance: toldDistance((walk.metres + (matrix.distances[walk.from]?.[crew.depotIndex] ?? 0)) / 1000),
    drivingMin: minutes(walk.driving + home),
    serviceMin: walk.service,
    waitMin: minutes(walk.waiting),
    delayMin: minutes(walk.delay + delayBetween(walk.from, crew.depotIndex).delay),
    overShiftMin: Math.max(0, Math.ceil((end - crew.shift[1]) / 60)),
    totes: walk.totes,
    stops: planned,
  };
}

const shownOf = ({ type, id, name, address, latitude, longitude, totes, accessHours }: Place) => ({
  type,
  id,
  name,
  address,
  latitude,
  longitude,
  totes,
  accessHours,
});

const whoOf = ({ input, driverName, vehicleName, depot, capacityTotes }: Crew) => ({
  driverId: input.driverId ?? null,
  driverName,
  vehicleId: input.vehicleId ?? null,
  vehicleName,
  depot,
  capacityTotes,
});
