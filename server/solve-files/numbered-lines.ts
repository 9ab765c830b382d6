import { AppError } from '../../domain/errors.ts';
import type { Problem } from '../../optimizer/index.ts';

/** One line of a file with its number, as people count. */
export type Line = { number: number; words: string[]; text: string };

/** What a reader makes of a benchmark file: the problem in whole numbers and how many of its cost units make one of the file's. */
export type ScaledProblem = { name: string; unit: number; problem: Problem };

/** The lines that hold something. */
export function linesOf(text: string): Line[] {
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ number: index + 1, text: line.trim(), words: line.trim().split(/\s+/) }))
    .filter((line) => line.text !== '');
}

/** A refusal that says where to look. */
export function refused(where: string, complaint: string): AppError {
  return new AppError('invalid-input', `${where}: ${complaint}`);
}

/** The number of a field, or a refusal that names line and field. */
export function numberIn(line: Line, column: number, field: string, least = Number.NEGATIVE_INFINITY): number {
  const word = line.words[column];
  if (word === undefined) throw refused(`line ${line.number}`, `${field} is missing.`);
  const value = Number(word);
  if (!Number.isFinite(value)) throw refused(`line ${line.number}`, `${field} must be a number, not '${word}'.`);
  if (value < least) throw refused(`line ${line.number}`, `${field} must not be below ${least}, but is ${word}.`);
  return value;
}
