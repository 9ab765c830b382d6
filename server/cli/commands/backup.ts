import { parseArgs } from 'node:util';
import { backupFile, writeArchive } from '../../archive/service.ts';
import { parseEnv } from '../../env.ts';
import { openDatabase } from '../../start.ts';
import type { Command } from '../command.ts';

export const backup: Command = {
  usage: 'backup [FILE] [--json]',
  summary: 'writes the whole database into a ZIP of CSV files; restore reads it on either database',
  run: async (args, io) => {
    const { values, positionals } = parseArgs({
      args,
      options: { json: { type: 'boolean' } },
      allowPositionals: true,
    });
    const env = parseEnv(process.env);
    const at = new Date();
    const file = positionals[0] ?? backupFile(env.dataFolder, at);
    if (positionals.length > 1) {
      io.err(`Unexpected: ${positionals.slice(1).join(' ')}.\nUsage: milkrun ${backup.usage}`);
      return 2;
    }
    const database = await openDatabase(env, io.err);
    try {
      const { bytes } = await writeArchive(database.db, { file, at });
      io.out(values.json ? JSON.stringify({ file, bytes }) : `The backup is in ${file} (${megabytes(bytes)} MB).`);
      return 0;
    } finally {
      await database.close();
    }
  },
};

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
