import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { AppError } from '../../../domain/errors.ts';
import { dropOldBackups, nextBackup } from '../kept-backups.ts';

const ending = '.dump';

/**
 * A whole dump by pg_dump before a migration; returns the sentence that tells of it. The password goes by the
 * environment: a command line can be read by everybody on the machine. Where pg_dump is not installed the migration
 * goes on, said loudly; where it fails the start ends, and nothing was changed.
 */
export async function backUpBeforeMigration(url: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = nextBackup(folder, ending);
  const { address, password } = withoutPassword(url);
  const env = { ...process.env, ...(password === null ? {} : { PGPASSWORD: password }) };
  try {
    await promisify(execFile)('pg_dump', ['--format=custom', `--file=${file}`, address], { env });
  } catch (error) {
    rmSync(file, { force: true });
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return 'WARNING: NO BACKUP was taken before the migration, because pg_dump is not installed. Install the PostgreSQL client programs.';
    }
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    throw new AppError('unavailable', `The backup before the migration failed and nothing was changed. ${reason}`);
  }
  dropOldBackups(folder, ending);
  return `A backup was taken before the migration: ${file}`;
}

function withoutPassword(url: string): { address: string; password: string | null } {
  const address = new URL(url);
  const password = address.password === '' ? null : decodeURIComponent(address.password);
  address.password = '';
  return { address: address.href, password };
}
