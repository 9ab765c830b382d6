/**
 * Seeded random numbers: the same seed gives the same sequence on every machine, which makes every plan repeatable.
 * Method: sfc32 by Chris Doty-Humphrey (PractRand); passes its tests, four words of state, no multiplication.
 */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 1;

  constructor(seed: number) {
    this.a = seed | 0;
    this.b = Math.floor(seed / 4294967296) | 0;
    this.c = 0x9e3779b9 | 0;
    for (let i = 0; i < 15; i++) this.bits();
  }

  /** 32 random bits as a signed whole number. */
  bits(): number {
    const result = (((this.a + this.b) | 0) + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + result) | 0;
    return result;
  }

  /** In [0, 1). */
  fraction(): number {
    return (this.bits() >>> 0) / 4294967296;
  }

  /** A whole number in [0, below). */
  below(below: number): number {
    return Math.floor(this.fraction() * below);
  }
}
