/**
 * The problem model. Field names follow VROOM's JSON (github.com/VROOM-Project/vroom, docs/API.md), so its files are served;
 * extensions are marked. Times are whole seconds, distances whole metres, on one clock of the caller's choice (seconds of the day or
 * since an epoch; with an epoch every vehicle needs a `time_window`). Amounts are lists, one number per dimension (for instance
 * `[totes, cold totes]`). `parseProblem` (parse-problem.ts) refuses malformed input.
 */

export type Id = number | string;
export type TimeWindow = readonly [number, number];

/** Whole numbers; `null` = no way from here to there. Row = from, column = to. */
export type Matrix = readonly (readonly (number | null)[])[];

export interface Matrices {
  durations: Matrix;
  /** Needed for `per_km`, `max_distance` and distances in the answer; without it they read 0. */
  distances?: Matrix;
  /** What driving costs, in cost units, in place of the vehicles' rates per hour and per kilometre; `speed_factor` does not change it. */
  costs?: Matrix;
}

export interface Job {
  id: Id;
  /** Row and column of the matrices. */
  location_index: number;
  /** `[lon, lat]`, passed through to the answer. */
  location?: readonly [number, number];
  /** Seconds once on arrival at a new place (parking, signing in); not counted when the stop before is at the same place. */
  setup?: number;
  /** Seconds of work. */
  service?: number;
  /** Loaded at the start of the route, handed over here. */
  delivery?: readonly number[];
  /** Taken on here, carried to the end of the route. */
  pickup?: readonly number[];
  skills?: readonly number[];
  /** 0-100: which stops to keep when not all can be served. A stop without a prize is served whenever that is possible. */
  priority?: number;
  /** Service (with its setup) must begin within one of these. None = any time. */
  time_windows?: readonly TimeWindow[];
  description?: string;
  /** Extension: must be visited if that is possible at all, before every priority and whatever its prize. Default false. */
  required?: boolean;
  /** Extension: what the visit is worth, in cost units. The stop is left out when the way to it costs more. */
  prize?: number;
  /** Extension: the only vehicles that may serve it. */
  allowed_vehicles?: readonly Id[];
  /** Extension: what the stop stands for; passed through to the answer. */
  source?: { readonly type: string; readonly id: Id };
}

export interface Break {
  id: Id;
  /** Must begin within one of these. A break is dropped when the route ends before it would have to begin. */
  time_windows: readonly TimeWindow[];
  service?: number;
  description?: string;
}

export interface VehicleCosts {
  /** Once, when the vehicle is used. Default 0. */
  fixed?: number;
  /** Per hour of driving (waiting and service are free). Default 3600: one per second. */
  per_hour?: number;
  /** Per kilometre driven. Default 0. */
  per_km?: number;
}

/** A stop already driven or promised: these come first on the route, in this order, and are never moved. */
export interface FixedStep {
  type: 'start' | 'job' | 'break' | 'end';
  id?: Id;
  /** When its service really began; replaces the calculated time. */
  service_at?: number;
}

export interface Vehicle {
  id: Id;
  /** Key of `matrices`. Default `car`. */
  profile?: string;
  start_index?: number;
  end_index?: number;
  start?: readonly [number, number];
  end?: readonly [number, number];
  /** One number per dimension; without it there is no limit. */
  capacity?: readonly number[];
  skills?: readonly number[];
  time_window?: TimeWindow;
  breaks?: readonly Break[];
  max_tasks?: number;
  /** Seconds of driving. */
  max_travel_time?: number;
  /** Metres. */
  max_distance?: number;
  /** 2 = twice as fast as the matrix. Default 1. */
  speed_factor?: number;
  costs?: VehicleCosts;
  steps?: readonly FixedStep[];
  /** Extension: the vehicle may come back to load again, for another trip with its full capacity. */
  reload?: Reload;
  description?: string;
}

export interface Reload {
  /** Where, usually the depot: row and column of the matrices. */
  location_index: number;
  /** Seconds of work each time. */
  service?: number;
  /** How often at most. */
  max: number;
}

export interface Problem {
  jobs: readonly Job[];
  vehicles: readonly Vehicle[];
  matrices: Readonly<Record<string, Matrices>>;
}

export interface CompleteJob extends Job {
  setup: number;
  service: number;
  delivery: readonly number[];
  pickup: readonly number[];
  skills: readonly number[];
  priority: number;
  time_windows: readonly TimeWindow[];
  required: boolean;
}

export interface CompleteBreak extends Break {
  service: number;
}

export interface CompleteVehicle extends Vehicle {
  profile: string;
  capacity: readonly number[];
  skills: readonly number[];
  breaks: readonly CompleteBreak[];
  speed_factor: number;
  costs: Required<VehicleCosts>;
  steps: readonly FixedStep[];
  reload?: Required<Reload>;
}

/** A problem whose every field was checked and whose defaults are filled in. */
export interface CompleteProblem extends Problem {
  jobs: readonly CompleteJob[];
  vehicles: readonly CompleteVehicle[];
  /** Length of every amount list. */
  dimensions: number;
}

/** Travel times of a vehicle that is faster or slower than the matrix, in whole seconds. */
export function drivenSeconds(matrixSeconds: number, speedFactor: number): number {
  return Math.round(matrixSeconds / speedFactor);
}
