/** What went through this process: sums that only rise. Times in milliseconds. */
export type Flow = {
  /** Calls of the interface answered; streams, files, probes and calls turned away are not among them. */
  requests: number;
  requestMs: number;
  /** Answered with 500 or above, unless what failed was another's system. */
  failed: number;
  /** Calls turned away before they were worked on: in no time, which tells nothing of how long calls take. */
  refused: number;
  /** Database transactions finished; a statement on its own is one. */
  transactions: number;
  queries: number;
  queryMs: number;
  /** Rows that the database read out or changed. */
  rows: number;
};

export type FlowField = keyof Flow;

const nothing: Flow = {
  requests: 0,
  requestMs: 0,
  failed: 0,
  refused: 0,
  transactions: 0,
  queries: 0,
  queryMs: 0,
  rows: 0,
};

const fields = Object.keys(nothing) as FlowField[];

/** Length of the window that 'now' means, in seconds. */
export const windowSeconds = 60;

export type FlowMeter = {
  add: (part: Partial<Flow>) => void;
  /** Since the process began. */
  total: () => Flow;
  /** Of the last minute, the running second included. */
  recent: () => Flow;
};

/** Sums by second for the last minute; `nowMs` is a clock that never goes back. */
export function flowMeter(nowMs: () => number): FlowMeter {
  const total: Flow = { ...nothing };
  const seconds: { at: number; flow: Flow }[] = [];
  const slot = (at: number): Flow => {
    const found = seconds[at % windowSeconds];
    if (found?.at === at) return found.flow;
    const flow = { ...nothing };
    seconds[at % windowSeconds] = { at, flow };
    return flow;
  };
  return {
    add: (part) => {
      const flow = slot(Math.floor(nowMs() / 1000));
      for (const field of fields) {
        const by = part[field];
        if (by === undefined) continue;
        flow[field] += by;
        total[field] += by;
      }
    },
    total: () => ({ ...total }),
    recent: () => {
      const oldest = Math.floor(nowMs() / 1000) - windowSeconds;
      const sum = { ...nothing };
      for (const one of seconds) {
        if (!one || one.at <= oldest) continue;
        for (const field of fields) sum[field] += one.flow[field];
      }
      return sum;
    },
  };
}
