/** Routes outside the plan being worked on: kept aside, or about to replace others. */

/** All routes of a plan, cheap to keep aside. */
export interface Snapshot {
  /** Stops of all routes in vehicle order; route of vehicle v = order[from[v]] .. order[from[v + 1]]. */
  readonly order: Int32Array;
  readonly from: Int32Array;
  cost: number;
}

/** New stops of a route, in order. */
export interface RouteChange {
  readonly vehicle: number;
  readonly stops: ArrayLike<number>;
}
