/**
 * A closed tour as an array with positions, changed only by turning round a stretch, each turn noted so that tries can be taken back.
 * A turn moves the shorter side, so its work is at most half the tour and mostly far less.
 */
export class TourOrder {
  readonly size: number;
  /** Node at each position, and position of each node. */
  readonly order: Int32Array;
  readonly position: Int32Array;
  /** Positions of the first and last node and the length of each turn since the last `forget`. */
  private turns = new Int32Array(256);
  private noted = 0;

  constructor(order: Int32Array) {
    this.size = order.length;
    this.order = order;
    this.position = new Int32Array(order.length);
    for (const [at, node] of order.entries()) this.position[node] = at;
  }

  next(node: number): number {
    const at = (this.position[node] ?? 0) + 1;
    return this.order[at === this.size ? 0 : at] ?? 0;
  }

  prev(node: number): number {
    const at = this.position[node] ?? 0;
    return this.order[at === 0 ? this.size - 1 : at - 1] ?? 0;
  }

  /** The legs a-b and c-d go, the legs a-c and b-d come: b..c is turned round. b stands next to a and d next to c, on the same side. */
  turn(a: number, b: number, c: number, d: number): void {
    const { position, size } = this;
    const isForward = this.next(a) === b;
    const from = position[isForward ? b : a] ?? 0;
    const to = position[isForward ? c : d] ?? 0;
    const inside = to - from + 1;
    const stretch = inside <= 0 ? inside + size : inside;
    if (2 * stretch <= size) this.note(from, to, stretch);
    else this.note(to + 1 === size ? 0 : to + 1, from === 0 ? size - 1 : from - 1, size - stretch);
  }

  private note(from: number, to: number, stretch: number): void {
    this.reverse(from, to, stretch);
    if (this.noted + 3 > this.turns.length) {
      const longer = new Int32Array(this.turns.length * 2);
      longer.set(this.turns);
      this.turns = longer;
    }
    this.turns[this.noted++] = from;
    this.turns[this.noted++] = to;
    this.turns[this.noted++] = stretch;
  }

  private reverse(from: number, to: number, stretch: number): void {
    const { size } = this;
    let left = from;
    let right = to;
    if (from <= to) {
      // The usual case, in which no end of the array is passed.
      for (; left < right; left++, right--) this.exchange(left, right);
      return;
    }
    for (let pairs = stretch >> 1; pairs > 0; pairs--) {
      this.exchange(left, right);
      left = left + 1 === size ? 0 : left + 1;
      right = right === 0 ? size - 1 : right - 1;
    }
  }

  private exchange(left: number, right: number): void {
    const { order, position } = this;
    const a = order[left] ?? 0;
    const b = order[right] ?? 0;
    order[left] = b;
    position[b] = left;
    order[right] = a;
    position[a] = right;
  }

  /** How many turns were noted, for `takeBack`. */
  get mark(): number {
    return this.noted;
  }

  /** Takes back every turn noted since. */
  takeBack(mark: number): void {
    for (let i = this.noted - 3; i >= mark; i -= 3) {
      this.reverse(this.turns[i] ?? 0, this.turns[i + 1] ?? 0, this.turns[i + 2] ?? 0);
    }
    this.noted = mark;
  }

  /** Makes everything so far final. */
  forget(): void {
    this.noted = 0;
  }
}
