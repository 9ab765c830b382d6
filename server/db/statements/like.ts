import { type SQL, sql } from 'drizzle-orm';

const escaped = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** A LIKE pattern for text anywhere; its own wildcards are ordinary characters. */
export function containing(text: string): string {
  return `%${escaped(text)}%`;
}

/** A LIKE pattern for text at the beginning. */
export function startingWith(text: string): string {
  return `${escaped(text)}%`;
}

const mostWords = 8;

/** The words of a search text; each of them must be found. */
export function wordsOf(search: string | undefined): string[] {
  return (search ?? '').replaceAll('\u0000', '').split(/\s+/).filter(Boolean).slice(0, mostWords);
}

/** True where a plain text (see the database's `plain_text`) contains a word, whatever its capitals, accents and signs. */
export function containsWord(plainText: SQL, word: string): SQL {
  return sql`${plainText} like '%' || trim(plain_text(${word}::text)) || '%'`;
}
