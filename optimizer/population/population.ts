/**
 * Plans that keep all promises and plans that do not, apart. Guarantees: at least FEWEST and less than FEWEST + GENERATION of each are kept once there
 * are so many; the cheapest always stay. Fitness weighs cost against being different from others (Vidal et al. 2012).
 */
import type { Random } from '../random.ts';
import type { Prices } from './draft.ts';
import { distance, type Individual, isFeasible } from './individual.ts';

const FEWEST = 25;
const GENERATION = 40;
/** Plans whose place by cost is safe, and nearest plans that count for being different. */
const ELITE = 4;
const CLOSE = 5;

interface Member {
  readonly individual: Individual;
  readonly near: Map<Member, number>;
  cost: number;
  fitness: number;
}

class Group {
  members: Member[] = [];
  private readonly prices: Prices;
  private readonly isSymmetric: boolean;
  private readonly nearest = new Float64Array(CLOSE);

  constructor(prices: Prices, isSymmetric: boolean) {
    this.prices = prices;
    this.isSymmetric = isSymmetric;
  }

  add(individual: Individual): void {
    const own: Member = { individual, near: new Map(), cost: 0, fitness: 0 };
    for (const other of this.members) {
      const apart = distance(individual, other.individual, this.isSymmetric);
      own.near.set(other, apart);
      other.near.set(own, apart);
    }
    this.members.push(own);
    if (this.members.length >= FEWEST + GENERATION) while (this.members.length > FEWEST) this.dropWorst();
    this.rank();
  }

  /** Puts the cheapest first and judges each by its place and by how different it is. */
  rank(): void {
    const { members, prices } = this;
    for (const member of members) {
      const { driven, excess, warp } = member.individual;
      member.cost = driven + excess * prices.load + warp * prices.late;
    }
    members.sort((a, b) => a.cost - b.cost);
    const apart = new Map(members.map((member) => [member, this.apart(member)]));
    const byDifference = [...members].sort((a, b) => (apart.get(b) ?? 0) - (apart.get(a) ?? 0));
    const size = Math.max(1, members.length - 1);
    const place = new Map(byDifference.map((member, at) => [member, at / size]));
    const weight = members.length <= ELITE ? 0 : 1 - ELITE / members.length;
    for (const [at, member] of members.entries()) member.fitness = at / size + weight * (place.get(member) ?? 0);
  }

  /** Mean distance to the nearest. */
  private apart({ near }: Member): number {
    const { nearest } = this;
    nearest.fill(1);
    for (const away of near.values()) {
      let at = CLOSE - 1;
      if (away >= (nearest[at] ?? 0)) continue;
      for (; at > 0 && (nearest[at - 1] ?? 0) > away; at--) nearest[at] = nearest[at - 1] ?? 0;
      nearest[at] = away;
    }
    return nearest.reduce((sum, one) => sum + one, 0) / CLOSE;
  }

  private dropWorst(): void {
    this.rank();
    const isCopy = (member: Member) => [...member.near.values()].some((apart) => apart < 1e-9);
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
    for (const member of this.members) member.near.delete(gone);
  }
}

export class Population {
  private readonly feasible: Group;
  private readonly broken: Group;
  private readonly random: Random;

  constructor(prices: Prices, isSymmetric: boolean, random: Random) {
    this.feasible = new Group(prices, isSymmetric);
    this.broken = new Group(prices, isSymmetric);
    this.random = random;
  }

  get size(): number {
    return this.feasible.members.length + this.broken.members.length;
  }

  add(individual: Individual): void {
    (isFeasible(individual) ? this.feasible : this.broken).add(individual);
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
