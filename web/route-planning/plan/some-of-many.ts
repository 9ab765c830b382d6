import { formatNumber } from '../../http/format.ts';

/** Of so many each one is named. */
const mostNamed = 3;

type Words = {
  /** Behind a sentence that is true of others of the same name. */
  alike: (more: number) => string;
  rest: (more: number) => string;
};

/** Sentences about some of many places: the same one is said once, and of many some are named. */
export function someOf(sentences: readonly string[], { alike, rest }: Words): string[] {
  const lines = new Map<string, number>();
  for (const line of sentences) lines.set(line, (lines.get(line) ?? 0) + 1);
  const named = [...lines].slice(0, lines.size > mostNamed ? mostNamed - 1 : mostNamed);
  const more = sentences.length - named.reduce((sum, [, count]) => sum + count, 0);
  return [
    ...named.map(([line, count]) => (count === 1 ? line : `${line} ${alike(count - 1)}`)),
    ...(more > 0 ? [rest(more)] : []),
  ];
}

export const ofThatName = (more: number): string => `${formatNumber(more)} more of that name.`;
