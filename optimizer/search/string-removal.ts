/**
 * Chooses stops to take out: short strings of neighbouring routes around one stop. Guarantees: fixed stops and visits to reload stay. Method: adjacent string
 * removal with split strings, Christiaens & Vanden Berghe 2020 ("Slack induction by string removals"). Own change: from a long route
 * several strings may be taken, because otherwise a plan of few long routes would lose too little to find anything new.
 */

import { isReload, type Model } from '../model.ts';
import { ABSENT } from '../plan/chain.ts';
import type { Plan } from '../plan/plan.ts';
import type { Random } from '../random.ts';
import type { Neighbours } from './neighbours.ts';

/** Chance of a string with a gap, and of making the gap one longer; the paper's alpha and beta. */
const SPLIT = 0.5;
const LONGER_GAP = 0.01;
/** Routes with more stops than this may lose several strings. */
const LONG_ROUTE = 20;

export class StringRemoval {
  private readonly plan: Plan;
  private readonly model: Model;
  private readonly near: Neighbours;
  private readonly random: Random;
  private readonly removed: number;
  private readonly longest: number;
  /** Per vehicle: round in which it last lost a string. */
  private readonly lostIn: Int32Array;
  private round = 0;

  /** `removed`: how many stops a round removes in the mean; `longest`: how many one string may have. */
  constructor(
    plan: Plan,
    near: Neighbours,
    random: Random,
    { removed, longest }: { removed: number; longest: number },
  ) {
    this.plan = plan;
    this.model = plan.model;
    this.near = near;
    this.random = random;
    this.removed = removed;
    this.longest = longest;
    this.lostIn = new Int32Array(plan.model.vehicles);
  }

  /** Removes strings around a random stop; the stops removed are among the plan's absent ones afterwards. */
  run(): number {
    const { plan, near, random } = this;
    this.round++;
    const { stops } = plan.part;
    const seed = stops[random.below(stops.length)] ?? 0;
    if (plan.usedCount === 0) return seed;
    const meanTasks = plan.servedCount / plan.usedCount;
    const longest = Math.min(this.longest, meanTasks);
    const strings = Math.floor(1 + random.fraction() * ((4 * this.removed) / (1 + longest) - 1));
    let taken = this.takeString(seed, longest) ? 1 : 0;
    for (let i = seed * near.width; i < (seed + 1) * near.width && taken < strings; i++) {
      if (this.takeString(near.list[i] ?? 0, longest)) taken++;
    }
    return seed;
  }

  private isFree(node: number): boolean {
    return node < this.model.stops && (this.model.lockedTo[node] ?? -1) < 0 && !isReload(this.model, node);
  }

  private takeString(stop: number, longest: number): boolean {
    const { plan, random } = this;
    const { tasks, route } = plan.chain;
    const vehicle = route[stop] ?? ABSENT;
    if (vehicle === ABSENT || !this.isFree(stop)) return false;
    const length = tasks[vehicle] ?? 0;
    if (this.lostIn[vehicle] === this.round && length <= LONG_ROUTE) return false;
    this.lostIn[vehicle] = this.round;
    const count = Math.floor(1 + random.fraction() * Math.min(length, longest));
    this.takeAround(stop, Math.min(count, length), this.drawGap(count, length));
    return true;
  }

  private drawGap(count: number, length: number): number {
    if (count < 2 || count >= length || this.random.fraction() >= SPLIT) return 0;
    let gap = 1;
    while (count + gap < length && this.random.fraction() < LONGER_GAP) gap++;
    return gap;
  }

  /** Removes `count` stops of a window of count + gap stops around `stop`, sparing `gap` in a row but never `stop` itself. */
  private takeAround(stop: number, count: number, gap: number): void {
    const { random, plan } = this;
    const { next, prev } = plan.chain;
    const span = count + gap;
    let first = stop;
    let back = 0;
    for (let wanted = random.below(span); back < wanted && this.isFree(prev[first] ?? 0); back++)
      first = prev[first] ?? 0;
    let ahead = 0;
    for (let last = stop; back + ahead + 1 < span && this.isFree(next[last] ?? 0); ahead++) last = next[last] ?? 0;
    while (back + ahead + 1 < span && this.isFree(prev[first] ?? 0)) {
      first = prev[first] ?? 0;
      back++;
    }
    const reach = back + ahead + 1;
    const spareFrom = gap > 0 && reach > gap ? random.below(reach - gap + 1) : reach;
    let node = first;
    for (let i = 0; i < reach; i++) {
      const following = next[node] ?? 0;
      if (i < spareFrom || i >= spareFrom + gap || node === stop) plan.remove(node);
      node = following;
    }
  }
}
