import type { Point } from '../../domain/location.ts';
import type { CacheKey } from './cache.ts';
import { spotKey, spotOf } from './grid.ts';

/** Few are: each is a place that no road of the map leads to, or from. */
const mostKept = 50_000;
/** A map may be put right without another version of it being told. */
const keptMs = 24 * 3_600_000;

export type NoWays = {
  has: (key: CacheKey, from: Point, to: Point) => boolean;
  add: (key: CacheKey, from: Point, to: Point) => void;
};

/** Remembers between which points an engine found no way, so that it is not asked each time that a line is to be drawn. */
export function noWays(): NoWays {
  let kept: { version: string; at: Map<string, number> } = { version: '', at: new Map() };
  const nameOf = ({ profile }: CacheKey, from: Point, to: Point): string =>
    `${profile} ${spotKey(spotOf(from))} ${spotKey(spotOf(to))}`;
  return {
    has: (key, from, to) => {
      const since = kept.version === key.version ? kept.at.get(nameOf(key, from, to)) : undefined;
      return since !== undefined && key.at.getTime() - since < keptMs;
    },
    add: (key, from, to) => {
      if (kept.version !== key.version || kept.at.size >= mostKept) kept = { version: key.version, at: new Map() };
      kept.at.set(nameOf(key, from, to), key.at.getTime());
    },
  };
}
