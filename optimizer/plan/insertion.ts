/**
 * Finds the cheapest allowed place for one stop. Guarantees: the place found keeps every promise. Only places beside the nearest stops
 * and in one empty vehicle of each type are tried, so the effort does not grow with the plan; when none of them will do, every place is.
 * With `blink` some places are overlooked at random (Christiaens & Vanden Berghe 2020), which keeps greedy insertion from
 * repeating itself; the distance to the next blink is drawn once instead of a number per place.
 */

import { NO_WAY } from '../cost.ts';
import { endOf, type Model, startOf } from '../model.ts';
import type { Random } from '../random.ts';
import type { Neighbours } from '../search/neighbours.ts';
import { ABSENT, legsOf } from './chain.ts';
import type { Legs } from './legs.ts';
import { isDecidedByRoom } from './limits.ts';
import type { Plan } from './plan.ts';

/** Added to the price of a place whose vehicle is full, or that is on no route: sums instead of questions, whose outcome no processor can guess. */
const FULL = NO_WAY;
const BLINK = 1 / Math.log(1 - 0.01);

export class Inserter {
  /** Result of the last search: node to stand behind (-1 = none) and ticks added. */
  after = -1;
  added = 0;
  private readonly plan: Plan;
  private readonly model: Model;
  private readonly near: Neighbours;
  private readonly random: Random;
  private width: number;
  private readonly isRestricted: boolean;
  /** Of the first vehicle; `hasOwnLegs` when others differ. */
  private readonly legs: Legs;
  private readonly hasOwnLegs: boolean;
  /** The lists of neighbours are the same whether one comes or goes. */
  private readonly isAlike: boolean;
  private readonly isDecidedByRoom: boolean;
  private untilBlink: number;
  /** Vehicles beside neighbours have room, but every place there costs too much: so do those farther away. */
  private isDear = false;
  /** A neighbour farther away than the best place costs and this is not tried any more, nor are those behind it: see `reachTo`. */
  private reach = Number.POSITIVE_INFINITY;

  constructor(plan: Plan, near: Neighbours, random: Random, width: number) {
    this.plan = plan;
    this.model = plan.model;
    this.near = near;
    this.random = random;
    this.isRestricted = plan.model.restricted;
    this.legs = legsOf(plan.model, 0);
    this.hasOwnLegs = plan.model.legs.some((legs) => legs !== this.legs);
    this.isAlike = near.ahead === near.behind && !this.hasOwnLegs;
    this.isDecidedByRoom = this.isAlike && isDecidedByRoom(plan.model);
    this.width = Math.min(width, near.width);
    this.untilBlink = this.drawBlink();
  }

  /**
   * By the triangle inequality, standing beside a neighbour costs at least twice the way to it less twice the leg that is opened. Legs up
   * to `leg` ticks are sure to be tried.
   */
  reachTo(leg: number): void {
    this.reach = 2 * leg;
  }

  /** Tries places beside this many neighbours from now on, as far as so many are known. */
  look(width: number): void {
    this.width = Math.min(width, this.near.width);
  }

  private drawBlink(): number {
    return 1 + Math.floor(Math.log(1 - this.random.fraction()) * BLINK);
  }

  private isBlink(): boolean {
    if (--this.untilBlink > 0) return false;
    this.untilBlink = this.drawBlink();
    return true;
  }

  /**
   * Looks for the cheapest place of an absent stop, among its neighbours first. Returns whether there is one that adds less than `worth`.
   * One that adds `most` or more is of no use to the caller, who may be told that there is none.
   */
  find(stop: number, worth: number, most = Number.POSITIVE_INFINITY): boolean {
    this.after = -1;
    this.isDear = false;
    // Where more than room decides, a place must be asked for, whatever it costs, to tell whether there is any near by.
    this.added = this.isDecidedByRoom ? Math.min(worth, most) : worth;
    this.tryBesideNeighbours(stop);
    if (this.after < 0) {
      this.added = Math.min(worth, most);
      const isDear = this.isDecidedByRoom && this.isDear;
      if (!isDear && this.model.optional[stop] === 0) this.tryEverywhere(stop);
    }
    this.tryEmptyVehicles(stop);
    return this.after >= 0;
  }

