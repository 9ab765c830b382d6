/** After so long without one, how long they took says nothing of now. */
const rememberedMs = 2_000;
const newestShare = 0.2;

/** How uploads of phones fare in this process: others make room for them. */
export type UploadMeter = {
  /** Those that went together took so long; `waiting` tells how much waits, in transactions that it fills. */
  took: (ms: number, waiting: () => number) => void;
  /** What they take lately, in milliseconds; 0 where none came lately. */
  meanMs: () => number;
  /** How long one that comes now would wait behind others that fill transactions of their own. */
  waitMs: () => number;
};

export function uploadMeter(now: () => number): UploadMeter {
  let mean = 0;
  let notedAt = Number.NEGATIVE_INFINITY;
  let waiting = (): number => 0;
  const meanMs = (): number => (now() - notedAt > rememberedMs ? 0 : mean);
  return {
    took: (ms, line) => {
      waiting = line;
      mean = meanMs() === 0 ? ms : mean + newestShare * (ms - mean);
      notedAt = now();
    },
    meanMs,
    waitMs: () => {
      const whole = Math.floor(waiting());
      return whole === 0 ? 0 : (whole + 1) * meanMs();
    },
  };
}
