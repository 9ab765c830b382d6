import { parseEnv } from '../../env.ts';
import { exportPerson, forgetPerson, personByEmail } from '../../privacy/service.ts';
import { resetFactors } from '../../second-factor/service.ts';
import { openDatabase } from '../../start.ts';
import type { Command, ExitCode, Io } from '../command.ts';

const usage = 'person export EMAIL | person forget EMAIL --yes | person reset-second-step EMAIL  [--json]';

export const person: Command = {
  usage,
  summary: 'hands out or deletes what is kept about a person, or lets one in who lost their second step',
  run: personCommand,
};

type What = 'export' | 'forget' | 'reset-second-step';
const whats: readonly string[] = ['export', 'forget', 'reset-second-step'] satisfies What[];

/** What the law lets a person ask of the operator. */
export async function personCommand(args: string[], io: Io): Promise<ExitCode> {
  const json = args.includes('--json');
  const [what = '', email, ...more] = args.filter((arg) => arg !== '--yes' && arg !== '--json');
  if (!whats.includes(what) || !email || more.length > 0) {
    io.err(`Say ${whats.join(', ')} and an e-mail address.\nUsage: milkrun ${usage}`);
    return 2;
  }
  const database = await openDatabase(parseEnv(process.env), io.err);
  try {
    const found = await personByEmail(database.db, email);
    if (what === 'export') {
      io.out(JSON.stringify(await exportPerson(database.db, found), null, 2));
      return 0;
    }
    if (what === 'reset-second-step') {
      await database.db.transaction((tx) => resetFactors(tx, null, found.id));
      const said = `${found.email} signs in with the code alone until they set up a second step again.`;
      io.out(json ? JSON.stringify({ id: found.id, secondStep: 'reset' }) : said);
      return 0;
    }
    if (!args.includes('--yes')) {
      io.err(`This deletes name, addresses and sign-ins of ${found.email} for good. Say it again with --yes.`);
      return 1;
    }
    await forgetPerson(database.db, null, found);
    const said = `The person is forgotten and appears as Former user ${found.id}. Backups made before still name them.`;
    io.out(json ? JSON.stringify({ id: found.id, forgotten: true }) : said);
    return 0;
  } finally {
    await database.close();
  }
}
