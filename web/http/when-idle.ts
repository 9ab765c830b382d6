const latestMs = 5_000;

/** Runs once the screen has been drawn and the browser has nothing better to do. Answers how to call it off. */
export function whenIdle(run: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(run, latestMs / 5);
    return () => clearTimeout(timer);
  }
  const wish = requestIdleCallback(run, { timeout: latestMs });
  return () => cancelIdleCallback(wish);
}
