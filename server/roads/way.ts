import type { Point } from '../../domain/location.ts';
import type { TravelEstimate } from '../../domain/travel-estimate.ts';
import type { Db } from '../db/database.ts';
import { estimateLegs } from './engines/estimate.ts';
import { EngineFailed, type Leg, type Reason, usualWish, type Way, type Wish } from './engines/provider.ts';
import { readLegs, writeLegs } from './lines.ts';
import { keyOf, type Ready } from './matrix.ts';
import type { NoWays } from './no-ways.ts';

type Asked = {
  db: Db;
  at: Date;
  ready: Ready | null;
  isSilent: boolean;
  estimate: TravelEstimate;
  points: readonly Point[];
  wish: Wish;
  noWays: NoWays;
  failed: (error: unknown) => void;
};

/** Why a piece is straight. */
const straightBecause = {
  outside: 'a place is outside the map built here, distances are estimated',
  'no-way': 'no road leads there on this map, distances are estimated',
  refused: 'the road engine refused, distances are estimated',
  'no-answer': 'the road engine did not answer, distances are estimated',
};
type Straight = keyof typeof straightBecause;

const noWayReasons: ReadonlySet<Reason> = new Set(['no-road', 'unconnected', 'no-way']);

/** `straight` is null where the legs follow roads, `avoided` is true where they lead around what is closed. */
type Found = { points: Point[]; legs: Leg[]; straight: Straight | null; avoided: boolean };

/**
 * The way through points: what is stored, else in pieces the engine takes; a piece it does not answer is straight. Where it
 * answers only without the closed areas, or nothing leads around them, a piece follows the usual roads, and says so.
 */
export async function wayOf(asked: Asked): Promise<Way> {
  const { ready, estimate, points, wish } = asked;
  if (!ready) {
    const silent = asked.isSilent ? [`Straight lines: ${straightBecause['no-answer']}.`] : [];
    const warnings = [...silent, ...avoidWarning(wish, true)];
    const legs = estimateLegs(points, estimate).map((leg) => ({ ...leg, avoided: false }));
    return { legs, source: 'estimate', isAnswered: !asked.isSilent, warnings };
  }
  const around = await foundOf(asked, ready);
  const isLed = wish.avoid.length > 0 && ready.engine.avoids;
  const found = isLed ? await withUsual(asked, ready, around) : around;
  const legs = found.flatMap((piece) => piece.legs.map((leg) => ({ ...leg, avoided: piece.avoided })));
  const straight = countOf(found.filter((piece) => piece.straight !== null));
  return {
    legs,
    source: sourceOf(ready, straight, legs.length),
    isAnswered: ![...around, ...found].some((piece) => piece.straight === 'no-answer'),
    warnings: [...straightWarnings(found), ...avoidWarning(wish, !legs.every(({ avoided }) => avoided))],
  };
}

/** Legs of which it is known that there is no way are left out of the questions, and keep the rest from neither store nor engine. */
async function foundOf(asked: Asked, ready: Ready): Promise<Found[]> {
  const found: Found[] = [];
  for (const { points, straight } of runsOf(asked, ready))
    found.push(...(straight === null ? await runOf(asked, ready, points) : [straightOf(asked, points, straight)]));
  return found;
}

type Run = { points: Point[]; straight: Straight | null };

/** The way in as few runs as possible, which overlap in one point. */
function runsOf({ points, wish, at, noWays }: Asked, ready: Ready): Run[] {
  const key = keyOf(ready, wish, at);
  const { covers } = ready.engine;
  const runs: Run[] = [];
  for (const [index, to] of points.slice(1).entries()) {
    const from = points[index];
    if (!from) continue;
    const known = noWays.has(key, from, to) ? 'no-way' : null;
    const straight = covers && !(covers(from) && covers(to)) ? 'outside' : known;
    const last = runs.at(-1);
    if (last?.straight === straight) last.points.push(to);
    else runs.push({ points: [from, to], straight });
  }
  return runs;
}

const straightOf = ({ estimate }: Asked, points: Point[], straight: Straight): Found => ({
  points,
  legs: estimateLegs(points, estimate),
  straight,
  avoided: false,
});

