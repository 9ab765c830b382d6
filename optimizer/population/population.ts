/**
 * Plans that keep all promises and plans that do not, apart. Guarantees: at least `fewest` and less than `fewest` + `more` of each are kept once there
 * are so many; the cheapest always stay. Fitness weighs cost against being different from others (Vidal et al. 2012).
 */
import type { Random } from '../random.ts';
import type { Prices } from './draft.ts';
import { distance, type Individual, isFeasible } from './individual.ts';

/** How many of a kind are kept after a generation, and how many join in the next. */
export interface Size {
  readonly fewest: number;
  readonly more: number;
}

/**
 * Sizes for so many children as there is time for. Those of Vidal 2022 (25 and 40) are for ten thousand and more: of a thousand, most would be
 * children of the first plans, which are no good. With windows a few more are kept, since plans in time are rarer.
 */
export function sizeFor(children: number, timed: boolean): Size {
  const wanted = Math.round(Math.sqrt(children) / CHILDREN_ROOTS);
  const fewest = Math.min(MOST_KEPT, Math.max(timed ? LEAST_KEPT_TIMED : LEAST_KEPT, wanted));
  return { fewest, more: Math.round(JOINING * fewest) };
}

const CHILDREN_ROOTS = 5;
const LEAST_KEPT = 8;
const LEAST_KEPT_TIMED = 12;
const MOST_KEPT = 25;
const JOINING = 1.6;
/** Plans whose place by cost is safe, and nearest plans that count for being different. */
const ELITE = 4;
const CLOSE = 5;
/** Nearer than any two plans that differ. */
const SAME = 1e-9;

interface Member {
  readonly individual: Individual;
  readonly near: Map<Member, number>;
  /** Distances of the nearest, by rising distance; 1 where there are fewer. */
  readonly nearest: Float64Array;
  cost: number;
  /** Mean distance to the nearest. */
  apart: number;
  fitness: number;
}

function comesNear({ nearest }: Member, away: number): void {
  let at = CLOSE - 1;
  if (away >= (nearest[at] ?? 0)) return;
  for (; at > 0 && (nearest[at - 1] ?? 0) > away; at--) nearest[at] = nearest[at - 1] ?? 0;
  nearest[at] = away;
}

const isCopy = ({ nearest }: Member) => (nearest[0] ?? 1) < SAME;

class Group {
  members: Member[] = [];
  private readonly prices: Prices;
  private readonly isSymmetric: boolean;
  private readonly size: Size;

  constructor(prices: Prices, isSymmetric: boolean, size: Size) {
    this.size = size;
    this.prices = prices;
    this.isSymmetric = isSymmetric;
  }

  add(individual: Individual): void {
    const nearest = new Float64Array(CLOSE).fill(1);
    const own: Member = { individual, near: new Map(), nearest, cost: 0, apart: 1, fitness: 0 };
    for (const other of this.members) {
      const away = distance(individual, other.individual, this.isSymmetric);
      own.near.set(other, away);
      other.near.set(own, away);
      comesNear(own, away);
      comesNear(other, away);
    }
    this.members.push(own);
    const { fewest, more } = this.size;
    if (this.members.length >= fewest + more) while (this.members.length > fewest) this.dropWorst();
    this.rank();
  }

  /** Puts the cheapest first and judges each by its place and by how different it is. */
  rank(): void {
    const { members, prices } = this;
    for (const member of members) {
      const { driven, excess, warp } = member.individual;
      member.cost = driven + excess * prices.load + warp * prices.late;
      member.apart = member.nearest.reduce((sum, one) => sum + one, 0) / CLOSE;
    }
    members.sort((a, b) => a.cost - b.cost);
    const byDifference = [...members].sort((a, b) => b.apart - a.apart);
    const size = Math.max(1, members.length - 1);
    const weight = members.length <= ELITE ? 0 : 1 - ELITE / members.length;
    for (const [at, member] of members.entries()) member.fitness = at / size;
    for (const [at, member] of byDifference.entries()) member.fitness += weight * (at / size);
  }

  private dropWorst(): void {
    this.rank();
    let worst = this.members[1];
    let wasCopy = false;
    for (const member of this.members.slice(1)) {
      const copy = isCopy(member);
      if (worst === undefined || (copy && !wasCopy) || (copy === wasCopy && member.fitness > worst.fitness)) {
        worst = member;
        wasCopy = copy;
      }
    }
    if (worst === undefined) return;
    const gone = worst;
    this.members = this.members.filter((member) => member !== gone);
    for (const member of this.members) this.forget(member, gone);
  }

  private forget(member: Member, gone: Member): void {
    const { near, nearest } = member;
    const away = near.get(gone) ?? 1;
    near.delete(gone);
    if (away > (nearest[CLOSE - 1] ?? 0)) return;
    nearest.fill(1);
    for (const other of near.values()) comesNear(member, other);
  }
}

export class Population {
  private readonly feasible: Group;
  private readonly broken: Group;
  private readonly random: Random;

  constructor(prices: Prices, { isSymmetric, size }: { isSymmetric: boolean; size: Size }, random: Random) {
    this.feasible = new Group(prices, isSymmetric, size);
    this.broken = new Group(prices, isSymmetric, size);
    this.random = random;
  }

  get size(): number {
    return this.feasible.members.length + this.broken.members.length;
  }

  add(individual: Individual): void {
    (isFeasible(individual) ? this.feasible : this.broken).add(individual);
  }

  clear(): void {
    this.feasible.members = [];
    this.broken.members = [];
  }

  /** To be called after prices changed. */
  reprice(): void {
    this.broken.rank();
  }

  /** The fitter of two drawn at random. */
  parent(): Individual {
    const [one, other] = [this.draw(), this.draw()];
    return one.fitness <= other.fitness ? one.individual : other.individual;
  }

  private draw(): Member {
    const at = this.random.below(this.size);
    const { members } = this.feasible;
    const drawn = members[at] ?? this.broken.members[at - members.length];
    if (drawn === undefined) throw new RangeError('the population is empty');
    return drawn;
  }
}
