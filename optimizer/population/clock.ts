/**
 * Joins parts of routes and tells how late the whole would be (time warp; concatenation after Vidal et al. 2013). Guarantees the exact warp of the sequence
 * from `begin` to `finish`. One object for all questions, since none is asked inside another.
 */
import type { Draft, Spans } from './draft.ts';

export class Clock {
  private readonly draft: Draft;
  private readonly row: Int32Array;
  private readonly seconds: Int32Array;
  private readonly size: number;
  private readonly opens: Int32Array;
  private readonly closes: Int32Array;
  private readonly heads: Spans;
  private readonly tails: Spans;
  private at = 0;
  private length = 0;
  private warp = 0;
  private early = 0;
  private late = 0;

  constructor(draft: Draft) {
    this.draft = draft;
    this.row = draft.row;
    this.seconds = draft.alike.seconds;
    this.size = draft.alike.size;
    this.opens = draft.alike.opens;
    this.closes = draft.alike.closes;
    this.heads = draft.heads;
    this.tails = draft.tails;
  }

  /** A route from its start to a node. */
  begin(node: number): this {
    const { length, warp, early, late } = this.heads;
    this.at = this.row[node] ?? 0;
    this.length = length[node] ?? 0;
    this.warp = warp[node] ?? 0;
    this.early = early[node] ?? 0;
    this.late = late[node] ?? 0;
    return this;
  }

  /** One stop more. */
  reach(node: number): this {
    const to = this.row[node] ?? 0;
    const reach = this.length + (this.seconds[this.at * this.size + to] ?? 0);
    const open = (this.opens[to] ?? 0) - reach;
    const close = (this.closes[to] ?? 0) - reach;
    const wait = open > this.late ? open - this.late : 0;
    const tooLate = this.early > close ? this.early - close : 0;
    this.length = reach + wait - tooLate;
    this.warp += tooLate;
    this.early = (open > this.early ? open : this.early) - wait;
    this.late = (close < this.late ? close : this.late) + tooLate;
    this.at = to;
    return this;
  }

  /** The stops behind `from` up to `to`, as they follow each other. */
  along(from: number, to: number): this {
    const { next } = this.draft;
    for (let at = from; at !== to; ) {
      at = next[at] ?? to;
      this.reach(at);
    }
    return this;
  }

  /** The stops behind `from` up to `to`, the last one first. */
  back(from: number, to: number): this {
    const { prev } = this.draft;
    for (let at = to; at !== from; at = prev[at] ?? from) this.reach(at);
    return this;
  }

  /** The rest of a route from a node on. Returns the warp of the whole. */
  finish(node: number): number {
    const { warp, late } = this.tails;
    const reach = this.length + (this.seconds[this.at * this.size + (this.row[node] ?? 0)] ?? 0);
    const tooLate = this.early + reach - (late[node] ?? 0);
    return this.warp + (warp[node] ?? 0) + (tooLate > 0 ? tooLate : 0);
  }
}