async function runOf(asked: Asked, ready: Ready, points: Point[]): Promise<Found[]> {
  const { wish } = asked;
  const isLed = wish.avoid.length > 0 && ready.engine.avoids;
  // Closed roads come and go: what is true beside them is neither read nor stored.
  const key = isLed ? null : keyOf(ready, wish, asked.at);
  const stored = key && (await readLegs(asked.db, key, points));
  if (stored) return [{ points, legs: stored, straight: null, avoided: false }];
  const found: Found[] = [];
  for (const piece of piecesOf(points, ready.engine.wayLimit)) found.push(...(await pieceOf(asked, ready, piece)));
  if (key) {
    for (const {
      points: [from, to],
      straight,
    } of found)
      if (straight === 'no-way' && from && to) asked.noWays.add(key, from, to);
    const along = found.flatMap((piece) => piece.legs.map((leg) => (piece.straight === null ? leg : null)));
    await writeLegs(asked.db, key, points, along);
  }
  return found;
}

/** The usual roads in place of straight lines on the map that closed areas are the reason of. */
async function withUsual(asked: Asked, ready: Ready, around: readonly Found[]): Promise<Found[]> {
  const found: Found[] = [];
  for (const piece of around) {
    const isOnMap = piece.straight !== null && piece.straight !== 'outside';
    const wish = { ...asked.wish, avoid: usualWish.avoid };
    found.push(...(isOnMap ? await foundOf({ ...asked, points: piece.points, wish }, ready) : [piece]));
  }
  return found;
}

const countOf = (found: readonly Found[]): number => found.reduce((sum, { legs }) => sum + legs.length, 0);

function straightWarnings(found: readonly Found[]): string[] {
  const all = countOf(found);
  return (['outside', 'no-way', 'refused', 'no-answer'] as const).flatMap((reason) => {
    const count = countOf(found.filter(({ straight }) => straight === reason));
    if (count === 0) return [];
    const which = count === all ? 'Straight lines' : `${count} of ${all} legs are straight lines`;
    return [`${which}: ${straightBecause[reason]}.`];
  });
}

function sourceOf(ready: Ready, straight: number, all: number): Way['source'] {
  if (straight === 0) return ready.engine.source;
  return straight === all ? 'estimate' : 'mixed';
}

function avoidWarning({ avoid }: Wish, ignored: boolean): string[] {
  return avoid.length > 0 && ignored ? ['Closed roads are not taken into account on all legs.'] : [];
}

/** Pieces overlap in one point. */
function piecesOf(points: readonly Point[], limit: number): Point[][] {
  const pieces: Point[][] = [];
  for (let at = 0; at + 1 < points.length; at += limit - 1) pieces.push(points.slice(at, at + limit));
  return pieces;
}

async function pieceOf(asked: Asked, ready: Ready, piece: Point[]): Promise<Found[]> {
  const { engine, breaker } = ready;
  const avoided = asked.wish.avoid.length > 0 && engine.avoids;
  const straight = (why: Straight): Found[] => [straightOf(asked, piece, why)];
  if (breaker.isOpen()) return straight('no-answer');
  try {
    const legs = await engine.way(piece, asked.wish);
    breaker.succeeded();
    if (legs.length !== piece.length - 1) throw new EngineFailed('the engine left out a leg');
    return [{ points: piece, legs, straight: null, avoided }];
  } catch (error) {
    const reason = error instanceof EngineFailed ? error.reason : 'down';
    // One point without a way must not make the rest straight.
    if (reason !== 'down' && reason !== 'refused' && piece.length > 2) return halves(asked, ready, piece);
    if (reason === 'down') breaker.failed();
    // That there is no way is an answer, not a fault to look into.
    if (noWayReasons.has(reason)) return straight('no-way');
    asked.failed(error);
    if (reason === 'refused') return straight('refused');
    return straight('no-answer');
  }
}

/** They overlap in one point. */
async function halves(asked: Asked, ready: Ready, piece: Point[]): Promise<Found[]> {
  const half = Math.ceil(piece.length / 2);
  const first = await pieceOf(asked, ready, piece.slice(0, half));
  return [...first, ...(await pieceOf(asked, ready, piece.slice(half - 1)))];
}
