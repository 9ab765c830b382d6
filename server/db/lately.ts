import type { Db } from './database.ts';

/** So long a process may believe what it read: what another process changes and does not tell is seen after this at the latest. */
const keepMs = 1_000;

type Memory = { since: number; kept: Map<string, Promise<unknown>>; tables: Set<string> };

const memories = new WeakMap<Db, Memory>();

/** Lets `lately` keep answers of this database. Transactions are not of it: what they read they read themselves. */
export function keepAnswersOf(db: Db): void {
  memories.set(db, { since: 0, kept: new Map(), tables: new Set() });
}

/**
 * The answer to what nearly every call asks and hardly anything changes: who calls, what is open to them, the operator's
 * settings. Kept for a second, and no longer than until this process has written one of the tables it was read from.
 */
export function lately<T>(db: Db, asked: { key: string; from: readonly string[] }, read: () => Promise<T>): Promise<T> {
  const memory = memories.get(db);
  if (!memory) return read();
  const now = performance.now();
  if (now - memory.since > keepMs) {
    memory.kept = new Map();
    memory.since = now;
  }
  const { kept } = memory;
  const before = kept.get(asked.key);
  // One key is always read by the same statement.
  if (before) return before as Promise<T>;
  for (const table of asked.from) memory.tables.add(table);
  const answer = read();
  kept.set(asked.key, answer);
  answer.catch(() => kept.delete(asked.key));
  return answer;
}

/** Forgets what was kept when one of its tables was written, or something that cannot be told. */
export function forgetWritten(db: Db, written: readonly string[]): void {
  const memory = memories.get(db);
  if (memory && written.some((table) => table === anyTable || memory.tables.has(table))) memory.kept = new Map();
}

/** Forgets all that was kept: another process tells that it changed. */
export function forgetKept(db: Db): void {
  forgetWritten(db, [anyTable]);
}

/** Stands for tables that a statement does not name at its beginning. */
const anyTable = '*';

const write = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/i;
const hiddenWrite = /\b(?:insert|update|delete|merge)\b/i;

/** The table that a statement writes, if any. */
export function tablesWritten(statement: string): string[] {
  const named = write.exec(statement)?.[1];
  if (named) return [named.toLowerCase()];
  const isReading = /^\s*(?:select|with|begin|commit|rollback|savepoint|release|show)\b/i.test(statement);
  const mayWrite = !isReading || (/^\s*with\b/i.test(statement) && hiddenWrite.test(statement));
  return mayWrite ? [anyTable] : [];
}
