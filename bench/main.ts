import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseEnv } from '../server/env.ts';
import { startServer } from '../server/start.ts';
import { listMachines } from './list-machines.ts';
import { startUp } from './start-up.ts';

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const wanted = (name: string): boolean => values.only === undefined || values.only === name;

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-bench-'));
const env = parseEnv({ MILKRUN_DATA: folder, PORT: '0', LOG_LEVEL: 'silent' });
try {
  const running = await startServer(env, () => {});
  if (wanted('list-machines')) console.log(await listMachines(running));
  await running.stop();
  if (wanted('start-up')) console.log(await startUp(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
