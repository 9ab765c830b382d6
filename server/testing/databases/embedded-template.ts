import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { embeddedDatabase } from '../../db/embedded/embedded.ts';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const cache = path.join(root, 'node_modules/.cache/milkrun');

/**
 * What makes a copy quick to open: little memory to clear, no log to replay, and none of the databases, a third of the
 * files, that nobody connects to.
 */
const lighten = [
  "alter system set shared_buffers = '16MB'",
  'update pg_database set datistemplate = false where datname <> current_database()',
  'drop database template0',
  'drop database template1',
  'set wal_recycle = off',
  'select pg_switch_wal()',
  'checkpoint',
];

/** The dump of a migrated database; made anew when a migration changed. */
export async function embeddedTemplate(): Promise<Buffer> {
  const file = path.join(cache, `template-light-${migrationsStamp()}.tar`);
  if (existsSync(file)) return readFileSync(file);
  const lite = await PGlite.create();
  await embeddedDatabase(lite, { backups: null, onClose: () => {} }).migrate();
  // One at a time: dropping a database refuses to be one of several.
  for (const statement of lighten) await lite.query(statement);
  const dump = Buffer.from(await (await lite.dumpDataDir('none')).arrayBuffer());
  await lite.close();
  mkdirSync(cache, { recursive: true });
  for (const old of readdirSync(cache)) if (old.startsWith('template-')) rmSync(path.join(cache, old));
  // Renamed when whole: two runs at once never read half a file.
  const unfinished = path.join(cache, `unfinished-${process.pid}.tar`);
  writeFileSync(unfinished, dump);
  renameSync(unfinished, file);
  return dump;
}

function migrationsStamp(): number {
  const journal = path.join(root, 'server/db/migrations/meta/_journal.json');
  const folder = path.dirname(path.dirname(journal));
  const times = [...readFileSync(journal, 'utf8').matchAll(/"tag": "(.+)"/g)].map(
    ([, tag]) => statSync(path.join(folder, `${tag}.sql`)).mtimeMs,
  );
  return Math.round(times.reduce((sum, at) => sum + at, 0));
}
