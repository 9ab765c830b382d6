/**
 * What every search of the optimiser shares: the budget, the random numbers and the report of better plans. Guarantees: rules are
 * asked every few iterations (a few milliseconds at most), and iterations are counted alike in all phases.
 */
import type { Random } from '../random.ts';
import { type StopRule, usedShare } from '../stop/stop-rule.ts';

interface SearchOptions {
  random: Random;
  rules: readonly StopRule[];
  /** Called with the cost in ticks whenever the best plan got better. */
  onBetter?: (cost: number, iterations: number) => void;
}

/** Iterations between two questions to the stopping rules. */
const ASK_EVERY = 64;

export class Search {
  readonly random: Random;
  iterations = 0;
  private idleSince = 0;
  private share = 0;
  private readonly rules: readonly StopRule[];
  private readonly onBetter: (cost: number, iterations: number) => void;

  constructor(options: SearchOptions) {
    this.random = options.random;
    this.rules = options.rules;
    this.onBetter = options.onBetter ?? (() => {});
    this.ask();
  }

  /** Share of the budget used, 0 to 1. */
  get used(): number {
    return this.share;
  }

  /** Counts one iteration, or one that is as much work as `effort` of ruin and recreate; false when the search has to end. */
  goOn(effort = 1): boolean {
    if (this.share >= 1) return false;
    this.iterations += effort;
    if (effort > 1 || this.iterations % ASK_EVERY === 0) this.ask();
    return this.share < 1;
  }

  /** Asks the rules now; for phases whose single iterations are long. */
  ask(): void {
    this.share = usedShare(this.rules, {
      iterations: this.iterations,
      idleIterations: this.iterations - this.idleSince,
    });
  }

  better(cost: number): void {
    this.idleSince = this.iterations;
    this.onBetter(cost, this.iterations);
  }
}
