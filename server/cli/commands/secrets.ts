import path from 'node:path';
import { recordAudit } from '../../audit/service.ts';
import { parseEnv } from '../../env.ts';
import { loadSecrets } from '../../settings/secrets.ts';
import { openDatabase } from '../../start.ts';
import type { Command, ExitCode, Io } from '../command.ts';

const usage = 'secrets rotate [--json]';

export const secrets: Command = {
  usage,
  summary: 'makes a new key and wraps every stored secret with it; on PostgreSQL beside the running server',
  run: secretsCommand,
};

/** Exit code 1 when some value could not be opened: its system's secret must be entered again. */
export async function secretsCommand(args: string[], io: Io): Promise<ExitCode> {
  const json = args.includes('--json');
  if (args.filter((arg) => arg !== '--json').join(' ') !== 'rotate') {
    io.err(`Say rotate.\nUsage: milkrun ${usage}`);
    return 2;
  }
  const env = parseEnv(process.env);
  const database = await openDatabase(env, io.err);
  try {
    const file = path.join(env.dataFolder, 'secret.key');
    const loaded = await loadSecrets(database.db, { key: env.secretKey, before: env.secretKeyBefore, file });
    const done = await loaded.rotate(database.db, new Date());
    await recordAudit(database.db, null, { action: 'secrets.rotate', detail: done });
    if (json) io.out(JSON.stringify(done));
    else io.out(`Key ${done.keyId} is in use. ${done.rewrapped} secrets were wrapped with it.`);
    if (done.unopened === 0) return 0;
    io.err(`${done.unopened} secrets were sealed with a key that is not here. Enter them again.`);
    return 1;
  } finally {
    await database.close();
  }
}
