import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderLockedError, lockFolder } from './folder-lock.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'milkrun-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const holder = (pid: number, startedAt: string | null): void =>
  writeFileSync(path.join(folder, 'milkrun.lock'), JSON.stringify({ pid, startedAt }));

it('is held by one at a time and leaves nothing behind', () => {
  const unlock = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(FolderLockedError);
  unlock();
  expect(readdirSync(folder)).toEqual([]);
});

it('is taken over from a dead process, from a re-used process id and from a broken file', () => {
  const beyondAnyPid = 2 ** 30;
  holder(beyondAnyPid, '1');
  lockFolder(folder)();
  holder(process.pid, 'another start');
  lockFolder(folder)();
  writeFileSync(path.join(folder, 'milkrun.lock'), '{"pid":');
  lockFolder(folder)();
  expect(readdirSync(folder)).toEqual([]);
});

it('is never taken from a living process', () => {
  holder(1, null);
  expect(() => lockFolder(folder)).toThrow('Another Milkrun (process 1)');
});
