import type { Db } from './database.ts';

/** So long a process may believe what it read: what another process changes and does not tell is seen after this at the latest. */
const keepMs = 1_000;

type Kept = { since: number; answers: Map<string, Promise<unknown>> };
type Memory = { kept: Kept; tables: Set<string>; alike: Kept };

const memories = new WeakMap<Db, Memory>();
const nothing = (): Kept => ({ since: 0, answers: new Map() });

/** Lets `lately` keep answers of this database. Transactions are not of it: what they read they read themselves. */
export function keepAnswersOf(db: Db): void {
  memories.set(db, { kept: nothing(), tables: new Set(), alike: nothing() });
}

/**
 * The answer to what nearly every call asks and hardly anything changes: who calls, what is open to them, the operator's
 * settings. Kept for a second, and no longer than until this process has written one of the tables it was read from.
 */
export function lately<T>(db: Db, asked: { key: string; from: readonly string[] }, read: () => Promise<T>): Promise<T> {
  const memory = memories.get(db);
  if (!memory) return read();
  for (const table of asked.from) memory.tables.add(table);
  return keptIn(memory.kept, asked.key, read);
}

/**
 * The answer to what all of an office ask alike, and at the same moment: a change is told to every open screen, and each asks what the
 * sums are now. Kept as long as what is asked `lately`, but forgotten with whatever is written and is more than a trace of a call,
 * and with whatever another process tells of. Not for answers that are long, and not of a replica, which may be behind what was told.
 */
export function askedAlike<T>(db: Db, key: string, read: () => Promise<T>): Promise<T> {
  const memory = memories.get(db);
  return memory ? keptIn(memory.alike, key, read) : read();
}

function keptIn(kept: Kept, key: string, read: () => Promise<unknown>): Promise<never> {
  const now = performance.now();
  if (now - kept.since > keepMs) Object.assign(kept, nothing(), { since: now });
  const { answers } = kept;
  // One key is always read by the same statement.
  const answer = answers.get(key) ?? read();
  if (!answers.has(key)) {
    answers.set(key, answer);
    answer.catch(() => answers.delete(key));
  }
  return answer as Promise<never>;
}

/** Forgets what was kept when one of its tables was written, or something that cannot be told. */
export function forgetWritten(db: Db, written: readonly string[]): void {
  const memory = memories.get(db);
  if (!memory) return;
  if (written.some((table) => table === anyTable || memory.tables.has(table))) memory.kept.answers = new Map();
  if (written.some((table) => !traces.has(table))) forgetAlike(db);
}

/** Forgets all that was kept: another process tells that it changed. */
export function forgetKept(db: Db): void {
  forgetWritten(db, [anyTable]);
}

/** Forgets what all ask alike: another process tells that something changed. */
export function forgetAlike(db: Db): void {
  const memory = memories.get(db);
  if (memory) memory.alike.answers = new Map();
}

/** What a mere call leaves behind; no sum is made of it. */
const traces = new Set(['sessions', 'rate_limits']);

/** Stands for tables that a statement does not name at its beginning. */
const anyTable = '*';

const write = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/i;
const hiddenWrite = /\b(?:insert|update|delete|merge)\b/i;

/** The table that a statement writes, if any. */
export function tablesWritten(statement: string): string[] {
  const named = write.exec(statement)?.[1];
  if (named) return [named.toLowerCase()];
  const isReading = /^\s*(?:select|with|begin|commit|rollback|savepoint|release|show|set)\b/i.test(statement);
  const mayWrite = !isReading || (/^\s*with\b/i.test(statement) && hiddenWrite.test(statement));
  return mayWrite ? [anyTable] : [];
}
