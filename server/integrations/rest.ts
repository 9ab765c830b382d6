import type { ConfigRow } from './queries.ts';

type Row = Pick<ConfigRow, 'problem' | 'problemKind' | 'breaker'>;

/** Until when a partner asked not to be called; null where it did not, or where that is over. */
export function restOf({ breaker: { restUntil } }: Pick<Row, 'breaker'>, now: Date): string | null {
  return restUntil && new Date(restUntil) > now ? restUntil : null;
}

/** A pause that the partner asked for is nothing that is wrong, and nothing that a person could put right. */
export function problemOrRest(row: Row, now: Date): { problem: string | null; waitsUntil: string | null } {
  if (row.problemKind !== 'rate-limit') return { problem: row.problem, waitsUntil: null };
  return { problem: null, waitsUntil: restOf(row, now) };
}
