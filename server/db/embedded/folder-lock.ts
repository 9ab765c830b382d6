import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { requireDataFolder } from '../data-folder.ts';

/** Said when another process holds the folder. */
export class FolderLockedError extends Error {}

type Holder = { pid: number; startedAt: string | null };

/**
 * Takes the embedded database's folder for this process alone: two processes on one folder lose rows without an error.
 * The file is created exclusively and names process and start time; the lock of a dead process is taken over, that of a
 * living one never. Returns the release.
 */
export function lockFolder(folder: string): () => void {
  requireDataFolder(folder);
  const file = path.join(folder, 'milkrun.lock');
  const mine: Holder = { pid: process.pid, startedAt: startOf(process.pid) };
  for (let attempt = 0; attempt < 3; attempt++) {
    if (tryCreate(file, mine)) return () => release(file);
    const holder = readHolder(file);
    if (holder && isAlive(holder)) {
      throw new FolderLockedError(
        `Another Milkrun (process ${holder.pid}) uses the data folder ${folder}. Stop it, or set MILKRUN_DATA to another folder.`,
      );
    }
    clearStale(file);
  }
  throw new FolderLockedError(`The lock ${file} could not be taken. Remove it if no Milkrun is running.`);
}

/** Linked in whole, so that nobody ever reads a half-written lock of a living process. */
function tryCreate(file: string, holder: Holder): boolean {
  const draft = `${file}.${holder.pid}`;
  writeFileSync(draft, JSON.stringify(holder));
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moves a dead process's lock away; if another process took it over in this instant, gives it back. */
function clearStale(file: string): void {
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch {
    // Another process moved it first: the next attempt decides.
    return;
  }
  const moved = readHolder(aside);
  if (moved && isAlive(moved)) linkSync(aside, file);
  rmSync(aside, { force: true });
}

function readHolder(file: string): Holder | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof parsed !== 'object' || parsed === null || !('pid' in parsed) || typeof parsed.pid !== 'number')
      return null;
    const startedAt = 'startedAt' in parsed && typeof parsed.startedAt === 'string' ? parsed.startedAt : null;
    return { pid: parsed.pid, startedAt };
  } catch {
    // Gone, or not ours: nobody to wait for.
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  const start = startOf(holder.pid);
  return holder.startedAt === null || start === null || start === holder.startedAt;
}

/** The kernel's start time of a process (field 22 of /proc/PID/stat), so that a re-used process id is told apart. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    // Not Linux: the process id alone decides.
    return null;
  }
}

function release(file: string): void {
  if (readHolder(file)?.pid === process.pid) rmSync(file, { force: true });
}
