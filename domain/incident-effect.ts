import type { IncidentFactors, IncidentSeverity } from './incident.ts';
import { distanceKm, type Point } from './location.ts';

/** The part of an incident that slows traffic: a circle in kilometres. */
export type IncidentCircle = Point & {
  id: number;
  radiusKm: number;
  severity: IncidentSeverity;
  /** Nobody passes: drivers go round, at the price of going round. */
  closed: boolean;
};

export type EffectSettings = {
  factors: IncidentFactors;
  /** Road distance over straight distance, for the way round a circle. */
  detourFactor: number;
};

/** What a leg loses: whole seconds, to which incidents, and the metres that going around closed roads is longer by. */
export type LegDelay = { delay: number; incidents: number[]; detourM: number };

/** Durations in whole seconds and distances in metres between points, by row and column; null: no way. */
type Matrix = { durations: (number | null)[][]; distances: (number | null)[][] };

/** Leaving the road and finding back to it takes a minute. */
const goRoundFixedSeconds = 60;
/** A longer stretch runs past the far side of the earth, where the flat picture of it tears. */
const longestKm = 10_000;
const kmPerDegree = (Math.PI / 180) * 6371.0088;

type Flat = { x: number; y: number };

/** Kilometres east and north of the centre; exact enough for circles of up to 100 km. */
function flat(centre: Point, { lat, lng }: Point): Flat {
  const turn = ((((lng - centre.lng + 180) % 360) + 360) % 360) - 180;
  return { x: turn * kmPerDegree * Math.cos((centre.lat * Math.PI) / 180), y: (lat - centre.lat) * kmPerDegree };
}

/** The part of a stretch, from 0 to 1 of its length, that lies within `radius` of the origin. */
function insideOf(a: Flat, b: Flat, radius: number): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  if (Math.abs(dx) > longestKm) return 0;
  const length2 = dx * dx + dy * dy;
  const c = a.x * a.x + a.y * a.y - radius * radius;
  if (length2 === 0) return c <= 0 ? 1 : 0;
  const half = a.x * dx + a.y * dy;
  const root = half * half - length2 * c;
  if (root <= 0) return 0;
  const width = Math.sqrt(root);
  const from = Math.max(0, (-half - width) / length2);
  const to = Math.min(1, (-half + width) / length2);
  return Math.max(0, to - from);
}

/**
 * Share of a line's length inside a circle, from 0 to 1. Two points are a straight chord; more are a polyline, e.g. the
 * course of the road.
 */
export function shareInside(line: readonly Point[], circle: Point & { radiusKm: number }): number {
  const places = line.map((point) => flat(circle, point));
  let inside = 0;
  let whole = 0;
  for (let index = 1; index < places.length; index += 1) {
    const [a, b] = [places[index - 1], places[index]];
    if (!a || !b) continue;
    const length = Math.hypot(b.x - a.x, b.y - a.y);
    inside += length * insideOf(a, b, circle.radiusKm);
    whole += length;
  }
  return whole === 0 ? 0 : inside / whole;
}

type Leg = { line: readonly Point[]; seconds: number; metres: number };

/**
 * Seconds that one incident adds to a leg. Inside the circle each stretch takes `factor` times as long. Who only passes
 * through can go round instead: half the circle's rim in place of its chord, at the pace of the leg, plus a fixed minute;
 * so a large circle never makes a stop look unreachable. A closed road costs the way round.
 */
function addedBy(circle: IncidentCircle, leg: Leg, { factors, detourFactor }: EffectSettings): number {
  const share = shareInside(leg.line, circle);
  if (share === 0) return 0;
  const factor = circle.closed ? Math.max(factors.critical, factors[circle.severity]) : factors[circle.severity];
  const slowed = leg.seconds * share * (factor - 1);
  const [first, last] = [leg.line[0], leg.line.at(-1)];
  if (!first || !last || isInside(first, circle) || isInside(last, circle)) return slowed;
  const around = roundSeconds(leg, share, detourFactor);
  return circle.closed ? around : Math.min(slowed, around);
}

/** What driving half the rim of a circle takes more than the share of a leg inside it, and a minute. */
function roundSeconds({ line, seconds, metres }: Leg, share: number, detourFactor: number): number {
  const moreKm = (Math.PI / 2 - 1) * share * lengthKm(line) * detourFactor;
  return (metres > 0 ? (seconds / metres) * moreKm * 1000 : 0) + goRoundFixedSeconds;
}

/**
 * Whole seconds that a leg takes longer for closed circles where an engine knows no way around them: the way round those
 * that it crosses by guess, at least the minute.
 */
export function guessedRound(leg: Leg, circles: readonly IncidentCircle[], detourFactor: number): number {
  const seconds = circles.reduce((sum, circle) => {
    const share = shareInside(leg.line, circle);
    return share === 0 ? sum : sum + roundSeconds(leg, share, detourFactor);
  }, 0);
  return Math.round(Math.max(seconds, goRoundFixedSeconds));
}

function isInside(point: Point, circle: Point & { radiusKm: number }): boolean {
  const { x, y } = flat(circle, point);
  return Math.hypot(x, y) <= circle.radiusKm;
}

function lengthKm(line: readonly Point[]): number {
  return line.reduce((sum, point, index) => {
    const before = line[index - 1];
    return before ? sum + distanceKm(before, point) : 0;
  }, 0);
}

