import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { openPostgres } from '../../db/postgres/postgres.ts';
import { onServer } from '../on-server.ts';
import { embeddedTemplate } from './embedded-template.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Name of a migrated database to copy; null without a server. */
    postgresTemplate: string | null;
    /** Where embedded databases stand while they are tested. */
    embeddedFolders: string;
  }
}

let drop: (() => Promise<void>) | null = null;
let folders = '';

/** Memory that looks like a disk, where a machine has it with room for what several tests open at once. */
const inMemory = '/dev/shm';
const roomBytes = 2 ** 30;

function roomyFolder(): string {
  if (!existsSync(inMemory)) return tmpdir();
  const { bavail, bsize } = statfsSync(inMemory);
  return bavail * bsize > roomBytes ? inMemory : tmpdir();
}

/** Migrates one database of each kind for the whole run: copying it takes a tenth of migrating each test's own. */
export async function setup(project: TestProject): Promise<void> {
  await embeddedTemplate();
  folders = mkdtempSync(path.join(roomyFolder(), 'milkrun-embedded-'));
  project.provide('embeddedFolders', folders);
  const serverUrl = process.env.TEST_DATABASE_URL;
  if (!serverUrl) {
    project.provide('postgresTemplate', null);
    return;
  }
  const name = `milkrun_template_${randomBytes(6).toString('hex')}`;
  await onServer(serverUrl, `create database ${name}`);
  drop = () => onServer(serverUrl, `drop database if exists ${name} with (force)`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = await openPostgres({
    url: url.href,
    directUrl: null,
    adminUrl: null,
    backups: null,
    onError: () => {},
  });
  await database.migrate();
  await database.close();
  project.provide('postgresTemplate', name);
}

export async function teardown(): Promise<void> {
  await drop?.();
  rmSync(folders, { recursive: true, force: true });
}
