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

/** What `plain_text` of the database makes blanks of. */
export const plainSigns = '-_.,;:/\\|&+*#"“”()[]{}!?@®™°%\'’‘';

/** Whether a word is of such signs alone: no plain text holds it. */
export const saysNothing = (word: string): boolean => [...word].every((letter) => plainSigns.includes(letter));

/** The words of a search text; each of them must be found. Signs between words say nothing; alone they are what is looked for. */
export function wordsOf(search: string | undefined): string[] {
  const words = (search ?? '').replaceAll('\u0000', '').split(/\s+/).filter(Boolean);
  const telling = words.filter((word) => !saysNothing(word));
  return (telling.length > 0 ? telling : words).slice(0, mostWords);
}

/**
 * True where a plain text (see the database's `plain_text`) contains a word, whatever its capitals, accents and signs. No plain text
 * has a sign, so that a word of signs alone stands in none.
 */
export function containsWord(plainText: SQL, word: string): SQL {
  return sql`${plainText} like '%' || nullif(trim(plain_text(${word}::text)), '') || '%'`;
}
