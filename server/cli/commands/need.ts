import { parseArgs } from 'node:util';
import { forecastError } from '../../../domain/need.ts';
import type { Db } from '../../db/database.ts';
import { parseEnv } from '../../env.ts';
import { measureNeed, rebuildItemDays } from '../../need/service.ts';
import { openDatabase } from '../../start.ts';
import type { Command, ExitCode, Io } from '../command.ts';

export const need: Command = {
  usage: 'need measure|rebuild [--json]',
  summary: 'measures forecasts against past counts, or makes the daily sums anew out of the ledger',
  run: needCommand,
};

export async function needCommand(args: string[], io: Io): Promise<ExitCode> {
  const { values, positionals } = parseArgs({ args, options: { json: { type: 'boolean' } }, allowPositionals: true });
  const [what] = positionals;
  if (positionals.length !== 1 || (what !== 'measure' && what !== 'rebuild')) {
    io.err(`Say what to do.\nUsage: milkrun ${need.usage}`);
    return 2;
  }
  const database = await openDatabase(parseEnv(process.env), io.err);
  try {
    if (what === 'rebuild') {
      await rebuildItemDays(database.db);
      io.out(values.json ? JSON.stringify({ rebuilt: true }) : 'The daily sums are made anew.');
      return 0;
    }
    const measured = await measure(database.db);
    io.out(values.json ? JSON.stringify(measured) : sentence(measured));
    return 0;
  } finally {
    await database.close();
  }
}

/** Mean error and lean in units, and the error of a plain mean of all days; null without past counts. */
type Measured = { counts: number; mae: number | null; bias: number | null; naive: number | null };

async function measure(db: Db): Promise<Measured> {
  const sums = await measureNeed({ db, clock: { now: () => new Date() } });
  const error = forecastError(sums);
  return error ? { ...error, naive: sums.naiveError / sums.counts } : { counts: 0, mae: null, bias: null, naive: null };
}

function sentence({ counts, mae, bias, naive }: Measured): string {
  if (mae === null || bias === null || naive === null) return 'There are no past counts to compare with yet.';
  return `${counts} past counts: mean error ${mae.toFixed(2)} units, lean ${bias.toFixed(2)}; a plain mean of all days has ${naive.toFixed(2)}.`;
}