  /** Looks for the cheapest place of all, without blinks and whatever the stop is worth. */
  findAnywhere(stop: number): boolean {
    this.after = -1;
    this.added = Number.POSITIVE_INFINITY;
    this.tryEmptyVehicles(stop);
    this.tryEverywhere(stop);
    return this.after >= 0;
  }

  private tryBesideNeighbours(stop: number): void {
    if (this.isAlike) this.tryBothSides(stop);
    else this.tryOneSideEach(stop);
  }

  /**
   * Both sides of each neighbour: for lists that are the same whether one comes or goes. The other end of a leg either lies farther away than
   * the neighbour, so that standing there adds at least twice the way to the neighbour less the leg, or the leg was looked at from there;
   * only ends of routes are on no list, and may be near.
   */
  private tryBothSides(stop: number): void {
    const { plan, model, isRestricted, reach } = this;
    const { list, legs, width } = this.near;
    const { next, prev, route } = plan.chain;
    const { legInto, legFrom } = plan;
    const { room } = plan.loads;
    const { place, places, stops } = model;
    const { cost } = this.legs;
    const row = (place[stop] ?? 0) * places;
    const need = plan.loads.need[stop] ?? 0;
    const first = stop * width;
    const last = first + this.width;
    let best = this.mostWorth();
    let isDear = false;
    for (let i = first; i < last; i++) {
      const there = legs[i] ?? 0;
      const twice = 2 * there;
      if (twice > best + reach) {
        isDear = true;
        break;
      }
      const neighbour = list[i] ?? 0;
      const into = legInto[neighbour] ?? 0;
      const from = legFrom[neighbour] ?? 0;
      const before = prev[neighbour] ?? 0;
      const following = next[neighbour] ?? 0;
      const tryAhead = twice - into < best || before >= stops;
      const tryBehind = twice - from < best || following >= stops;
      if (!tryAhead && !tryBehind) {
        if (!isDear) isDear = (room[(route[neighbour] ?? ABSENT) + 1] ?? 0) >= need;
        continue;
      }
      const vehicle = route[neighbour] ?? ABSENT;
      if ((room[vehicle + 1] ?? 0) < need) continue;
      if (isRestricted && this.isForbidden(stop, vehicle)) continue;
      if (tryAhead) {
        const added = there + (cost[row + (place[before] ?? 0)] ?? 0) - into;
        isDear ||= added >= best;
        if (added < best && !this.isBlink() && plan.canInsert(stop, before)) {
          best = added;
          this.keep(before, added);
        }
      }
      if (tryBehind) {
        const added = there + (cost[row + (place[following] ?? 0)] ?? 0) - from;
        isDear ||= added >= best;
        if (added < best && !this.isBlink() && plan.canInsert(stop, neighbour)) {
          best = added;
          this.keep(neighbour, added);
        }
      }
    }
    this.isDear = isDear;
  }

