import type { Arrangement } from '../../domain/day-plan.ts';
import { beyondShiftSentence, closedSentence, type LeftOutReason, leftOutSentence } from '../../domain/left-out.ts';
import { locationKey } from '../../domain/location.ts';
import { priorityOf } from '../../domain/need.ts';
import type { InitialRoute, Job, Problem, Solution } from '../../optimizer/index.ts';
import type { Worths } from '../need/service.ts';
import type { Context, Place } from './context.ts';

/** The trade's words for the solver: a stop is a job, a crew a vehicle. Seconds since midnight, metres, totes. */
export function toProblem(context: Context, arrangement: Arrangement, worths: Worths = new Map()): Problem {
  const keeper = lockedTo(arrangement);
  const limitsLoad = context.crews.some((crew) => crew.capacityTotes !== null);
  return {
    jobs: openPlaces(context).map((place) =>
      toJob(place, { keeper: keeper.get(place.key), limitsLoad, worth: worths.get(place.key)?.seconds ?? 0 }),
    ),
    vehicles: context.crews.map((crew, index) => ({
      id: crew.number,
      start_index: crew.depotIndex,
      end_index: crew.depotIndex,
      time_window: crew.shift,
      profile: context.traffic.travel[index]?.profile ?? 'car',
      ...(limitsLoad ? { capacity: [crew.capacityTotes ?? plenty] } : {}),
    })),
    matrices: Object.fromEntries(
      context.traffic.travel.map(({ profile, matrix: { durations, distances } }) => [
        profile,
        { durations, distances },
      ]),
    ),
  };
}

/** Room of a vehicle whose size is not known. */
const plenty = 1_000_000;

/** Places that can be entered at all on that day. */
function openPlaces(context: Context): Place[] {
  return [...context.places.values()].filter((place) => place.windows === null || place.windows.length > 0);
}

type Terms = { keeper: number | undefined; limitsLoad: boolean; worth: number };

function toJob(place: Place, { keeper, limitsLoad, worth }: Terms): Job {
  return {
    id: place.index + 1,
    location_index: place.index,
    service: place.serviceMin * 60,
    priority: priorityOf(worth),
    ...(limitsLoad ? { delivery: [place.totes] } : {}),
    ...(place.windows ? { time_windows: place.windows } : {}),
    ...(keeper === undefined ? {} : { allowed_vehicles: [keeper], required: true }),
  };
}

/** The crew that each locked place stays with. */
function lockedTo(arrangement: Arrangement): Map<string, number> {
  const pairs = arrangement.routes.flatMap((stops, index) =>
    stops.filter((stop) => stop.locked).map((stop) => [locationKey(stop), index + 1] as const),
  );
  return new Map(pairs);
}

/** The arrangement as a first plan for the solver, so that its answer is never worse. */
export function toInitial(context: Context, arrangement: Arrangement): InitialRoute[] {
  return arrangement.routes.flatMap((stops, index) => {
    const jobs = stops.flatMap((stop) => {
      const place = context.places.get(locationKey(stop));
      return place && place.windows?.length !== 0 ? [place.index + 1] : [];
    });
    return jobs.length ? [{ vehicle: index + 1, jobs }] : [];
  });
}

type Outcome = { arrangement: Arrangement; reasons: Record<string, string> };

/** The solver's answer as who visits what, with a sentence for each place left out. */
export function toOutcome(context: Context, solution: Solution, before: Arrangement): Outcome {
  const byNumber = new Map([...context.places.values()].map((place) => [place.index + 1, place]));
  const locked = new Set(before.routes.flat().flatMap((stop) => (stop.locked ? [locationKey(stop)] : [])));
  const routes: Arrangement['routes'] = context.crews.map(() => []);
  for (const route of solution.routes) {
    const stops = route.steps.flatMap((step) => {
      const place = step.type === 'job' ? byNumber.get(Number(step.id)) : undefined;
      return place ? [{ type: place.type, id: place.id, locked: locked.has(place.key) }] : [];
    });
    routes[Number(route.vehicle) - 1] = stops;
  }
  const out = solution.unassigned.flatMap(({ id, reason }) => {
    const place = byNumber.get(Number(id));
    return place ? [{ place, sentence: sentenceOf(context, place, reason) }] : [];
  });
  const closed = [...context.places.values()]
    .filter((place) => place.windows?.length === 0)
    .map((place) => ({ place, sentence: closedSentence(place) }));
  const left = [...out, ...closed];
  return {
    arrangement: { routes, unassigned: left.map(({ place }) => ({ type: place.type, id: place.id })) },
    reasons: Object.fromEntries(left.map(({ place, sentence }) => [place.key, sentence])),
  };
}

function sentenceOf(context: Context, place: Place, reason: LeftOutReason): string {
  const wayMin = reason === 'shift' ? wayBeyondShifts(context, place) : null;
  if (wayMin !== null) return beyondShiftSentence(wayMin);
  const capacities = context.crews.map(({ capacityTotes }) => capacityTotes);
  return leftOutSentence(reason, place, capacities);
}

/** Minutes of the shortest way there and back, where no crew's shift has room for its own; null otherwise. */
function wayBeyondShifts({ crews, matrix, traffic }: Context, { index }: Place): number | null {
  const ways = crews.map(({ depotIndex, shift: [from, to] }, crew) => {
    const { durations } = traffic.travel[crew]?.matrix ?? matrix;
    const [there, back] = [durations[depotIndex]?.[index], durations[index]?.[depotIndex]];
    const seconds = (there ?? Number.POSITIVE_INFINITY) + (back ?? Number.POSITIVE_INFINITY);
    return { seconds, isBeyond: seconds > to - from };
  });
  const shortest = Math.min(...ways.map(({ seconds }) => seconds));
  return ways.every(({ isBeyond }) => isBeyond) && Number.isFinite(shortest) ? shortest / 60 : null;
}
