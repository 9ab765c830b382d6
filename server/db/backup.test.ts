import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openEmbedded } from './embedded/embedded.ts';
import { backUpBeforeMigration } from './postgres/postgres-backup.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'milkrun-backup-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

it('keeps a copy of the embedded database before it migrates one with data, and none of an empty one', async () => {
  const database = await openEmbedded(folder);
  const said: string[] = [];
  await database.migrate((line) => said.push(line));
  await database.migrate((line) => said.push(line));
  expect(said).toEqual([]);
  await database.db.execute(sql`insert into audit_log (action) values ('kept')`);
  // The newest migration counts as not run: whether it can run twice or not, the backup comes first.
  await database.db.execute(sql`delete from drizzle.__drizzle_migrations
    where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`);
  await database.migrate((line) => said.push(line)).catch(() => undefined);
  await database.close();
  const [file = ''] = readdirSync(path.join(folder, 'backups'));
  expect(said).toEqual([`A backup was taken before the migration: ${path.join(folder, 'backups', file)}`]);
  const dump = new Blob([new Uint8Array(readFileSync(path.join(folder, 'backups', file)))]);
  const copy = await PGlite.create({ loadDataDir: dump });
  expect((await copy.query('select action from audit_log')).rows).toEqual([{ action: 'kept' }]);
  await copy.close();
});

const address = 'postgres://ann:s3cr%C3%A9t@db.example/milkrun';

function fakePgDump(script: string): void {
  const file = path.join(folder, 'pg_dump');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  vi.stubEnv('PATH', `${folder}:/bin`);
}

it('hands the password to pg_dump by the environment, never on the command line', async () => {
  fakePgDump(`echo "$*" > ${folder}/args; echo "$PGPASSWORD" > ${folder}/password`);
  expect(await backUpBeforeMigration(address, path.join(folder, 'backups'))).toContain('A backup was taken');
  expect(readFileSync(path.join(folder, 'args'), 'utf8')).toMatch(
    /--file=\S+ postgres:\/\/ann@db\.example\/milkrun\n$/,
  );
  expect(readFileSync(path.join(folder, 'password'), 'utf8')).toBe('s3crét\n');
});

it('says loudly that there is no backup where pg_dump is missing', async () => {
  vi.stubEnv('PATH', folder);
  expect(await backUpBeforeMigration(address, path.join(folder, 'backups'))).toContain('NO BACKUP was taken');
});

it('stops before anything changes when pg_dump fails', async () => {
  fakePgDump('echo "server version mismatch" >&2; exit 1');
  await expect(backUpBeforeMigration(address, path.join(folder, 'backups'))).rejects.toThrow('server version mismatch');
  expect(existsSync(path.join(folder, 'args'))).toBe(false);
});
