import { distanceKm, toPoint } from './place.ts';
import { defaultEstimate, estimateSeconds } from './travel-estimate.ts';

/**
 * How a day goes on from where it stands. The same rule on the phone and on the server, so that what a driver sees without
 * signal is what the office reads later.
 */

/** Of a stop, in the planned order: what says whether it still lies ahead and how long it takes. Minutes. */
export type PlannedStop = {
  id: number;
  completed: boolean;
  skippedReason: string | null;
  /** Driving from the stop before it; null where not known. */
  legDurationMin: number | null;
  serviceMin: number;
  /** Before it the door is closed; null or absent: it is open. */
  opensAt?: string | null | undefined;
  actualArrival?: string | null;
  /** Decimal degrees, for ways that the plan does not have. */
  latitude?: string;
  longitude?: string;
};

const minuteMs = 60_000;

/** Done or left out: nothing more happens there. */
export function isSettled(stop: Pick<PlannedStop, 'completed' | 'skippedReason'>): boolean {
  return stop.completed || stop.skippedReason !== null;
}

/**
 * When the open stops are expected: driving on from `fromMs` in the planned order, from where the driver came last. A stop
 * being served now is left as it is. ISO instants by stop id; stops not in it keep what they have.
 */
export function expectedArrivals(
  stops: readonly PlannedStop[],
  fromMs: number,
  beingServed: number | null = null,
): Map<number, string> {
  const expected = new Map<number, string>();
  let clock = fromMs;
  let here = lastCome(stops, beingServed);
  for (const [index, stop] of stops.entries()) {
    if (isSettled(stop) || stop.id === beingServed) continue;
    clock += wayMin(stops, here, index) * minuteMs;
    expected.set(stop.id, new Date(clock).toISOString());
    clock = beginsAt(stop, clock) + stop.serviceMin * minuteMs;
    here = index;
  }
  return expected;
}

/** When work can begin for who arrives then: at once, or when the door opens. Milliseconds since 1970. */
export function beginsAt({ opensAt }: Pick<PlannedStop, 'opensAt'>, arrivalMs: number): number {
  return opensAt ? Math.max(arrivalMs, Date.parse(opensAt)) : arrivalMs;
}

/** Position of the stop that the driver came to last; -1: not been anywhere yet. */
function lastCome(stops: readonly PlannedStop[], beingServed: number | null): number {
  let [last, lastMs] = [-1, Number.NEGATIVE_INFINITY];
  for (const [index, stop] of stops.entries()) {
    if (stop.id === beingServed) return index;
    const ms = stop.completed && stop.actualArrival ? Date.parse(stop.actualArrival) : Number.NaN;
    if (ms >= lastMs) [last, lastMs] = [index, ms];
  }
  return last;
}

/** Minutes of driving: the plan's own from one stop to the next; past stops left out or done before, an estimate. */
function wayMin(stops: readonly PlannedStop[], from: number, to: number): number {
  const planned = stops[to]?.legDurationMin ?? 0;
  if (from === to - 1) return planned;
  const [a, b] = [pointOf(stops[from]), pointOf(stops[to])];
  if (!a || !b) return planned;
  return estimateSeconds(distanceKm(a, b) * defaultEstimate.detourFactor) / 60;
}

function pointOf(stop: PlannedStop | undefined) {
  const { latitude, longitude } = stop ?? {};
  return latitude && longitude ? toPoint({ latitude, longitude }) : null;
}

type Times = { estimatedArrival: string | null; expectedArrival: string | null; actualArrival: string | null };

/** When somebody came to a stop, or is expected there: as the day goes, else as planned. */
export function comesAt({ actualArrival, expectedArrival, estimatedArrival }: Times): string | null {
  return actualArrival ?? expectedArrival ?? estimatedArrival;
}

/** Minutes from one clock time to another as both are shown, without their seconds; milliseconds since 1970. */
export function shownMinutes(fromMs: number, toMs: number): number {
  return Math.floor(toMs / minuteMs) - Math.floor(fromMs / minuteMs);
}

/**
 * Whole minutes behind the plan: by the arrival, or by when it is expected, which is never before now; below zero is early,
 * null is not known.
 */
export function minutesLate(stop: Times & { completed: boolean }, nowMs: number): number | null {
  if (!stop.estimatedArrival) return null;
  const planned = Date.parse(stop.estimatedArrival);
  const told = stop.actualArrival ?? stop.expectedArrival;
  const isAhead = !stop.completed && stop.actualArrival === null;
  if (!told && !(isAhead && nowMs > planned)) return null;
  const comes = told ? Date.parse(told) : nowMs;
  return shownMinutes(planned, isAhead ? Math.max(comes, nowMs) : comes);
}

/** Open stops that the plan has before this one and nobody is at yet. */
export function stopsAhead(
  stops: readonly (Pick<PlannedStop, 'id' | 'completed' | 'skippedReason'> & { actualArrival: string | null })[],
  stopId: number,
): number {
  const at = stops.findIndex((stop) => stop.id === stopId);
  return stops.slice(0, Math.max(0, at)).filter((stop) => !isSettled(stop) && stop.actualArrival === null).length;
}
