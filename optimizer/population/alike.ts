/**
 * Problems whose vehicles are all alike, in the flat form that the population works on. Guarantees: every leg is known; what it takes from the begin of
 * one stop to the arrival at the next is one entry; the price of a route that is used at all is part of the legs from the start. Node
 * numbers in the tables: the stops, then the common start, then the common end.
 */
import { NO_WAY } from '../cost.ts';
import { endOf, type Model, startOf } from '../model.ts';

export interface Alike {
  readonly stops: number;
  /** Rows of the tables: the stops and two more. */
  readonly size: number;
  readonly vehicles: number;
  /** Ticks; entry = from x size + to. From the start straight to the end it costs nothing: such a route is not driven. */
  readonly cost: Int32Array;
  /** Seconds of work at the first and of driving to the second. */
  readonly seconds: Int32Array;
  readonly opens: Int32Array;
  readonly closes: Int32Array;
  readonly dimensions: number;
  /** Per row x dimension, and per dimension. */
  readonly amount: Int32Array;
  readonly capacity: Int32Array;
  readonly isTimed: boolean;
  /** Both directions of every leg cost the same. */
  readonly isSymmetric: boolean;
}

const UNLIMITED = 2 ** 30;

/** Whether vehicles differ in nothing, and each stop has one window at most and a fixed amount of work. */
export function hasAlikeVehicles(model: Model): boolean {
  if (model.mixedLoad || model.types !== 1 || (model.dimensions === 0 && !model.timed)) return false;
  if (model.severalWindows || model.setupVaries || model.problem.vehicles[0]?.breaks.length !== 0) return false;
  if (model.allowed.includes(0) || model.optional.includes(1)) return false;
  const limits = [...model.maxSeconds, ...model.maxMetres].some((limit) => limit < Number.POSITIVE_INFINITY);
  return !limits && !model.lockedTo.some((vehicle) => vehicle >= 0);
}

/** The amounts, and the number of stops where that is limited. */
function loadsOf(model: Model, size: number): Pick<Alike, 'dimensions' | 'amount' | 'capacity'> {
  const { stops, delivery, pickup, maxTasks } = model;
  const most = maxTasks[0] ?? UNLIMITED;
  const counted = most < UNLIMITED ? 1 : 0;
  const dimensions = model.dimensions + counted;
  const amount = new Int32Array(size * dimensions);
  const capacity = new Int32Array(dimensions).fill(most);
  for (let d = 0; d < model.dimensions; d++) {
    capacity[d] = model.capacity[d] ?? 0;
    for (let stop = 0; stop < stops; stop++) {
      const from = stop * model.dimensions + d;
      amount[stop * dimensions + d] = (delivery[from] ?? 0) + (pickup[from] ?? 0);
    }
  }
  if (counted === 1) for (let stop = 0; stop < stops; stop++) amount[(stop + 1) * dimensions - 1] = 1;
  return { dimensions, amount, capacity };
}

/** Undefined when vehicles differ, or some pair of places has no way between it. */
export function alikeOf(model: Model): Alike | undefined {
  const [legs] = model.legs;
  if (legs === undefined || !hasAlikeVehicles(model)) return undefined;
  const { stops, place, places } = model;
  const size = stops + 2;
  const nodes = [...Array(stops).keys(), startOf(model, 0), endOf(model, 0)];
  const cost = new Int32Array(size * size);
  const seconds = new Int32Array(size * size);
  for (const [from, node] of nodes.entries()) {
    const row = (place[node] ?? 0) * places;
    for (const [to, other] of nodes.entries()) {
      const cell = row + (place[other] ?? 0);
      if ((legs.seconds[cell] ?? 0) >= NO_WAY) return undefined;
      const price = from === stops && to < stops ? (model.fixed[0] ?? 0) : 0;
      cost[from * size + to] = (legs.cost[cell] ?? 0) + price;
      seconds[from * size + to] = (legs.seconds[cell] ?? 0) + (model.service[node] ?? 0);
    }
  }
  cost[stops * size + stops + 1] = 0;
  const window = (bounds: Int32Array) => Int32Array.from(nodes, (node) => bounds[model.windowFrom[node] ?? 0] ?? 0);
  return {
    ...{ stops, size, vehicles: model.vehicles, cost, seconds },
    ...{ opens: window(model.windowStart), closes: window(model.windowEnd) },
    ...loadsOf(model, size),
    isTimed: model.timed,
    isSymmetric: legs.cost === legs.costInto,
  };
}
