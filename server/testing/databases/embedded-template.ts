import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
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

/**
 * Puts a migrated embedded database into a data folder, as a first start leaves it: making one takes ten times as long as
 * all else of a start.
 */
export async function fillDataFolder(folder: string): Promise<void> {
  cpSync(await embeddedTemplate(), path.join(folder, 'database'), { recursive: true });
}

/** The folder of a migrated database; made anew when a migration changed. */
export async function embeddedTemplate(): Promise<string> {
  const made = path.join(cache, `template-folder-${migrationsStamp()}`);
  if (existsSync(made)) return made;
  mkdirSync(cache, { recursive: true });
  for (const old of readdirSync(cache)) {
    if (old.startsWith('template-')) rmSync(path.join(cache, old), { recursive: true, force: true });
  }
  const unfinished = mkdtempSync(path.join(cache, 'unfinished-'));
  const lite = await PGlite.create({ dataDir: path.join(unfinished, 'database') });
  await embeddedDatabase(lite, { backups: null, onClose: () => {} }).migrate();
  // One at a time: dropping a database refuses to be one of several.
  for (const statement of lighten) await lite.query(statement);
  await lite.close();
  try {
    // Renamed when whole: two runs at once never copy half of it.
    renameSync(path.join(unfinished, 'database'), made);
  } catch (error) {
    if (!existsSync(made)) throw error;
  }
  rmSync(unfinished, { recursive: true });
  return made;
}

function migrationsStamp(): number {
  const journal = path.join(root, 'server/db/migrations/meta/_journal.json');
  const folder = path.dirname(path.dirname(journal));
  const times = [...readFileSync(journal, 'utf8').matchAll(/"tag": "(.+)"/g)].map(
    ([, tag]) => statSync(path.join(folder, `${tag}.sql`)).mtimeMs,
  );
  return Math.round(times.reduce((sum, at) => sum + at, 0));
}
