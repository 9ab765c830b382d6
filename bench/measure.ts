/** What one way of doing a thing costs per call. */
export type Cost = { perSecond: number; cpuMsPerCall: number; p50Ms: number; p99Ms: number };

export type Contender = {
  name: string;
  call: () => Promise<unknown>;
  /** Around each round, not measured. */
  before?: () => Promise<void>;
  after?: () => Promise<void>;
};

/** Of times in any order. */
export function quantile(times: readonly number[], q: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

async function round(contender: Contender, calls: number): Promise<{ times: number[]; cpuMs: number; wallMs: number }> {
  const times: number[] = [];
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  for (let n = 0; n < calls; n++) {
    const at = performance.now();
    await contender.call();
    times.push(performance.now() - at);
  }
  const cpu = process.cpuUsage(cpuBefore);
  return { times, cpuMs: (cpu.user + cpu.system) / 1000, wallMs: performance.now() - begun };
}

/**
 * Runs contenders in turn, several rounds each, so that what else the machine does falls on all of them alike. Only the
 * ratio of two results of one run says anything.
 */
export async function compare(
  contenders: readonly Contender[],
  options: { rounds: number; calls: number },
): Promise<Cost[]> {
  const sums = contenders.map(() => ({ times: [] as number[], cpuMs: 0, wallMs: 0 }));
  for (const contender of contenders) await round(contender, Math.ceil(options.calls / 4));
  for (let n = 0; n < options.rounds; n++) {
    for (const [index, contender] of contenders.entries()) {
      await contender.before?.();
      const one = await round(contender, options.calls);
      await contender.after?.();
      const sum = sums[index];
      if (!sum) continue;
      sum.times.push(...one.times);
      sum.cpuMs += one.cpuMs;
      sum.wallMs += one.wallMs;
    }
  }
  return sums.map(({ times, cpuMs, wallMs }) => ({
    perSecond: (1000 * times.length) / wallMs,
    cpuMsPerCall: cpuMs / times.length,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  }));
}

/** Prints costs side by side, each as a ratio to the first. */
export function table(title: string, contenders: readonly Contender[], costs: readonly Cost[]): string {
  const [base] = costs;
  const lines = contenders.map(({ name }, index) => {
    const cost = costs[index];
    if (!cost || !base) return name;
    const ratio = (cost.cpuMsPerCall / base.cpuMsPerCall).toFixed(2);
    return `  ${name.padEnd(36)} ${cost.perSecond.toFixed(0).padStart(7)}/s  p50 ${cost.p50Ms.toFixed(2).padStart(7)} ms  p99 ${cost.p99Ms.toFixed(2).padStart(7)} ms  CPU ${cost.cpuMsPerCall.toFixed(2).padStart(6)} ms  x${ratio}`;
  });
  return `${title}\n${lines.join('\n')}`;
}