  /** Behind those worth coming from, ahead of those worth going to. */
  private tryOneSideEach(stop: number): void {
    const { plan, model, isRestricted, hasOwnLegs } = this;
    const { ahead: comesFrom, behind: goesTo, width } = this.near;
    const { next, prev, route } = plan.chain;
    const { legInto } = plan;
    const { room } = plan.loads;
    const { place, places } = model;
    const row = (place[stop] ?? 0) * places;
    const need = plan.loads.need[stop] ?? 0;
    const first = stop * width;
    const last = first + this.width;
    let { cost, costInto } = this.legs;
    let best = this.mostWorth();
    for (let i = first; i < last; i++) {
      const from = comesFrom[i] ?? 0;
      const vehicle = route[from] ?? ABSENT;
      if (hasOwnLegs && vehicle !== ABSENT) ({ cost, costInto } = legsOf(model, vehicle));
      const following = next[from] ?? 0;
      const full = (((room[vehicle + 1] ?? 0) - need) >> 31) & FULL;
      const way = (costInto[row + (place[from] ?? 0)] ?? 0) + (cost[row + (place[following] ?? 0)] ?? 0);
      const added = full + way - (legInto[following] ?? 0);
      const isOpen = !isRestricted || !this.isForbidden(stop, vehicle);
      if (added < best && isOpen && !this.isBlink() && plan.canInsert(stop, from)) {
        best = added;
        this.keep(from, added);
      }
      const to = goesTo[i] ?? 0;
      const other = route[to] ?? ABSENT;
      if (hasOwnLegs && other !== ABSENT) ({ cost, costInto } = legsOf(model, other));
      const before = prev[to] ?? 0;
      const filled = (((room[other + 1] ?? 0) - need) >> 31) & FULL;
      const detour = (costInto[row + (place[before] ?? 0)] ?? 0) + (cost[row + (place[to] ?? 0)] ?? 0);
      const more = filled + detour - (legInto[to] ?? 0);
      const isFree = !isRestricted || !this.isForbidden(stop, other);
      if (more < best && isFree && !this.isBlink() && plan.canInsert(stop, before)) {
        best = more;
        this.keep(before, more);
      }
    }
  }

  private isForbidden(stop: number, vehicle: number): boolean {
    return vehicle === ABSENT || this.model.allowed[stop * this.model.vehicles + vehicle] === 0;
  }

  /** The most a place may cost, as a whole number: legs beyond it do not exist. */
  private mostWorth(): number {
    return this.added < NO_WAY ? Math.ceil(this.added) : NO_WAY;
  }

  private keep(after: number, added: number): void {
    this.after = after;
    this.added = added;
  }

  private tryEmptyVehicles(stop: number): void {
    const { plan, model } = this;
    for (let type = 0; type < model.types; type++) {
      const vehicle = plan.emptyVehicle(type);
      if (vehicle >= 0) this.tryPlace(stop, startOf(model, vehicle));
    }
  }

  private tryEverywhere(stop: number): void {
    const { plan, model } = this;
    const { used, loads } = plan;
    const need = loads.need[stop] ?? 0;
    plan.settle();
    for (let i = 0; i < plan.usedCount; i++) {
      const vehicle = used[i] ?? 0;
      if ((loads.room[vehicle + 1] ?? 0) < need) continue;
      if (model.allowed[stop * model.vehicles + vehicle] === 1) this.tryAlong(stop, vehicle);
    }
  }

  /** Tries all places of a route, but for those that the windows rule out at a glance. */
  private tryAlong(stop: number, vehicle: number): void {
    const { plan, model } = this;
    const { next } = plan.chain;
    const { begin, latest, isPlain, hasBreaks } = plan.times;
    const { place, places } = model;
    const { cost, costInto } = legsOf(model, vehicle);
    const { legInto } = plan;
    const row = (place[stop] ?? 0) * places;
    const isTimed = model.timed && isPlain && hasBreaks[vehicle] === 0;
    const first = model.windowFrom[stop] ?? 0;
    const closes = model.windowEnd[first] ?? 0;
    const leaves = (model.windowStart[first] ?? 0) + (model.service[stop] ?? 0);
    const end = endOf(model, vehicle);
    let following = end;
    for (let node = startOf(model, vehicle); node !== end; node = following) {
      following = next[node] ?? end;
      if (isTimed) {
        if ((begin[node] ?? 0) > closes) return;
        if ((latest[following] ?? 0) < leaves) continue;
      }
      const there = (costInto[row + (place[node] ?? 0)] ?? 0) + (cost[row + (place[following] ?? 0)] ?? 0);
      const added = there - (legInto[following] ?? 0);
      if (added < this.added && plan.canInsert(stop, node)) this.keep(node, added);
    }
  }

  private tryPlace(stop: number, after: number): void {
    const added = this.plan.insertionCost(stop, after);
    if (added < this.added && this.plan.canInsert(stop, after)) this.keep(after, added);
  }
}
