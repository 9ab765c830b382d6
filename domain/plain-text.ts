import type { z } from 'zod';

/**
 * What is kept of a text. A database keeps everything but U+0000, which no person types and some scanners and pastes bring
 * along, and half a character, which is left where a text was cut in the middle of an emoji. It would keep the invisible
 * characters that turn the direction of what stands around them, but a name with one reads as another on every screen and
 * in every file: they are not taken either.
 */

export const unkeepableText = 'This text holds a character that cannot be kept. Delete it and type it again.';
export const turningText =
  'This text holds a hidden character that turns letters around. Delete it all and type it again.';

/** Read by code point, only a half without its other half is a surrogate. */
const unkeepable = /[\0\p{Surrogate}]/u;
/** Embeddings, overrides and isolates. Languages written from right to left need none: their letters know their direction. */
const turning = /[\u202a-\u202e\u2066-\u2069]/;
const dropped = /[\0\p{Surrogate}\u202a-\u202e\u2066-\u2069]/gu;

/** Whether no database keeps this text. */
const isUnkeepable = (text: string): boolean => unkeepable.test(text);

const isDropped = (text: string): boolean => isUnkeepable(text) || turning.test(text);

/** What is said of a text that a person typed; undefined: nothing is wrong with it. */
export function textProblem(text: string): string | undefined {
  if (isUnkeepable(text)) return unkeepableText;
  return turning.test(text) ? turningText : undefined;
}

/** The same as a check of a schema. It ends nothing: what else is wrong is told too. */
export function plainText(given: z.core.ParsePayload<string>): void {
  const message = textProblem(given.value);
  if (message) given.issues.push({ code: 'custom', message, input: given.value, continue: true });
}

/** Whether any text or name in the content is kept by no database. */
export const holdsUnkeepable = (content: unknown): boolean => holds(content, isUnkeepable);

/** Whether `keepable` would drop anything of the content. */
export const holdsDropped = (content: unknown): boolean => holds(content, isDropped);

function holds(content: unknown, isOne: (text: string) => boolean): boolean {
  if (typeof content === 'string') return isOne(content);
  if (typeof content !== 'object' || content === null) return false;
  return Object.entries(content).some(([name, value]) => isOne(name) || holds(value, isOne));
}

/** The text without it. */
export const keepableText = (text: string): string => text.replace(dropped, '');

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

/** What is said of a text that is longer than what it is kept in. */
export const tooLong = (label: string, most: number): string => `${label} is too long: at most ${most} characters`;
