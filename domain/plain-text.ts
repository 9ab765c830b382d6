/** Databases keep every character of a text but one: U+0000, which no person types and some scanners and pastes bring along. */

export const unkeepableText = 'This text holds a character that cannot be kept (NUL). Delete it and type it again.';

export const holdsNul = (text: string): boolean => text.includes('\u0000');

/** Whether any text or name in the content holds it. */
export function holdsNulAnywhere(content: unknown): boolean {
  if (typeof content === 'string') return holdsNul(content);
  if (typeof content !== 'object' || content === null) return false;
  return Object.entries(content).some(([name, value]) => holdsNul(name) || holdsNulAnywhere(value));
}

export const withoutNul = (text: string): string => text.replaceAll('\u0000', '');

/** The same content without that character, in every text and name of it. */
export function withoutNulAnywhere(content: unknown): unknown {
  if (typeof content === 'string') return withoutNul(content);
  if (Array.isArray(content)) return content.map(withoutNulAnywhere);
  if (typeof content !== 'object' || content === null) return content;
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [withoutNul(name), withoutNulAnywhere(value)]),
  );
}
