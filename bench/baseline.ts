import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

/** Bundled into dist/server, run from the root of the project. */
const file = 'bench/baseline.json';
/** A figure may be this much worse than the kept one: more is a regression. */
const tolerance = 1.2;

/** Ratios to the bare thing of the same run, and sizes: less is better. */
export type Figures = Record<string, number>;

const figures = z.record(z.string(), z.number());

/** Keeps the figures, or compares them with those kept; false where one is a fifth worse. */
export function isNoRegression(found: Figures, { keep, say }: { keep: boolean; say: (line: string) => void }): boolean {
  const kept = existsSync(file) ? figures.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  if (keep) {
    const sorted = Object.entries({ ...kept, ...found }).sort(([one], [other]) => one.localeCompare(other));
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
    say(`Kept ${Object.keys(found).length} figures in ${file}.`);
    return true;
  }
  const worse = Object.entries(found).filter(([name, value]) => value > (kept[name] ?? Infinity) * tolerance);
  const unknown = Object.keys(found).filter((name) => kept[name] === undefined);
  for (const [name, value] of worse) say(`REGRESSION ${name}: ${value.toFixed(2)}, was ${kept[name]?.toFixed(2)}`);
  if (unknown.length > 0) say(`No baseline for: ${unknown.join(', ')}. Keep one with --keep-baseline.`);
  if (worse.length === 0) say(`No regression in ${Object.keys(found).length - unknown.length} figures.`);
  return worse.length === 0;
}
