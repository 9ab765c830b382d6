/**
 * For every stop the other stops that are worth standing beside it, nearest first. Guarantees lists of equal length, sorted, without the
 * stop itself. Nearness after Vidal et al. 2013 (HGS for time windows): the leg plus a share of the waiting and of the lateness that
 * the windows force; `list` counts the better of both directions, `ahead` and `behind` one each, so asymmetric legs are fine.
 */
import { NO_WAY } from '../cost.ts';
import type { Model } from '../model.ts';

export interface Neighbours {
  /** List length. */
  readonly width: number;
  /** Stops worth standing beside. Entry = stop x width + rank. */
  readonly list: Int32Array;
  /** Ticks of the leg to each of them, for vehicles as the first one. */
  readonly legs: Int32Array;
  /** Stops worth coming from, and worth going to next. The same as `list` when windows and direction make no difference. */
  readonly ahead: Int32Array;
  readonly behind: Int32Array;
}

/** Small: a wait seldom costs anything, and larger shares hide the stops that lie near. */
const WAITING_SHARE = 0.03;
const LATENESS_SHARE = 0.5;
/** Keeps the key's fraction free for the rank: nearness beyond this is all the same. */
const FARTHEST = 2 ** 36;

/** How far stop `to` is behind stop `from`, for all stops `to`. */
function nearnessFrom(model: Model, from: number, into: Float64Array): void {
  const { place, places, stops, timed, scale } = model;
  const { cost, seconds } = model.legs[0] ?? { cost: new Int32Array(0), seconds: new Int32Array(0) };
  const { windowFrom, windowStart, windowEnd } = model;
  const row = (place[from] ?? 0) * places;
  const work = model.service[from] ?? 0;
  const earliest = (windowStart[windowFrom[from] ?? 0] ?? 0) + work;
  const latest = (windowEnd[(windowFrom[from + 1] ?? 0) - 1] ?? 0) + work;
  for (let to = 0; to < stops; to++) {
    const cell = row + (place[to] ?? 0);
    const leg = cost[cell] ?? 0;
    if (!timed) {
      into[to] = leg;
      continue;
    }
    const time = seconds[cell] ?? 0;
    const waiting = (windowStart[windowFrom[to] ?? 0] ?? 0) - latest - time;
    const lateness = earliest + time - (windowEnd[(windowFrom[to + 1] ?? 0) - 1] ?? 0);
    const near =
      leg + ((waiting > 0 ? WAITING_SHARE * waiting : 0) + (lateness > 0 ? LATENESS_SHARE * lateness : 0)) * scale;
    into[to] = time >= NO_WAY || near > FARTHEST ? FARTHEST : Math.round(near);
  }
}

/** Brings the `count` smallest of the first `length` entries to the front, in no order (Hoare's selection). */
function select(keys: Float64Array, length: number, count: number): void {
  let low = 0;
  let high = length - 1;
  while (low < high) {
    const pivot = keys[(low + high) >> 1] ?? 0;
    let i = low;
    let j = high;
    while (i <= j) {
      while ((keys[i] ?? 0) < pivot) i++;
      while ((keys[j] ?? 0) > pivot) j--;
      if (i > j) break;
      const other = keys[i] ?? 0;
      keys[i++] = keys[j] ?? 0;
      keys[j--] = other;
    }
    if (count - 1 <= j) high = j;
    else if (count - 1 >= i) low = i;
    else return;
  }
}

/** The `width` nearest stops of every stop, but for those to be left out; `nearness` says how near stop `to` is to stop `from`. */
function nearest(
  { stops, reloadOf }: Model,
  width: number,
  nearness: (from: number, to: number) => number,
): Int32Array {
  const list = new Int32Array(stops * width);
  const keys = new Float64Array(stops);
  // One number holds nearness and stop, so that numbers can be sorted as they are: far faster than by a comparison.
  const slot = 2 ** Math.ceil(Math.log2(stops + 1));
  for (let stop = 0; stop < stops; stop++) {
    let count = 0;
    for (let other = 0; other < stops; other++) {
      if (other !== stop && reloadOf[other] === -1) keys[count++] = nearness(stop, other) * slot + other;
    }
    select(keys, count, width);
    const kept = keys.subarray(0, width).sort();
    for (let rank = 0; rank < width; rank++) list[stop * width + rank] = (kept[rank] ?? 0) % slot;
  }
  return list;
}

function legsTo({ place, places, legs }: Model, list: Int32Array, width: number): Int32Array {
  const cost = legs[0]?.cost;
  return list.map((other, i) => cost?.[(place[Math.floor(i / width)] ?? 0) * places + (place[other] ?? 0)] ?? 0);
}

/** The `width` nearest stops of every stop. */
export function neighboursOf(model: Model, width: number): Neighbours {
  const { stops, timed, legs } = model;
  const kept = Math.max(0, Math.min(width, stops - 1 - model.reloads.length));
  const table = new Float64Array(stops * stops);
  for (let from = 0; from < stops; from++) nearnessFrom(model, from, table.subarray(from * stops, (from + 1) * stops));
  const from = (stop: number, other: number) => table[other * stops + stop] ?? 0;
  const to = (stop: number, other: number) => table[stop * stops + other] ?? 0;
  if (!timed && legs[0]?.cost === legs[0]?.costInto) {
    const list = nearest(model, kept, to);
    return { width: kept, list, legs: legsTo(model, list, kept), ahead: list, behind: list };
  }
  const list = nearest(model, kept, (stop, other) => Math.min(from(stop, other), to(stop, other)));
  return {
    width: kept,
    list,
    legs: legsTo(model, list, kept),
    ahead: nearest(model, kept, from),
    behind: nearest(model, kept, to),
  };
}
