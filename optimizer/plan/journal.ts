/**
 * The changes of a round, oldest first, so that they can be taken back latest first. Guarantees: room for any number of them; nothing is
 * allocated once the longest round has been seen.
 */

/** Numbers a change takes: stop, node it was removed from behind (-1 for an insertion), and the legs that come back with it. */
export const CHANGE = 4;

export class Journal {
  entries = new Int32Array(1024);
  /** Numbers in use: changes times `CHANGE`. */
  length = 0;

  /** `leg` and `other`: ticks of the legs on both sides of a stop removed, or the one that an insertion replaced and 0. */
  note(stop: number, after: number, leg: number, other: number): void {
    if (this.length + CHANGE > this.entries.length) {
      const longer = new Int32Array(this.entries.length * 2);
      longer.set(this.entries);
      this.entries = longer;
    }
    const { entries, length } = this;
    entries[length] = stop;
    entries[length + 1] = after;
    entries[length + 2] = leg;
    entries[length + 3] = other;
    this.length = length + CHANGE;
  }

  clear(): void {
    this.length = 0;
  }
}
