import { mkdir, statfs } from 'node:fs/promises';

export type DiskUse = { usedShare: number; freeBytes: number };

/** From here on people are warned. */
export const warnShare = 0.85;
/** From here on nothing is written any more, so that what is there stays whole. */
export const stopShare = 0.95;
/** A large disk has room left above that share. */
const enoughBytes = 10e9;

const lookEveryMs = 5_000;

export const diskStates = ['good', 'warning', 'full'] as const;
export type DiskState = (typeof diskStates)[number];

export type DiskWatch = {
  state: () => DiskState;
  use: () => DiskUse;
  look: () => Promise<void>;
  stop: () => void;
};

export type ReadDisk = () => Promise<DiskUse>;

export const readDiskOf =
  (folder: string): ReadDisk =>
  async () => {
    await mkdir(folder, { recursive: true });
    const { bavail, blocks, bsize } = await statfs(folder);
    return { usedShare: blocks === 0 ? 0 : 1 - bavail / blocks, freeBytes: bavail * bsize };
  };

export function diskStateOf({ usedShare, freeBytes }: DiskUse): DiskState {
  if (usedShare >= stopShare && freeBytes < enoughBytes) return 'full';
  return usedShare >= warnShare && freeBytes < 4 * enoughBytes ? 'warning' : 'good';
}

/** Whether writing goes on when so much more is on the disk. */
export function hasRoomFor({ usedShare, freeBytes }: DiskUse, bytes: number): boolean {
  const left = freeBytes - bytes;
  return left > 0 && diskStateOf({ usedShare: 1 - (1 - usedShare) * (left / freeBytes), freeBytes: left }) !== 'full';
}

/** Looks at the disk every few seconds; a look that fails leaves the last one. */
export function watchDisk(read: ReadDisk, onChange: (state: DiskState, use: DiskUse) => void): DiskWatch {
  let use: DiskUse = { usedShare: 0, freeBytes: Number.POSITIVE_INFINITY };
  const look = async (): Promise<void> => {
    const before = diskStateOf(use);
    use = await read().catch(() => use);
    if (diskStateOf(use) !== before) onChange(diskStateOf(use), use);
  };
  const timer = setInterval(() => void look(), lookEveryMs);
  timer.unref();
  return { state: () => diskStateOf(use), use: () => use, look, stop: () => clearInterval(timer) };
}
