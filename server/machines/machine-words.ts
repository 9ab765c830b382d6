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
    return sql`(select coalesce(jsonb_agg(f.word), '[]') from (
      select w.word from machine_words w where ${kind} (${sql.join(held, sql` or `)}) limit ${mostWords + 1}) f)`;
  });
  const plain = words.flat().map((word) => sql`plain_text(${word}::text)`);
  const found = await firstRow<{ lists: string[][]; plain: string[] }>(
    db,
    sql`select jsonb_build_array(${sql.join(lists, sql`, `)}) as lists, jsonb_build_array(${sql.join(plain, sql`, `)}) as plain`,
  );
  if (!found || found.plain.some((text) => /^$|\s/.test(text.trim()))) return null;
  return found.lists.some((list) => list.length > mostWords) ? null : found.lists;
}

/** A condition on `machine_texts t`. */
export function hasWords(lists: readonly string[][]): SQL {
  const each = lists.map((list) => {
    const words = `{${list.map((word) => `"${word.replaceAll(/[\\"]/g, '\\$&')}"`).join(',')}}`;
    return sql`string_to_array(t.plain, ' ') && ${words}::text[]`;
  });
  return sql.join([sql`t.living`, ...each], sql` and `);
}
