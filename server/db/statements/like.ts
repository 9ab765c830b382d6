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

/** The signs that the database's `plain_text` reads as blanks: a plain text holds none of them. */
export const blankSigns = '-_.,;:/\\|&+*#"“”()[]{}!?@®™°%\'’‘';

/** True of a word that nothing is left of in plain text. */
export function isBlank(word: string): boolean {
  return [...word].every((sign) => blankSigns.includes(sign));
}

/** All that a search text says, signs by themselves too: for who looks at texts as they are written. */
export function partsOf(search: string | undefined): string[] {
  return (search ?? '').replaceAll('\u0000', '').split(/\s+/).filter(Boolean).slice(0, mostWords);
}

/** The words of a search text; each of them must be found. Signs by themselves count only where there is nothing else. */
export function wordsOf(search: string | undefined): string[] {
  const parts = partsOf(search);
  const words = parts.filter((part) => !isBlank(part));
  return words.length > 0 ? words : parts;
}

/**
 * True where a plain text (see the database's `plain_text`) contains a word, whatever its capitals, accents and signs. Signs by
 * themselves are in none.
 */
export function containsWord(plainText: SQL, word: string): SQL {
  return isBlank(word) ? sql`false` : sql`${plainText} like '%' || trim(plain_text(${word}::text)) || '%'`;
}
