import type { Point } from '../../domain/location.ts';
import type { TravelEstimate } from '../../domain/travel-estimate.ts';
import { estimateLegs } from './estimate.ts';
import type { Ready } from './matrix.ts';
import { EngineFailed, type Leg, type Way, type Wish } from './provider.ts';

type Asked = {
  ready: Ready | null;
  estimate: TravelEstimate;
  points: readonly Point[];
  wish: Wish;
  failed: (error: unknown) => void;
};

type Found = { legs: Leg[]; isStraight: boolean };

/** The way through points, in pieces the engine takes; a piece it does not answer is straight. */
export async function wayOf(asked: Asked): Promise<Way> {
  const { ready, estimate, points, wish } = asked;
  if (!ready) return { legs: estimateLegs(points, estimate), source: 'estimate', warnings: avoidWarning(wish, true) };
  const found: Found[] = [];
  for (const piece of piecesOf(points, ready.engine.wayLimit)) found.push(...(await pieceOf(asked, ready, piece)));
  const straight = found.filter(({ isStraight }) => isStraight).reduce((sum, { legs }) => sum + legs.length, 0);
  const legs = found.flatMap((piece) => piece.legs);
  const warnings =
    straight > 0 ? [`${straight} of ${legs.length} legs are straight lines: the road engine did not answer.`] : [];
  return {
    legs,
    source: sourceOf(ready, straight, legs.length),
    warnings: [...warnings, ...avoidWarning(wish, straight > 0 || !ready.engine.avoids)],
  };
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
  if (breaker.isOpen()) return [{ legs: estimateLegs(piece, asked.estimate), isStraight: true }];
  try {
    const legs = await engine.way(piece, asked.wish);
    breaker.succeeded();
    if (legs.length !== piece.length - 1) throw new EngineFailed('the engine left out a leg');
    return [{ legs, isStraight: false }];
  } catch (error) {
    const reason = error instanceof EngineFailed ? error.reason : 'down';
    // One point without a way must not make the rest straight.
    if (reason !== 'down' && piece.length > 2) {
      const half = Math.ceil(piece.length / 2);
      const first = await pieceOf(asked, ready, piece.slice(0, half));
      return [...first, ...(await pieceOf(asked, ready, piece.slice(half - 1)))];
    }
    if (reason === 'down') breaker.failed();
    asked.failed(error);
    return [{ legs: estimateLegs(piece, asked.estimate), isStraight: true }];
  }
}
