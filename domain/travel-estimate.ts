/**
 * Driving estimated without a road engine: straight lines lengthened by a detour factor, driven at a pace that falls with the
 * length of the leg. `fitEstimate` learns both from driven legs. Distances in kilometres, times in seconds.
 */

/** Bounds in kilometres of the stretches that have a speed of their own: in town, around it, beyond. */
const boundsKm = [3, 15, Number.POSITIVE_INFINITY] as const;

export type TravelEstimate = {
  /** Road distance over straight distance. */
  detourFactor: number;
  /** Kilometres per hour on the first 3 km of a leg, up to 15 km, and beyond. */
  speedsKmh: readonly [number, number, number];
};

/** Rule of thumb for cities, until completed routes teach better. */
export const defaultEstimate: TravelEstimate = { detourFactor: 1.3, speedsKmh: [30, 45, 80] };

type Stretches = [number, number, number];

/** The kilometres of a leg that fall into each class. */
function stretchesOf(km: number): Stretches {
  const part = (from: number, to: number): number => Math.max(0, Math.min(km, to) - from);
  return [part(0, boundsKm[0]), part(boundsKm[0], boundsKm[1]), part(boundsKm[1], boundsKm[2])];
}

/** Whole seconds to drive a road distance in kilometres, each stretch at the speed of its class. */
export function estimateSeconds(km: number, { speedsKmh }: TravelEstimate = defaultEstimate): number {
  const [a, b, c] = stretchesOf(km);
  return Math.round((a / speedsKmh[0] + b / speedsKmh[1] + c / speedsKmh[2]) * 3600);
}

/** A leg that was driven: straight length, seconds at the wheel, and the road's length where an engine measured it. */
export type DrivenLeg = { straightKm: number; drivenSeconds: number; roadKm: number | null };

export type EstimateFit = {
  estimate: TravelEstimate;
  /** Legs used. */
  legs: number;
  /** Legs with a measured road distance, which teach the detour factor. */
  measuredLegs: number;
  /** Mean error per leg in minutes on legs that were not learned from: of the default and of the estimate learned. */
  errorBeforeMin: number;
  errorAfterMin: number;
};

/** Fewer legs teach nothing that can be trusted. */
export const fewestLegs = 30;
const longestLegSeconds = 3 * 3600;
/** Weight of the default, in legs: a class that was hardly driven keeps its speed. */
const priorLegs = 2;
const paceBounds = { slowestKmh: 5, fastestKmh: 130 };
const rounds = 80;

/**
 * Learns detour factor and speeds from driven legs; null while there are too few. The error is measured on every fifth leg
 * after learning from the others; the estimate returned has learned from all.
 * Method: least absolute deviations by reweighted least squares, so that a lunch break among the legs changes little; the
 * pace of each class is pulled towards the default.
 */
export function fitEstimate(driven: readonly DrivenLeg[]): EstimateFit | null {
  const legs = driven.filter(isUsable);
  if (legs.length < fewestLegs) return null;
  const isHeldBack = (_: DrivenLeg, index: number): boolean => index % 5 === 4;
  const checked = legs.filter(isHeldBack);
  const trial = learn(legs.filter((leg, index) => !isHeldBack(leg, index)));
  const estimate = learn(legs);
  return {
    estimate,
    legs: legs.length,
    measuredLegs: legs.filter((leg) => leg.roadKm !== null).length,
    errorBeforeMin: meanErrorMin(checked, defaultEstimate),
    errorAfterMin: meanErrorMin(checked, trial),
  };
}

/** Neighbours on one parking lot and legs with a long break say nothing about speed. */
function isUsable({ straightKm, drivenSeconds }: DrivenLeg): boolean {
  return straightKm >= 0.1 && drivenSeconds > 0 && drivenSeconds <= longestLegSeconds;
}

function learn(legs: readonly DrivenLeg[]): TravelEstimate {
  const detourFactor = detourOf(legs);
  const rows = legs.map((leg) => ({
    stretches: stretchesOf(leg.roadKm ?? leg.straightKm * detourFactor),
    hours: leg.drivenSeconds / 3600,
  }));
  return { detourFactor, speedsKmh: speedsOf(rows) };
}

/** Median of road over straight where a road was measured, between the two bounds of what roads are. */
function detourOf(legs: readonly DrivenLeg[]): number {
  const ratios = legs.flatMap(({ roadKm, straightKm }) => (roadKm === null ? [] : [roadKm / straightKm]));
  if (ratios.length < fewestLegs) return defaultEstimate.detourFactor;
  const sorted = ratios.sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? defaultEstimate.detourFactor;
  return Math.round(Math.min(3, Math.max(1, median)) * 1000) / 1000;
}

type Row = { stretches: Stretches; hours: number };
const classes = [0, 1, 2] as const;

/** Paces (hours per kilometre) that explain the hours, as speeds. */
function speedsOf(rows: readonly Row[]): [number, number, number] {
  const usual = defaultEstimate.speedsKmh.map((speed) => 1 / speed) as Stretches;
  let paces: Stretches = [...usual];
  for (let round = 0; round < rounds; round += 1) paces = refined(rows, paces, usual);
  const speed = (pace: number): number => round1(1 / within(pace));
  return [speed(paces[0]), speed(paces[1]), speed(paces[2])];
}

const round1 = (value: number): number => Math.round(value * 10) / 10;

function within(pace: number): number {
  return Math.min(1 / paceBounds.slowestKmh, Math.max(1 / paceBounds.fastestKmh, pace));
}

/** One round: weighted least squares by coordinate descent, each leg weighted by one over its error so far. */
function refined(rows: readonly Row[], from: Stretches, usual: Stretches): Stretches {
  const paces: Stretches = [...from];
  const weights = rows.map((row) => 1 / Math.max(Math.abs(row.hours - hoursAt(row, from)), 1 / 120));
  const priorWeight = (priorLegs * weights.reduce((sum, weight) => sum + weight, 0)) / rows.length;
  for (const own of classes) {
    // The prior speaks as so many legs of a typical length in the class.
    const typicalKm = [2, 6, 15][own] ?? 1;
    let above = priorWeight * typicalKm * typicalKm * usual[own];
    let below = priorWeight * typicalKm * typicalKm;
    for (const [index, row] of rows.entries()) {
      const km = row.stretches[own];
      const rest = row.hours - hoursAt(row, paces) + km * paces[own];
      const weight = weights[index] ?? 0;
      above += weight * km * rest;
      below += weight * km * km;
    }
    paces[own] = within(above / below);
  }
  return paces;
}

function hoursAt({ stretches }: Row, paces: Stretches): number {
  return stretches[0] * paces[0] + stretches[1] * paces[1] + stretches[2] * paces[2];
}

function meanErrorMin(legs: readonly DrivenLeg[], estimate: TravelEstimate): number {
  const errors = legs.map((leg) => {
    const seconds = estimateSeconds(leg.straightKm * estimate.detourFactor, estimate);
    return Math.abs(seconds - leg.drivenSeconds) / 60;
  });
  return round1(errors.reduce((sum, error) => sum + error, 0) / Math.max(1, errors.length));
}
