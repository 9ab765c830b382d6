const escaped = (text: string): string => text.replace(/[\\%_]/g, (sign) => `\\${sign}`);

/** A LIKE pattern for text anywhere; its own wildcards are ordinary characters. */
export function containing(text: string): string {
  return `%${escaped(text)}%`;
}

/** A LIKE pattern for text at the beginning. */
export function startingWith(text: string): string {
  return `${escaped(text)}%`;
}