/** What a leg loses to incidents. The leg's seconds are those without any incident; no engine led it around anything. */
export function delayOf(leg: Leg, circles: readonly IncidentCircle[], settings: EffectSettings): LegDelay {
  const found: LegDelay = { delay: 0, incidents: [], detourM: 0 };
  let seconds = 0;
  for (const circle of circles) {
    const added = addedBy(circle, leg, settings);
    if (added <= 0) continue;
    seconds += added;
    found.incidents.push(circle.id);
  }
  found.delay = Math.round(seconds);
  return found;
}

export const noDelay: LegDelay = { delay: 0, incidents: [], detourM: 0 };

export type Slowed<M> = {
  matrix: M;
  /** What the leg between two places of the matrix loses. */
  delayBetween: (from: number, to: number) => LegDelay;
  /** False when no leg loses anything. */
  touched: boolean;
};

/** The course of the road between two points, by their positions; without points where it is far from every incident. */
export type KnownLine = { from: number; to: number; line: readonly Point[] };

type Slowing = {
  circles: readonly IncidentCircle[];
  settings: EffectSettings;
  lines?: readonly KnownLine[];
  /** Whether a circle slows the way from a place to another; absent: every one does. */
  slows?: (circle: IncidentCircle, from: number, to: number) => boolean;
};

/**
 * The matrix with the delays of incidents in its durations; distances stay. The matrix given is not changed, so that one
 * from a cache stays clean. A leg is the course of its road where that is known (`lines`), else the straight chord between
 * its points.
 */
export function slowMatrix<M extends Matrix>(
  matrix: M,
  points: readonly Point[],
  { circles, settings, lines = [], slows = () => true }: Slowing,
): Slowed<M> {
  const delays = new Map<number, LegDelay>();
  const size = points.length;
  const slow = (from: number, to: number, line: readonly Point[]): void => {
    const seconds = matrix.durations[from]?.[to];
    if (!seconds) return;
    const met = circles.filter((circle) => slows(circle, from, to));
    const delay = delayOf({ line, seconds, metres: matrix.distances[from]?.[to] ?? 0 }, met, settings);
    if (delay.incidents.length > 0) delays.set(from * size + to, delay);
  };
  const known = new Set<number>();
  for (const { from, to, line } of lines) {
    known.add(from * size + to);
    slow(from, to, line);
  }
  for (const [from, to] of legsNear(points, circles)) {
    const [a, b] = [points[from], points[to]];
    if (a && b && !known.has(from * size + to)) slow(from, to, [a, b]);
  }
  const delayBetween = (from: number, to: number): LegDelay => delays.get(from * size + to) ?? noDelay;
  if (delays.size === 0) return { matrix, delayBetween, touched: false };
  const durations = matrix.durations.map((row, from) =>
    row.map((seconds, to) => (seconds === null ? null : seconds + (delays.get(from * size + to)?.delay ?? 0))),
  );
  return { matrix: { ...matrix, durations }, delayBetween, touched: true };
}

/** Ways that lead around closed circles: what they take otherwise, and the circles. */
type Detours = { usual: Matrix; circles: readonly IncidentCircle[] };

/**
 * What the legs lose, with what going around closed roads takes of each: `around` is the matrix of ways around them, `lose`
 * what incidents add to that. A leg that takes longer for it names the circles on its straight line, or else the nearest one;
 * one that is only longer keeps by how much, so that its kilometres come back when the road is open.
 */
export function withDetours(
  { around, lose, points }: { around: Matrix; lose: Slowed<Matrix>['delayBetween']; points: readonly Point[] },
  { usual, circles }: Detours,
): Slowed<Matrix>['delayBetween'] {
  return (from, to) => {
    const lost = lose(from, to);
    const [long, short] = [around.durations[from]?.[to] ?? 0, usual.durations[from]?.[to] ?? 0];
    const [a, b] = [points[from], points[to]];
    const detourM = Math.round((around.distances[from]?.[to] ?? 0) - (usual.distances[from]?.[to] ?? 0));
    if (!a || !b || short === 0) return lost;
    if (long <= short) return detourM === 0 ? lost : { ...lost, detourM };
    const met = metBetween([a, b], circles).map(({ id }) => id);
    return { delay: lost.delay + long - short, incidents: [...lost.incidents, ...met], detourM };
  };
}

function metBetween(chord: readonly [Point, Point], circles: readonly IncidentCircle[]): IncidentCircle[] {
  const on = circles.filter((circle) => shareInside(chord, circle) > 0);
  if (on.length > 0) return on;
  const beyond = (circle: IncidentCircle): number =>
    chord.reduce((sum, end) => sum + distanceKm(end, circle), -circle.radiusKm);
  const [nearest] = circles.toSorted((one, other) => beyond(one) - beyond(other));
  return nearest ? [nearest] : [];
}

/** Pairs of places whose chord may touch a circle: most matrices are far from most incidents. */
function* legsNear(points: readonly Point[], circles: readonly IncidentCircle[]): Generator<[number, number]> {
  const seen = new Set<number>();
  for (const circle of circles) {
    const places = points.map((point) => flat(circle, point));
    for (const [from, a] of places.entries()) {
      for (const [to, b] of places.entries()) {
        const r = circle.radiusKm;
        if (from === to || (a.x > r && b.x > r) || (a.x < -r && b.x < -r)) continue;
        if ((a.y > r && b.y > r) || (a.y < -r && b.y < -r)) continue;
        const key = from * points.length + to;
        if (seen.has(key) || insideOf(a, b, r) === 0) continue;
        seen.add(key);
        yield [from, to];
      }
    }
  }
}
