import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export type SmallDisk = {
  folder: string;
  /** Takes all the room that is left but this much. */
  fill: (leaveBytes: number) => void;
  /** Gives the room back. */
  free: () => void;
  remove: () => void;
};

const pieceBytes = 64 * 1024;

/** A file system of a few megabytes in memory; null where this process may not make one. */
export function smallDisk(megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-disk-'));
  const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0755`, 'tmpfs', folder]);
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
  const ballast = path.join(folder, 'ballast');
  return {
    folder,
    fill: (leaveBytes) => {
      fillUp(ballast);
      if (leaveBytes > 0) shorten(ballast, leaveBytes);
    },
    free: () => rmSync(ballast, { force: true }),
    remove: () => {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function fillUp(file: string): void {
  const handle = openSync(file, 'a');
  try {
    // Ends by the error that the disk is full.
    for (;;) writeSync(handle, Buffer.alloc(pieceBytes));
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  } finally {
    closeSync(handle);
  }
}

function shorten(file: string, bytes: number): void {
  spawnSync('truncate', ['-s', `-${bytes}`, file]);
}
