import { refused } from './numbered-lines.ts';

/** Limits that a JSON problem asks for itself; those of the command line go before them. */
export type FileOptions = { seconds?: number; threads?: number; seed?: number; iterations?: number };

/** Beyond this, threads search the same halves again and find little more. */
export const mostThreads = 64;

export const optionFields = ['time_limit_ms', 'threads', 'seed', 'iterations'];

/** Reads the field `options` of a problem; throws a sentence with the name of what is wrong. */
export function fileOptionsOf(value: unknown): FileOptions {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw refused('options', 'it must be an object.');
  const given = new Map(Object.entries(value));
  const whole = (name: string, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined => {
    const number: unknown = given.get(name) ?? undefined;
    if (number === undefined) return undefined;
    const fits = typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most;
    if (fits) return number;
    const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw refused('options', `${name} must be a whole number ${range}, not ${JSON.stringify(number)}.`);
  };
  const milliseconds = whole('time_limit_ms', 0);
  return {
    seconds: milliseconds === undefined ? undefined : milliseconds / 1000,
    threads: whole('threads', 1, mostThreads),
    seed: whole('seed', 0),
    iterations: whole('iterations', 0),
  };
}
