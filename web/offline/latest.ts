/**
 * Runs again when asked during a run, so that the last word is always on what is stored now, and never twice at once: a phone that
 * sends a week's work changes what is stored faster than it can be read.
 */
export function latest(run: () => Promise<void>): () => void {
  let isRunning = false;
  let isDue = false;
  const go = async (): Promise<void> => {
    if (isRunning) {
      isDue = true;
      return;
    }
    isRunning = true;
    do {
      isDue = false;
      // A store that cannot be read leaves the figures as they were; the next change asks again.
      await run().catch(() => undefined);
    } while (isDue);
    isRunning = false;
  };
  return () => void go();
}
