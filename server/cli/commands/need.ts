import { forecastError } from '../../../domain/need.ts';
import { parseEnv } from '../../env.ts';
import { measureNeed, rebuildItemDays } from '../../need/service.ts';
import { openDatabase } from '../../start.ts';
import type { Command, ExitCode, Io } from '../command.ts';

export const need: Command = {
  usage: 'need measure|rebuild',
  summary: 'measures forecasts against past counts, or makes the daily sums anew out of the ledger',
  run: needCommand,
};

export async function needCommand(args: string[], io: Io): Promise<ExitCode> {
  const [what] = args;
  if (args.length !== 1 || (what !== 'measure' && what !== 'rebuild')) {
    io.err(`Say what to do.\nUsage: milkrun ${need.usage}`);
    return 2;
  }
  const database = await openDatabase(parseEnv(process.env), io.err);
  try {
    if (what === 'rebuild') {
      await rebuildItemDays(database.db);
      io.out('The daily sums are made anew.');
      return 0;
    }
    const sums = await measureNeed({ db: database.db, clock: { now: () => new Date() } });
    const error = forecastError(sums);
    io.out(error ? sentence(error, sums.naiveError / sums.counts) : 'There are no past counts to compare with yet.');
    return 0;
  } finally {
    await database.close();
  }
}

function sentence({ counts, mae, bias }: { counts: number; mae: number; bias: number }, naive: number): string {
  return `${counts} past counts: mean error ${mae.toFixed(2)} units, lean ${bias.toFixed(2)}; a plain mean of all days has ${naive.toFixed(2)}.`;
}
