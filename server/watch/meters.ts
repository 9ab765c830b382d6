import client from 'prom-client';

/** Labels of one series, e.g. `{ method: 'GET' }`. Their values must come from a short closed list. */
export type Labels = Readonly<Record<string, string>>;

export type Counter = { add: (labels: Labels, by?: number) => void };
export type Histogram = { observe: (seconds: number, labels: Labels) => void };

/** Upper borders in seconds: from a lookup in memory to a call that is given up; 150 and 300 ms are what people are promised. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.3, 0.5, 1, 2.5, 5, 10];

/** The meters of one server; several may live in one process, as in tests. */
export type Registry = {
  counter: (name: string, help: string, labelNames: readonly string[]) => Counter;
  histogram: (name: string, help: string, labelNames: readonly string[]) => Histogram;
  /** Read when asked for: one value, or one for each series. */
  gauge: (name: string, help: string, read: () => number | readonly (readonly [Labels, number])[]) => void;
  /** Prometheus' text form. */
  text: () => Promise<string>;
};

export function createRegistry(): Registry {
  const registry = new client.Registry();
  const registers = [registry];
  return {
    counter: (name, help, labelNames) => {
      const counter = new client.Counter({ name, help, labelNames: [...labelNames], registers });
      return { add: (labels, by = 1) => counter.inc(labels, by) };
    },
    histogram: (name, help, labelNames) => {
      const histogram = new client.Histogram({ name, help, labelNames: [...labelNames], buckets, registers });
      return { observe: (seconds, labels) => histogram.observe(labels, seconds) };
    },
    gauge: (name, help, read) => {
      const first = read();
      // An application built anew over the same watch reads its own state from then on.
      registry.removeSingleMetric(name);
      const labelNames = typeof first === 'number' ? [] : Object.keys(first[0]?.[0] ?? {});
      new client.Gauge({
        name,
        help,
        labelNames,
        registers,
        collect() {
          const value = read();
          if (typeof value === 'number') this.set(value);
          else for (const [labels, number] of value) this.set(labels, number);
        },
      });
    },
    text: () => registry.metrics(),
  };
}
