import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { backupFile, isUnused, restoreArchive, writeArchive } from '../../archive/service.ts';
import { parseEnv } from '../../env.ts';
import { openDatabase } from '../../start.ts';
import type { Command } from '../command.ts';

const usage = 'restore FILE [--replace] [--json]';

export const restore: Command = {
  usage,
  summary: 'fills an empty database from a backup; --replace keeps a backup of what is there and replaces it',
  run: async (args, io) => {
    const { values, positionals } = parseArgs({
      args,
      options: { json: { type: 'boolean' }, replace: { type: 'boolean' } },
      allowPositionals: true,
    });
    const [file, ...more] = positionals;
    if (!file || more.length > 0) {
      io.err(`Say which file.\nUsage: milkrun ${usage}`);
      return 2;
    }
    if (!existsSync(file)) {
      io.err(`There is no file ${file}.`);
      return 1;
    }
    const env = parseEnv(process.env);
    // Tables are made anew: that needs the rights that migrations need.
    const owner = env.databaseAdminUrl ?? env.databaseDirectUrl ?? env.databaseUrl;
    const whose = { applicationUrl: env.databaseUrl };
    const database = await openDatabase({ ...env, databaseUrl: owner }, io.err, whose);
    try {
      if (!(await isUnused(database.db))) {
        if (!values.replace) {
          io.err('The database is in use. Restore into an empty one, or say --replace to put the backup in its place.');
          return 1;
        }
        const kept = backupFile(env.dataFolder, new Date());
        await writeArchive(database.db, { file: kept, at: new Date() });
        io.err(`What was there is kept in ${kept}.`);
      }
      const { tables, takenAt } = await restoreArchive(database, { file, at: new Date(), say: io.err });
      const total = tables.reduce((sum, table) => sum + table.rows, 0);
      const said = `${total} rows of ${tables.length} tables are back as they were at ${takenAt}.`;
      io.out(values.json ? JSON.stringify({ takenAt, rows: total, tables: tables.length }) : said);
      return 0;
    } finally {
      await database.close();
    }
  },
};
