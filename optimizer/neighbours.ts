/**
 * For every stop the other stops that are worth standing beside it, nearest first. Guarantees lists of equal length, sorted, without the
 * stop itself. Nearness after Vidal et al. 2013 (HGS for time windows): the leg plus a share of the waiting and all of the lateness that
 * the windows force; the better of both directions counts, so asymmetric legs are fine.
 */
import { NO_WAY } from './cost.ts';
import type { Model } from './model.ts';

export interface Neighbours {
  /** List length. */
  readonly width: number;
  /** Entry = stop x width + rank. */
  readonly list: Int32Array;
}

const WAITING_SHARE = 0.2;
/** Keeps the key's fraction free for the rank: nearness beyond this is all the same. */
const FARTHEST = 2 ** 36;

function nearness(model: Model, from: number, to: number): number {
  const legs = model.legs[0];
  const cell = (model.place[from] ?? 0) * model.places + (model.place[to] ?? 0);
  const cost = legs?.cost[cell] ?? 0;
  if (!model.timed) return cost;
  const seconds = legs?.seconds[cell] ?? 0;
  if (seconds >= NO_WAY) return FARTHEST;
  const work = (model.service[from] ?? 0) + seconds;
  const fromLast = (model.windowFrom[from + 1] ?? 0) - 1;
  const earliest = (model.windowStart[model.windowFrom[from] ?? 0] ?? 0) + work;
  const latest = (model.windowEnd[fromLast] ?? 0) + work;
  const waiting = Math.max(0, (model.windowStart[model.windowFrom[to] ?? 0] ?? 0) - latest);
  const lateness = Math.max(0, earliest - (model.windowEnd[(model.windowFrom[to + 1] ?? 0) - 1] ?? 0));
  return cost + (WAITING_SHARE * waiting + lateness) * model.scale;
}

/** The `width` nearest stops of every stop. */
export function neighboursOf(model: Model, width: number): Neighbours {
  const { stops } = model;
  const kept = Math.max(0, Math.min(width, stops - 1));
  const list = new Int32Array(stops * kept);
  const keys = new Float64Array(Math.max(0, stops - 1));
  // One number holds nearness and stop, so that the engine's own number sort can be used: far faster than sorting by a comparison.
  const slot = 2 ** Math.ceil(Math.log2(stops + 1));
  for (let stop = 0; stop < stops; stop++) {
    let count = 0;
    for (let other = 0; other < stops; other++) {
      if (other === stop) continue;
      const near = Math.min(nearness(model, stop, other), nearness(model, other, stop), FARTHEST);
      keys[count++] = Math.round(near) * slot + other;
    }
    keys.sort();
    for (let rank = 0; rank < kept; rank++) list[stop * kept + rank] = (keys[rank] ?? 0) % slot;
  }
  return { width: kept, list };
}
