import type { RoadDistance } from '../../domain/far-place.ts';
import type { Point } from '../../domain/location.ts';
import type { Wish } from './engines/provider.ts';
import { spotKey, spotOf } from './grid.ts';
import type { Ready } from './matrix.ts';

/** Most places remembered: what is planned with is asked for again and again. */
const mostKept = 50_000;

type Asked = { ready: Ready | null; wish: Wish; failed: (error: unknown) => void };

/**
 * How far points are from the nearest road; null without an engine and where it does not answer. Answers are kept as long as
 * the map of the engine stays the same.
 */
export function offRoad(): (points: readonly Point[], asked: Asked) => Promise<RoadDistance[]> {
  let kept: { version: string; kms: Map<number, number | null> } = { version: '', kms: new Map() };

  return async (points, { ready, wish, failed }) => {
    if (!ready) return points.map(() => null);
    const { engine, breaker, version } = ready;
    if (kept.version !== version || kept.kms.size > mostKept) kept = { version, kms: new Map() };
    const { kms } = kept;
    const nameOf = (point: Point): number => spotKey(spotOf(point));
    const isOutside = (point: Point): boolean => engine.covers?.(point) === false;
    const isOpen = (point: Point): boolean => !kms.has(nameOf(point)) && !isOutside(point);
    const open = [...new Map(points.filter(isOpen).map((point) => [nameOf(point), point])).values()];
    for (let at = 0; at < open.length && !breaker.isOpen(); at += engine.wayLimit) {
      const some = open.slice(at, at + engine.wayLimit);
      try {
        const answers = await engine.roadKm(some, wish);
        for (const [index, point] of some.entries()) kms.set(nameOf(point), answers[index] ?? null);
      } catch (error) {
        // Nothing depends on it: the plan is good without.
        failed(error);
        break;
      }
    }
    return points.map((point) => (isOutside(point) ? 'outside' : (kms.get(nameOf(point)) ?? null)));
  };
}
