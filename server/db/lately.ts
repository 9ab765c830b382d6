import { type SQL, sql } from 'drizzle-orm';
import type { Db } from './database.ts';

/** So long a process may believe what it read: what another process changes and does not tell is seen after this at the latest. */
const keepMs = 1_000;

/** So long where it is a sum over very many rows: that costs tens of milliseconds, and one row more or less cannot be told by it. */
const keepSumMs = 5_000;
const mostSums = 100;

type Answer = { from: readonly string[]; answer: Promise<unknown> };
type Kept = { since: number; answers: Map<string, Answer> };
type Sum = { at: number; answer: unknown; from: readonly string[] };
type Memory = { kept: Kept; tables: Set<string>; alike: Kept; sums: Map<string, Sum>; writes: Map<string, number> };

const memories = new WeakMap<Db, Memory>();
const nothing = (): Kept => ({ since: 0, answers: new Map() });

/** Lets `lately` keep answers of this database. Transactions are not of it: what they read they read themselves. */
export function keepAnswersOf(db: Db): void {
  memories.set(db, {
    ...{ kept: nothing(), tables: new Set(), alike: nothing() },
    ...{ sums: new Map(), writes: new Map() },
  });
}

/**
 * The answer to what nearly every call asks and hardly anything changes: who calls, what is open to them, the operator's
 * settings. Kept for a second, and no longer than until this process has written one of the tables it was read from.
 */
export function lately<T>(db: Db, asked: Asked, read: () => Promise<T>): Promise<T> {
  const memory = memories.get(db);
  if (!memory) return read();
  for (const table of asked.from) memory.tables.add(table);
  return keptIn(memory.kept, asked, read);
}

/**
 * The answer to what all of an office ask alike, and at the same moment: a change is told to every open screen, and each asks what the
 * sums are now. Kept as long as what is asked `lately`, but forgotten with whatever is written and is more than a trace of a call,
 * and with whatever another process tells of. Not for answers that are long, and not of a replica, which may be behind what was told.
 */
export function askedAlike<T>(db: Db, key: string, read: () => Promise<T>): Promise<T> {
  const memory = memories.get(db);
  return memory ? keptIn(memory.alike, { key, from: [anyTable] }, read) : read();
}

/** Of how many rows an answer is the sum: from here on it is kept as one of very many. */
const veryMany = 10_000;

export type SumOfMany<T> = {
  /** How many rows it was read from. */
  rows: (answer: T) => number;
  /** What an office edits of them: who changes that sees it in the next answer. Not what stock moves in. */
  from: readonly string[];
};

/**
 * As `askedAlike`, and where the answer is a sum over very many rows kept for five seconds, whatever stock moves meanwhile: while
 * phones send all the time it would else be read anew all the time.
 */
export async function askedOfMany<T>(
  db: Db,
  { key, now, rows, from }: SumOfMany<T> & { key: string; now: number },
  read: () => Promise<T>,
): Promise<T> {
  const memory = memories.get(db);
  if (!memory) return read();
  const { sums, writes } = memory;
  const known = sums.get(key);
  const seen = (): string => [anyTable, ...from].map((table) => writes.get(table) ?? 0).join();
  const before = seen();
  // A key is always read by the same statements.
  if (known && now >= known.at && now - known.at < keepSumMs) return known.answer as T;
  // A clock that is set asks another question.
  const answer = await keptIn(memory.alike, { key: `${key} ${Math.floor(now / 1000)}`, from: [anyTable] }, read);
  // Not what was written while it was read.
  if (seen() === before && rows(answer) >= veryMany) {
    if (sums.size >= mostSums) sums.clear();
    sums.set(key, { at: now, answer, from });
  }
  return answer;
}

type Asked = { key: string; from: readonly string[] };

function keptIn(kept: Kept, { key, from }: Asked, read: () => Promise<unknown>): Promise<never> {
  const now = performance.now();
  if (now - kept.since > keepMs) Object.assign(kept, nothing(), { since: now });
  const { answers } = kept;
  const known = answers.get(key);
  // One key is always read by the same statement.
  if (known) return known.answer as Promise<never>;
  const mine = { from, answer: read() };
  answers.set(key, mine);
  mine.answer.catch(() => answers.get(key) === mine && answers.delete(key));
  return mine.answer as Promise<never>;
}

/** Forgets what was kept when one of its tables was written, or something that cannot be told. */
export function forgetWritten(db: Db, written: readonly string[]): void {
  const memory = memories.get(db);
  if (!memory) return;
  if (written.includes(anyTable)) memory.kept.answers = new Map();
  else if (written.some((table) => memory.tables.has(table))) forgetReadFrom(memory.kept.answers, written);
  if (written.some((table) => !traces.has(table))) forgetAlike(db);
  forgetSums(memory, written);
}

function forgetReadFrom(answers: Map<string, Answer>, written: readonly string[]): void {
  for (const [key, { from }] of answers) if (written.some((table) => from.includes(table))) answers.delete(key);
}

function forgetSums(memory: Memory, written: readonly string[]): void {
  for (const table of written) memory.writes.set(table, (memory.writes.get(table) ?? 0) + 1);
  for (const [key, { from }] of memory.sums)
    if (written.some((table) => table === anyTable || from.includes(table))) memory.sums.delete(key);
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
const traces = new Set(['sessions', 'sessions seen', 'rate_limits']);

/** Stands for tables that a statement does not name at its beginning. */
const anyTable = '*';

const write = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/i;
const hiddenWrites = /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?"?(\w+)/gi;
const hiddenWrite = /\b(?:insert|update|delete|merge)\b/i;

const passing = '/* seen only */';

/** A statement that notes when things were heard of: partners tell of them all day long, and no sum is made of it. */
export const seenOnly = (statement: SQL): SQL => sql`${statement} ${sql.raw(passing)}`;

/** The tables that a statement writes, if any. What stands behind a `with` may name more than it writes, never less. */
export function tablesWritten(statement: string): string[] {
  const named = write.exec(statement)?.[1];
  if (named && statement.endsWith(passing)) return [`${named.toLowerCase()} seen`];
  if (named) return [named.toLowerCase()];
  const isReading = /^\s*(?:select|with|begin|commit|rollback|savepoint|release|show|set)\b/i.test(statement);
  if (!isReading) return [anyTable];
  if (!/^\s*with\b/i.test(statement) || !hiddenWrite.test(statement)) return [];
  const hidden = [...statement.matchAll(hiddenWrites)].flatMap(([, table]) => table?.toLowerCase() ?? []);
  return hidden.length > 0 ? hidden : [anyTable];
}
