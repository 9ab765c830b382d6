import { type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/database.ts';
import { firstRow } from '../db/database.ts';
import { containsWord } from '../db/statements/like.ts';

/** More words than these are not handed over: a letter or a digit or two, which stand in nearly all of them. */
const mostWords = 400;

const hasLetter = /[a-z]/i;

/**
 * The words of machines that hold one of the meanings, for each word of a search. Null: the text must be looked for as it is, for a
 * sign stands in it or too many words hold it.
 */
export async function findMachineWords(db: Db, words: readonly (readonly string[])[]): Promise<string[][] | null> {
  if (words.length === 0) return null;
  const lists = words.map((meanings) => {
    const held = meanings.map((word) => containsWord(sql`w.word`, word));
    // Most words are numbers, and what has a letter is in none of them.
    const kind = meanings.every((word) => hasLetter.test(word)) ? sql`w.word ~ '[^0-9]' and` : sql``;
    // No word holds what is longer than itself.
    const lengths = meanings.map((word) => sql`length(trim(plain_text(${word}::text)))`);
    const isLong = sql`length(w.word) >= least(${sql.join(lengths, sql`, `)})`;
    return sql`(select coalesce(jsonb_agg(f.word), '[]') from (
      select w.word from machine_words w where ${kind} ${isLong} and (${sql.join(held, sql` or `)}) limit ${mostWords + 1}) f)`;
  });
  const plain = words.flat().map((word) => sql`plain_text(${word}::text)`);
  const found = await firstRow<{ lists: string[][]; plain: string[] }>(
    db,
    sql`select jsonb_build_array(${sql.join(lists, sql`, `)}) as lists, jsonb_build_array(${sql.join(plain, sql`, `)}) as plain`,
  );
  if (!found || found.plain.some((text) => text.trim() === '')) return null;
  const hasSign = found.plain.some((text) => /\s/.test(text.trim()));
  const none = hasSign ? await findSaidByNone(db, words) : [];
  const isOpen = words.some((meanings, n) => {
    const first = words.slice(0, n).flat().length;
    const plain = found.plain.slice(first, first + meanings.length);
    return !none[n] && ((found.lists[n]?.length ?? 0) > mostWords || plain.some((text) => /\s/.test(text.trim())));
  });
  return isOpen ? null : found.lists.map((list, n) => (none[n] ? [] : list));
}

/** Which words have a part, between their signs, that no word of a machine holds, in each of their meanings: MKT-007 has one. */
async function findSaidByNone(db: Db, words: readonly (readonly string[])[]): Promise<boolean[]> {
  const holds = (kind: SQL): SQL =>
    sql`exists (select from machine_words w where ${kind} and w.word like '%' || part || '%')`;
  const lacks = (meaning: string): SQL =>
    sql`exists (select from unnest(string_to_array(trim(plain_text(${meaning}::text)), ' ')) part
      where not case when part ~ '[a-z]' then ${holds(sql`w.word ~ '[^0-9]'`)} else ${holds(sql`true`)} end)`;
  const each = words.map((meanings) => sql`(${sql.join(meanings.map(lacks), sql` and `)})`);
  const found = await firstRow<{ none: boolean[] }>(
    db,
    sql`select jsonb_build_array(${sql.join(each, sql`, `)}) as none`,
  );
  return found?.none ?? [];
}

/** A condition on `machine_texts t`. */
export function hasWords(lists: readonly string[][]): SQL {
  const each = lists.map((list) => {
    const words = `{${list.map((word) => `"${word.replaceAll(/[\\"]/g, '\\$&')}"`).join(',')}}`;
    return sql`string_to_array(t.plain, ' ') && ${words}::text[]`;
  });
  return sql.join([sql`t.living`, ...each], sql` and `);
}
