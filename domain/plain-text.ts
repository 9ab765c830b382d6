/**
 * What a database keeps of a text: everything but U+0000, which no person types and some scanners and pastes bring along, and
 * half a character, which is left where a text was cut in the middle of an emoji.
 */

export const unkeepableText = 'This text holds a character that cannot be kept. Delete it and type it again.';

/** Read by code point, only a half without its other half is a surrogate. */
const half = /\p{Surrogate}/u;
const halves = /\p{Surrogate}/gu;

/** Whether a text holds what cannot be kept. */
export const isUnkeepable = (text: string): boolean => text.includes('\u0000') || half.test(text);

/** Whether any text or name in the content cannot be kept. */
export function holdsUnkeepable(content: unknown): boolean {
  if (typeof content === 'string') return isUnkeepable(content);
  if (typeof content !== 'object' || content === null) return false;
  return Object.entries(content).some(([name, value]) => isUnkeepable(name) || holdsUnkeepable(value));
}

/** The text without it. */
export const keepableText = (text: string): string => text.replaceAll('\u0000', '').replace(halves, '');

/** The same content without those characters, in every text and name of it. */
export function keepable<T>(content: T): T {
  return kept(content) as T;
}

function kept(content: unknown): unknown {
  if (typeof content === 'string') return keepableText(content);
  if (Array.isArray(content)) return content.map(kept);
  if (typeof content !== 'object' || content === null || content instanceof Date) return content;
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [keepableText(name), kept(value)]));
}
