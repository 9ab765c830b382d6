import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolutionMs = 20;
const steadySeconds = 30;
const nsPerMs = 1e6;

export type EventLoop = {
  /** Mean delay of the last full second, in milliseconds. */
  delayMs: () => number;
  /** Mean of about the last half minute: one hiccup is no state. */
  steadyDelayMs: () => number;
  /** The longest of the last full second. */
  longestMs: () => number;
  stop: () => void;
};

/** How late this process gets to its work. */
export function watchEventLoop(): EventLoop {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
  histogram.enable();
  let [mean, steady, longest] = [0, 0, 0];
  const timer = setInterval(() => {
    // Without a measurement the mean is not a number.
    mean = Math.max(0, (histogram.mean || 0) / nsPerMs - resolutionMs);
    steady += (mean - steady) / steadySeconds;
    longest = Math.max(0, histogram.max / nsPerMs - resolutionMs);
    histogram.reset();
  }, 1_000);
  timer.unref();
  return {
    delayMs: () => mean,
    steadyDelayMs: () => steady,
    longestMs: () => longest,
    stop: () => {
      clearInterval(timer);
      histogram.disable();
    },
  };
}
