/**
 * For every stop the other stops that are worth standing beside it, nearest first. Guarantees lists of equal length, sorted, without the
 * stop itself. Nearness after Vidal et al. 2013 (HGS for time windows): the leg plus a share of the waiting and of the lateness that
 * the windows force; `list` counts the better of both directions, `ahead` and `behind` one each, so asymmetric legs are fine.
 */
import { NO_WAY } from '../cost.ts';
import type { Model } from '../model.ts';
import { legsOf } from '../plan/chain.ts';
import type { Legs } from '../plan/legs.ts';

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

/** How near stops are to one another, in one direction and in the other. */
class Nearness {
  private readonly model: Model;
  private readonly legs: Legs;
  /** Per stop: when its work may end at the earliest and at the latest, and the begin of its first and the end of its last window. */
  private readonly earliest: Float64Array;
  private readonly latest: Float64Array;
  private readonly opens: Float64Array;
  private readonly closes: Float64Array;

  constructor(model: Model) {
    const { stops, service, windowFrom, windowStart, windowEnd } = model;
    this.model = model;
    this.legs = legsOf(model, 0);
    this.opens = Float64Array.from({ length: stops }, (_, stop) => windowStart[windowFrom[stop] ?? 0] ?? 0);
    this.closes = Float64Array.from({ length: stops }, (_, stop) => windowEnd[(windowFrom[stop + 1] ?? 0) - 1] ?? 0);
    this.earliest = this.opens.map((time, stop) => time + (service[stop] ?? 0));
    this.latest = this.closes.map((time, stop) => time + (service[stop] ?? 0));
  }

  /** How far every other stop is behind a stop. */
  behind(stop: number, into: Float64Array): void {
    const { cost, seconds } = this.legs;
    const { place, places, stops, timed } = this.model;
    const row = (place[stop] ?? 0) * places;
    for (let to = 0; to < stops; to++) {
      const cell = row + (place[to] ?? 0);
      const leg = cost[cell] ?? 0;
      into[to] = timed ? this.inTime(stop, to, leg, seconds[cell] ?? 0) : leg;
    }
  }

  /** How far a stop is behind every other stop. */
  ahead(stop: number, into: Float64Array): void {
    const { costInto, secondsInto } = this.legs;
    const { place, places, stops, timed } = this.model;
    const row = (place[stop] ?? 0) * places;
    for (let from = 0; from < stops; from++) {
      const cell = row + (place[from] ?? 0);
      const leg = costInto[cell] ?? 0;
      into[from] = timed ? this.inTime(from, stop, leg, secondsInto[cell] ?? 0) : leg;
    }
  }

  private inTime(from: number, to: number, leg: number, time: number): number {
    const waiting = (this.opens[to] ?? 0) - (this.latest[from] ?? 0) - time;
    const lateness = (this.earliest[from] ?? 0) + time - (this.closes[to] ?? 0);
    const forced = (waiting > 0 ? WAITING_SHARE * waiting : 0) + (lateness > 0 ? LATENESS_SHARE * lateness : 0);
    const near = leg + forced * this.model.scale;
    return time >= NO_WAY || near > FARTHEST ? FARTHEST : Math.round(near);
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

/** Picks the nearest stops, leaving out those that are no neighbours. */
class Picker {
  private readonly reloadOf: Int32Array;
  private readonly keys: Float64Array;
  /** One number holds nearness and stop, so that numbers can be sorted as they are: far faster than by a comparison. */
  private readonly slot: number;

  constructor({ stops, reloadOf }: Model) {
    this.reloadOf = reloadOf;
    this.keys = new Float64Array(stops);
    this.slot = 2 ** Math.ceil(Math.log2(stops + 1));
  }

  /** Fills `list` with the stops that come nearest to `stop`, the nearest first. */
  pick(stop: number, nearness: Float64Array, list: Int32Array): void {
    const { keys, reloadOf, slot } = this;
    let count = 0;
    for (let other = 0; other < nearness.length; other++) {
      if (other !== stop && reloadOf[other] === -1) keys[count++] = (nearness[other] ?? 0) * slot + other;
    }
    select(keys, count, list.length);
    const kept = keys.subarray(0, list.length).sort();
    for (let rank = 0; rank < list.length; rank++) list[rank] = (kept[rank] ?? 0) % slot;
  }
}

function legsTo({ place, places, legs }: Model, list: Int32Array, width: number): Int32Array {
  const cost = legs[0]?.cost;
  return list.map((other, i) => cost?.[(place[Math.floor(i / width)] ?? 0) * places + (place[other] ?? 0)] ?? 0);
}

/** The `width` nearest stops of every stop. */
export function neighboursOf(model: Model, width: number): Neighbours {
  const { stops, timed } = model;
  const { cost, costInto } = legsOf(model, 0);
  const kept = Math.max(0, Math.min(width, stops - 1 - model.reloads.length));
  const isDirected = timed || cost !== costInto;
  const list = new Int32Array(stops * kept);
  const ahead = isDirected ? new Int32Array(list.length) : list;
  const behind = isDirected ? new Int32Array(list.length) : list;
  const nearness = new Nearness(model);
  const picker = new Picker(model);
  const [to, from] = [new Float64Array(stops), new Float64Array(stops)];
  const rowOf = (lists: Int32Array, stop: number) => lists.subarray(stop * kept, (stop + 1) * kept);
  for (let stop = 0; stop < stops; stop++) {
    nearness.behind(stop, to);
    picker.pick(stop, to, rowOf(behind, stop));
    if (!isDirected) continue;
    nearness.ahead(stop, from);
    picker.pick(stop, from, rowOf(ahead, stop));
    for (let other = 0; other < stops; other++) from[other] = Math.min(from[other] ?? 0, to[other] ?? 0);
    picker.pick(stop, from, rowOf(list, stop));
  }
  return { width: kept, list, legs: legsTo(model, list, kept), ahead, behind };
}
