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
};

const minuteMs = 60_000;

/** Done or left out: nothing more happens there. */
export function isSettled(stop: Pick<PlannedStop, 'completed' | 'skippedReason'>): boolean {
  return stop.completed || stop.skippedReason !== null;
}

/**
 * When the open stops are expected: driving on from `fromMs` in the planned order. A stop being served now is left as it
 * is. ISO instants by stop id; stops not in it keep what they have.
 */
export function expectedArrivals(
  stops: readonly PlannedStop[],
  fromMs: number,
  beingServed: number | null = null,
): Map<number, string> {
  const expected = new Map<number, string>();
  let clock = fromMs;
  for (const stop of stops) {
    if (isSettled(stop) || stop.id === beingServed) continue;
    clock += (stop.legDurationMin ?? 0) * minuteMs;
    expected.set(stop.id, new Date(clock).toISOString());
    clock += stop.serviceMin * minuteMs;
  }
  return expected;
}

type Times = { estimatedArrival: string | null; expectedArrival: string | null; actualArrival: string | null };

/** Whole minutes behind the plan: by the arrival, or by when it is expected; below zero is early, null is not known. */
export function minutesLate(stop: Times): number | null {
  const now = stop.actualArrival ?? stop.expectedArrival;
  if (!now || !stop.estimatedArrival) return null;
  return Math.round((Date.parse(now) - Date.parse(stop.estimatedArrival)) / minuteMs);
}

/** Open stops that the plan has before this one and nobody is at yet. */
export function stopsAhead(
  stops: readonly (Pick<PlannedStop, 'id' | 'completed' | 'skippedReason'> & { actualArrival: string | null })[],
  stopId: number,
): number {
  const at = stops.findIndex((stop) => stop.id === stopId);
  return stops.slice(0, Math.max(0, at)).filter((stop) => !isSettled(stop) && stop.actualArrival === null).length;
}
