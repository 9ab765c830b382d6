import type pg from 'pg';
import { isPlannedOnce } from './kept-plans.ts';

const narrowest = 2;
/** Uploads that take longer get more of the database, and give it back when they are quick again. */
const slowUploadMs = 50;
const quickUploadMs = 25;
const narrowing = 0.7;
const adjustMs = 100;

type Options = { widest: number; uploadMs: () => number; now: () => number };

type Waiting = { since: number; go: () => void };

export type ReadGate = {
  /** Does the work when it is its turn. */
  through: <T>(work: () => Promise<T>) => Promise<T>;
  /** How long the first in the line has waited, in milliseconds. */
  waitMs: () => number;
  /** How many may read at a time. */
  width: () => number;
};

/**
 * As many statements at a time as leave phones room: a database that reads ten things at once has none of them sooner than
 * two, and what phones bring waits among them. The others wait their turn here.
 */
export function readGate({ widest, uploadMs, now }: Options): ReadGate {
  const line: Waiting[] = [];
  let width = widest;
  let inside = 0;
  let adjustedAt = Number.NEGATIVE_INFINITY;

  const adjust = (): void => {
    if (now() - adjustedAt < adjustMs) return;
    adjustedAt = now();
    const ms = uploadMs();
    if (ms > slowUploadMs) width = Math.max(narrowest, Math.floor(width * narrowing));
    else if (ms < quickUploadMs) width = Math.min(widest, width + 1);
  };
  const letIn = (): void => {
    adjust();
    while (inside < width) {
      const next = line.shift();
      if (!next) return;
      inside += 1;
      next.go();
    }
  };
  const turn = (): Promise<void> =>
    new Promise((go) => {
      line.push({ since: now(), go });
      letIn();
    });
  return {
    through: async (work) => {
      await turn();
      try {
        return await work();
      } finally {
        inside -= 1;
        letIn();
      }
    },
    waitMs: () => (line[0] ? now() - line[0].since : 0),
    width: () => width,
  };
}

type Query = (first: unknown, ...rest: unknown[]) => unknown;

const reads = /^\s*(?:select|with)\b/i;
const writes = /\b(?:insert|update|delete|merge|for\s+(?:no\s+key\s+)?(?:update|share))\b/i;

/** Whether nobody else can be kept waiting by it: a statement that holds locks, or waits for one, must not stand in line. */
const isReading = (text: string): boolean => reads.test(text) && !writes.test(text);

/**
 * Sends single statements of a pool that only read through the gate; those of transactions hold locks already, and what costs
 * no more than its plan is not worth a line.
 */
export function holdBackReads(pool: pg.Pool, { through }: ReadGate): void {
  const query = pool.query.bind(pool) as Query;
  const guarded: Query = (first, ...rest) => {
    const text = typeof first === 'string' ? first : (first as { text?: string }).text;
    const isAnswered = typeof rest.at(-1) !== 'function';
    if (text === undefined || !isAnswered || isPlannedOnce(text) || !isReading(text)) return query(first, ...rest);
    return through(() => query(first, ...rest) as Promise<unknown>);
  };
  Object.assign(pool, { query: guarded });
}
