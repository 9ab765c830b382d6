import { parseArgs } from 'node:util';
import { calendarDay } from '../../../domain/calendar-day.ts';
import { profileNames } from '../../../simulator/operator/profiles.ts';
import { clearDeadRows } from '../../db/dead-rows.ts';
import { type LoadOptions, loadOperator } from '../../demo/load.ts';
import { steps } from '../../demo/service.ts';
import { parseEnv } from '../../env.ts';
import { openDatabase } from '../../start.ts';
import type { Command, ExitCode, Io } from '../command.ts';

const usage = 'simulate --profile S|M|L|XL [--seed N] [--days N] [--until DATE] [--json]';

export const simulate: Command = {
  usage,
  summary: 'fills an empty database with a synthetic operator',
  run: simulateCommand,
};

export async function simulateCommand(args: string[], io: Io): Promise<ExitCode> {
  const asked = parseOptions(args);
  if (typeof asked === 'string') {
    io.err(`${asked}\nUsage: milkrun ${usage}`);
    return 2;
  }
  const database = await openDatabase(parseEnv(process.env), io.err);
  try {
    const began = performance.now();
    const clock = { now: () => new Date() };
    const loaded = await loadOperator({ db: database.db, clock }, asked.options, steps(io.err));
    // What was counted again while it was filled lies dead beside it.
    await clearDeadRows(database);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    io.out(asked.json ? JSON.stringify({ ...loaded, seconds }) : sentence(loaded, seconds));
    return 0;
  } finally {
    await database.close();
  }
}

function sentence(loaded: Awaited<ReturnType<typeof loadOperator>>, seconds: number): string {
  const { profile, machines, markets, sales, routes, from, until } = loaded;
  return `Profile ${profile}: ${machines} machines, ${markets} markets, ${sales} sales and ${routes} routes from ${from} to ${until}, in ${seconds} s.`;
}

type Asked = { options: LoadOptions; json: boolean };

/** The options, or the sentence that says what is wrong with them. */
function parseOptions(args: string[]): Asked | string {
  const values = parsedValues(args);
  if (typeof values === 'string') return values;
  const profile = profileNames.find((name) => name === values.profile);
  if (!profile) return '--profile must be S, M, L or XL.';
  const seed = wholeNumber(values.seed ?? '1', 0, 2_000_000_000);
  if (seed === null) return '--seed must be a whole number from 0.';
  const days = values.days === undefined ? null : wholeNumber(values.days, 1, 3_650);
  if (values.days !== undefined && days === null) return '--days must be a whole number from 1 to 3650.';
  const until = values.until ?? null;
  if (until !== null && !calendarDay.safeParse(until).success) return '--until must be a day such as 2026-03-12.';
  return { options: { profile, seed, days, until }, json: values.json ?? false };
}

function parsedValues(args: string[]) {
  const options = {
    profile: { type: 'string' },
    seed: { type: 'string' },
    days: { type: 'string' },
    until: { type: 'string' },
    json: { type: 'boolean' },
  } as const;
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    // Node's own sentence names the unknown or incomplete option.
    if (error instanceof TypeError) return error.message;
    throw error;
  }
}

function wholeNumber(text: string, from: number, to: number): number | null {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= from && value <= to ? value : null;
}
