/**
 * Local search: tries every move around every stop and its nearest neighbours and makes each that saves cost and keeps all promises, until
 * none is left. Guarantees: the plan never gets worse. First improvement with a queue of stops whose surroundings changed
 * (don't-look bits, Bentley 1992). Adding a move is one line here.
 */

import type { Move } from './operators/move.ts';
import { orOpt } from './operators/or-opt.ts';
import { relocate } from './operators/relocate.ts';
import { swap } from './operators/swap.ts';
import { swapTails } from './operators/swap-tails.ts';
import { twoOpt } from './operators/two-opt.ts';
import type { Plan } from './plan/plan.ts';
import { canDrive } from './plan/route-check.ts';
import type { RouteChange } from './plan/snapshot.ts';
import type { Neighbours } from './search/neighbours.ts';
import type { Search } from './search/search.ts';

export const MOVES: readonly Move[] = [
  relocate,
  swap,
  swapTails,
  orOpt(2, false),
  orOpt(2, true),
  orOpt(3, false),
  orOpt(3, true),
  twoOpt,
];

/** Neighbours tried per stop. */
const WIDTH = 12;
/** Beyond this the whole-route sums of some moves cost more than they bring; ruin and recreate does the work there. */
const LONGEST_ROUTE = 300;

export class LocalSearch {
  private readonly plan: Plan;
  private readonly near: Neighbours;
  private readonly queue: Int32Array;
  private readonly isQueued: Uint8Array;
  private head = 0;
  private length = 0;

  constructor(plan: Plan, near: Neighbours) {
    this.plan = plan;
    this.near = near;
    this.queue = new Int32Array(plan.model.stops);
    this.isQueued = new Uint8Array(plan.model.stops);
  }

  /** Improves the plan to a local optimum, or until the budget is used. */
  run(search: Search): void {
    const { plan } = this;
    if (plan.chain.tasks.some((tasks) => tasks > LONGEST_ROUTE)) return;
    const before = plan.cost;
    for (let stop = 0; stop < plan.model.stops; stop++) this.enqueue(stop);
    while (this.length > 0 && search.used < 1) {
      const stop = this.dequeue();
      while (this.improveAround(stop)) search.ask();
      search.ask();
    }
    this.drain();
    plan.forget();
    if (plan.cost < before) search.better(plan.cost);
  }

  private enqueue(stop: number): void {
    if (this.isQueued[stop] === 1) return;
    this.isQueued[stop] = 1;
    this.queue[(this.head + this.length++) % this.queue.length] = stop;
  }

  private dequeue(): number {
    const stop = this.queue[this.head] ?? 0;
    this.head = (this.head + 1) % this.queue.length;
    this.length--;
    this.isQueued[stop] = 0;
    return stop;
  }

  private drain(): void {
    while (this.length > 0) this.dequeue();
  }

  private improveAround(u: number): boolean {
    const { plan, near } = this;
    const { chain, model } = plan;
    if (chain.route[u] === -1) return false;
    const first = u * near.width;
    for (let i = first; i < first + Math.min(WIDTH, near.width); i++) {
      const v = near.list[i] ?? 0;
      if (chain.route[v] === -1) continue;
      if (this.tryMoves(u, v)) return true;
      const before = chain.prev[v] ?? 0;
      if (before >= model.stops && this.tryMoves(u, before)) return true;
    }
    return false;
  }

  private tryMoves(u: number, v: number): boolean {
    const { plan } = this;
    for (const move of MOVES) {
      if (move.delta(plan, u, v) >= 0) continue;
      const changes = move.routes(plan, u, v);
      if (changes.every(({ vehicle, stops }) => canDrive(plan.model, vehicle, stops))) {
        this.make(changes);
        return true;
      }
    }
    return false;
  }

  private make(changes: readonly RouteChange[]): void {
    this.plan.setRoutes(changes);
    for (const { stops } of changes) for (let i = 0; i < stops.length; i++) this.enqueue(stops[i] ?? 0);
  }
}
