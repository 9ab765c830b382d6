import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseEnv } from '../server/env.ts';
import { startServer } from '../server/start.ts';
import { busyServer } from './busy-server.ts';
import { listMachines } from './list-machines.ts';
import { officeLists } from './office-lists.ts';
import { optimizerGaps } from './optimizer.ts';
import { planTimes } from './plan-times.ts';
import { startUp } from './start-up.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    full: { type: 'boolean' },
    'keep-baseline': { type: 'boolean' },
    /** A PostgreSQL that `milkrun simulate` filled, instead of the small embedded operator. */
    database: { type: 'string' },
  },
});
const wanted = (name: string): boolean => values.only === undefined || values.only === name;

if (wanted('optimizer')) {
  const { full = false, 'keep-baseline': keep = false } = values;
  const isAsGood = optimizerGaps({ full, keep, say: (line) => console.log(line) });
  if (!isAsGood) process.exitCode = 1;
}
if (wanted('plan-times')) planTimes((line) => console.log(line));
// The entries below need a server.
if (values.only === 'optimizer' || values.only === 'plan-times') process.exit();

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-bench-'));
const filled = values.database ? { DATABASE_URL: values.database } : {};
const env = parseEnv({ MILKRUN_DATA: folder, PORT: '0', LOG_LEVEL: 'silent', ...filled });
try {
  const running = await startServer(env, () => {});
  if (wanted('list-machines')) console.log(await listMachines(running));
  if (wanted('office-lists')) console.log(await officeLists(running));
  if (wanted('busy-server')) await busyServer(running, (line) => console.log(line));
  await running.stop();
  if (wanted('start-up') && !values.database) console.log(await startUp(folder));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
