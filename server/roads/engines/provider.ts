import type { Point } from '../../../domain/location.ts';

/** Seconds or metres; null: there is no way from here to there. */
export type Cell = number | null;
export type Table = { durations: Cell[][]; distances: Cell[][] };

/** What drives: a car, a truck, or a car that takes the shortest way whatever its time. */
export type Profile = 'car' | 'truck' | 'shortest';

/** A closed area by its corners; ways through it are not taken. */
export type Area = readonly Point[];

export type Wish = {
  profile: Profile;
  avoid: readonly Area[];
};

/** `mixed`: partly from an engine, partly estimated. */
export type Source = 'estimate' | 'valhalla' | 'osrm' | 'mixed';

/** Whole seconds and metres between all points; row = from, column = to; asymmetric. */
export type TravelMatrix = Table & {
  source: Source;
  /** Names engine, its settings and its map: other numbers have another version. */
  version: string;
  /** True when no way on the engine's map leads through an area of `avoid`. */
  avoided: boolean;
  /** By place: ways to and from one off the engine's map are estimated and lead around nothing. */
  outside: boolean[];
  /** Sentences for whoever reads the plan. */
  warnings: string[];
};

export type Leg = { seconds: Cell; metres: Cell; geometry: Point[] };
/** `avoided`: the leg follows roads, and through no area of `avoid`. */
export type WayLeg = Leg & { avoided: boolean };

/** The way through points in their order; one leg between two points. */
export type Way = {
  legs: WayLeg[];
  source: Source;
  /** False where the engine was silent, and may say more when it is asked again. */
  isAnswered: boolean;
  warnings: string[];
};

/** Something that knows roads: rectangular tables within its own limit, and ways. */
export type Engine = {
  source: 'valhalla' | 'osrm';
  /** Honours `avoid`; one that does not is asked all the same, and the answer says so. */
  avoids: boolean;
  /** Most points on either side of a table. An engine may lower it when its server refuses more. */
  tableLimit: () => number;
  /** Most points of one way. */
  wayLimit: number;
  version: () => Promise<string>;
  table: (from: readonly Point[], to: readonly Point[], wish: Wish) => Promise<Table>;
  way: (points: readonly Point[], wish: Wish) => Promise<Leg[]>;
  /** Kilometres from points to the nearest road, as many at a time as of one way; null: none is near. */
  roadKm: (points: readonly Point[], wish: Wish) => Promise<(number | null)[]>;
  /** Whether its map reaches there; absent: not known. What lies beyond is estimated, never called unreachable. */
  covers?: (point: Point) => boolean;
  close: () => Promise<void>;
};

/**
 * `too-large`: a smaller question may be answered; `no-road`: a point is not near any road; `unconnected`: no way between
 * some; `no-way`: of a table, between none of them, of a way, between some; `refused`: it leads around no areas as large as
 * these, and answers without them.
 */
export type Reason = 'down' | 'too-large' | 'no-road' | 'unconnected' | 'no-way' | 'refused';

/** An engine that gave no answer. */
export class EngineFailed extends Error {
  readonly reason: Reason;

  constructor(message: string, { reason = 'down', cause }: { reason?: Reason; cause?: unknown } = {}) {
    super(message, { cause });
    this.name = 'EngineFailed';
    this.reason = reason;
  }
}

export const usualWish: Wish = { profile: 'car', avoid: [] };
