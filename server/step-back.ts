import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import path from 'node:path';

/**
 * Lets all else go before the thread that calls this: what answers people stays as quick as it was while it computes. Linux has a
 * priority for each thread; where there is none, nothing changes.
 */
export function stepBack(): void {
  try {
    const thread = path.basename(readlinkSync('/proc/thread-self'));
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // What it computes is wanted all the same.
  }
}
