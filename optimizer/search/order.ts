/**
 * Orders in which stops are put back: at random, heavy first, far first, near first, narrow window first, early window first, late
 * window first. Guarantees a stable outcome for equal keys. Weights after Christiaens & Vanden Berghe 2020 (random 4, demand 4, far 2, near 1;
 * with windows 2 each for width, start and end).
 */
import type { Model } from '../model.ts';
import type { Random } from '../random.ts';

type Key = (model: Model, stop: number) => number;

function demand(model: Model, stop: number): number {
  let sum = 0;
  for (let d = 0; d < model.dimensions; d++) {
    sum += (model.delivery[stop * model.dimensions + d] ?? 0) + (model.pickup[stop * model.dimensions + d] ?? 0);
  }
  return -sum;
}

function remoteness(model: Model, stop: number): number {
  const depot = model.place[model.stops] ?? 0;
  const cost = model.legs[0]?.cost;
  return -(cost?.[depot * model.places + (model.place[stop] ?? 0)] ?? 0);
}

function windowStart(model: Model, stop: number): number {
  return model.windowStart[model.windowFrom[stop] ?? 0] ?? 0;
}

function windowEnd(model: Model, stop: number): number {
  return model.windowEnd[(model.windowFrom[stop + 1] ?? 0) - 1] ?? 0;
}

const nearFirst: Key = (model, stop) => -remoteness(model, stop);
const narrowFirst: Key = (model, stop) => windowEnd(model, stop) - windowStart(model, stop);
const lateFirst: Key = (model, stop) => -windowEnd(model, stop);

/** Sorts stops before they are put back, each time by a rule drawn at random. */
export class Order {
  private readonly random: Random;
  /** One per rule: key of every stop; null = random order. Repeated by weight. */
  private readonly rules: (Float64Array | null)[];

  constructor(model: Model, random: Random) {
    const keys = (key: Key) => Float64Array.from({ length: model.stops }, (_, stop) => key(model, stop));
    const far = keys(remoteness);
    this.random = random;
    this.rules = [null, null, null, null, far, far, keys(nearFirst)];
    if (model.dimensions > 0) this.rules.push(...new Array(4).fill(keys(demand)));
    if (!model.timed) return;
    for (const key of [narrowFirst, windowStart, lateFirst]) this.rules.push(...new Array(2).fill(keys(key)));
  }

  /** Sorts the first `count` entries of `stops` in place. */
  sort(stops: Int32Array, count: number): void {
    const keys = this.rules[this.random.below(this.rules.length)] ?? null;
    this.shuffle(stops, count);
    if (keys === null) return;
    for (let i = 1; i < count; i++) {
      const stop = stops[i] ?? 0;
      const key = keys[stop] ?? 0;
      let at = i;
      while (at > 0 && (keys[stops[at - 1] ?? 0] ?? 0) > key) {
        stops[at] = stops[at - 1] ?? 0;
        at--;
      }
      stops[at] = stop;
    }
  }

  private shuffle(stops: Int32Array, count: number): void {
    for (let i = count - 1; i > 0; i--) {
      const j = this.random.below(i + 1);
      const other = stops[j] ?? 0;
      stops[j] = stops[i] ?? 0;
      stops[i] = other;
    }
  }
}
