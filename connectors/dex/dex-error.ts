export type DexFailure = 'empty' | 'too-large' | 'not-dex';

/** A file that cannot be read as DEX at all. The message is a sentence for a person. */
export class DexError extends Error {
  readonly reason: DexFailure;

  constructor(reason: DexFailure, message: string) {
    super(message);
    this.name = 'DexError';
    this.reason = reason;
  }
}
