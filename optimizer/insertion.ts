/**
 * Finds the cheapest allowed place for one stop. Guarantees: the place found keeps every promise. Only places beside the nearest stops
 * and in one empty vehicle of each type are tried, so the effort does not grow with the plan; when none of them will do, every place is.
 * With `blink` some places are overlooked at random (Christiaens & Vanden Berghe 2020), which keeps greedy insertion from
 * repeating itself; the distance to the next blink is drawn once instead of a number per place.
 */
import { ABSENT, legsOf } from './chain.ts';
import { endOf, type Model, startOf } from './model.ts';
import type { Neighbours } from './neighbours.ts';
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';

const BLINK = 1 / Math.log(1 - 0.01);

export class Inserter {
  /** Result of the last search: node to stand behind (-1 = none) and ticks added. */
  after = -1;
  added = 0;
  private readonly plan: Plan;
  private readonly model: Model;
  private readonly near: Neighbours;
  private readonly random: Random;
  private readonly width: number;
  private untilBlink: number;

  constructor(plan: Plan, near: Neighbours, random: Random, width: number) {
    this.plan = plan;
    this.model = plan.model;
    this.near = near;
    this.random = random;
    this.width = Math.min(width, near.width);
    this.untilBlink = this.drawBlink();
  }

  private drawBlink(): number {
    return 1 + Math.floor(Math.log(1 - this.random.fraction()) * BLINK);
  }

  private isBlink(): boolean {
    if (--this.untilBlink > 0) return false;
    this.untilBlink = this.drawBlink();
    return true;
  }

  /** Looks for the cheapest place of an absent stop, among its neighbours first. Returns whether there is one that adds less than `worth`. */
  find(stop: number, worth: number): boolean {
    this.after = -1;
    this.added = worth;
    this.tryBesideNeighbours(stop);
    this.tryEmptyVehicles(stop);
    if (this.after < 0 && this.model.optional[stop] === 0) this.tryEverywhere(stop);
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
    const { plan, model, near } = this;
    const { next, prev, route } = plan.chain;
    const { legInto } = plan;
    const { place, places, allowed, vehicles } = model;
    const row = (place[stop] ?? 0) * places;
    const first = stop * near.width;
    for (let i = first; i < first + this.width; i++) {
      const neighbour = near.list[i] ?? 0;
      const vehicle = route[neighbour] ?? ABSENT;
      if (vehicle === ABSENT || allowed[stop * vehicles + vehicle] === 0) continue;
      const { cost, costInto } = legsOf(model, vehicle);
      const before = prev[neighbour] ?? 0;
      const following = next[neighbour] ?? 0;
      const here = row + (place[neighbour] ?? 0);
      const left = costInto[row + (place[before] ?? 0)] ?? 0;
      const right = cost[row + (place[following] ?? 0)] ?? 0;
      const ahead = left + (cost[here] ?? 0) - (legInto[neighbour] ?? 0);
      const behind = (costInto[here] ?? 0) + right - (legInto[following] ?? 0);
      if (ahead < this.added && !this.isBlink() && plan.canInsert(stop, before)) this.keep(before, ahead);
      if (behind < this.added && !this.isBlink() && plan.canInsert(stop, neighbour)) this.keep(neighbour, behind);
    }
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
    const { next, tasks } = plan.chain;
    for (let vehicle = 0; vehicle < model.vehicles; vehicle++) {
      if (tasks[vehicle] === 0 || model.allowed[stop * model.vehicles + vehicle] === 0) continue;
      const end = endOf(model, vehicle);
      for (let node = startOf(model, vehicle); node !== end; node = next[node] ?? end) this.tryPlace(stop, node);
    }
  }

  private tryPlace(stop: number, after: number): void {
    const added = this.plan.insertionCost(stop, after);
    if (added < this.added && this.plan.canInsert(stop, after)) this.keep(after, added);
  }
}
