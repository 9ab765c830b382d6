import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Env, parseEnv } from '../server/env.ts';
import { type Running, startServer } from '../server/start.ts';
import { type Figures, isNoRegression } from './baseline.ts';
import { dexTimes } from './dex-times.ts';
import { firstScreen } from './first-screen.ts';
import { busyServer } from './load/busy-server.ts';
import { firstSync } from './load/first-sync.ts';
import { hotCalls } from './load/hot-calls.ts';
import { loads } from './load/loads.ts';
import { longLists } from './load/long-lists.ts';
import { liveStreams } from './load/streams.ts';
import { syncUpload } from './load/sync-upload.ts';
import { webhookIntake } from './load/webhook-intake.ts';
import { findAnything } from './office/find-anything.ts';
import { listMachines } from './office/list-machines.ts';
import { paymentReportTimes, reconciliationTimes } from './office/money.ts';
import { officeLists } from './office/office-lists.ts';
import { officeTimes } from './office/office-times.ts';
import { typingTimes } from './office/typing-times.ts';
import { phoneDay } from './phone/phone-day.ts';
import { phoneTimes } from './phone/phone-times.ts';
import { optimizerGaps } from './solver/optimizer.ts';
import { planTimes } from './solver/plan-times.ts';
import { startUp } from './start-up.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    full: { type: 'boolean' },
    'keep-baseline': { type: 'boolean' },
    /** A PostgreSQL that `milkrun simulate` filled, instead of the small embedded operator. */
    database: { type: 'string' },
    /** Fills a PostgreSQL of its own with this operator (S, M, L, XL): read by scripts/bench.mjs. */
    profile: { type: 'string' },
    /** Only the hot calls whose address contains this. */
    call: { type: 'string' },
    /** How long a load lasts that is named with --only. */
    minutes: { type: 'string' },
    /** Beside the other, a PostgreSQL with a small operator: what office-times compares with. */
    small: { type: 'string' },
    /** Of the calls of office-times those whose address matches. */
    calls: { type: 'string' },
  },
});
const withoutServer = [...Object.keys(loads), 'optimizer', 'plan-times', 'dex-times', 'first-screen', 'first-sync'];
const onServer = [
  ...['list-machines', 'office-lists', 'office-times', 'typing-times', 'long-lists', 'phone-day', 'phone-times'],
  ...['payment-report', 'reconciliation', 'find-anything', 'hot-calls', 'live-streams', 'busy-server'],
  ...['sync-upload', 'webhook-intake', 'start-up'],
];
if (values.only !== undefined && ![...withoutServer, ...onServer].includes(values.only)) {
  console.error(`There is no entry '${values.only}'. There are: ${[...withoutServer, ...onServer].join(', ')}.`);
  process.exit(2);
}
const wanted = (name: string): boolean => values.only === undefined || values.only === name;

if (wanted('optimizer')) {
  const { full = false } = values;
  const isAsGood = optimizerGaps({ full, keep: values['keep-baseline'] ?? false, say: (line) => console.log(line) });
  if (!isAsGood) process.exitCode = 1;
}
if (wanted('plan-times')) planTimes((line) => console.log(line));
if (wanted('dex-times') && !(await dexTimes((line) => console.log(line)))) process.exitCode = 1;
const figures: Figures = {};
const say = (line: string): void => console.log(line);
if (wanted('first-screen')) Object.assign(figures, firstScreen(say));
if (wanted('first-sync') && !(await firstSync(say))) process.exitCode = 1;
const load = loads[values.only ?? ''];
if (load && !(await inFolder((env) => load(env, { minutes: minutesOf(values.minutes), say })))) process.exitCode = 1;
if (!withoutServer.includes(values.only ?? '')) await inFolder(measureServer);
const keep = values['keep-baseline'] ?? false;
if (Object.keys(figures).length > 0 && !isNoRegression(figures, { keep, say })) process.exitCode = 1;
process.exit();

/** Null: as long as this load is meant to last. */
function minutesOf(text: string | undefined): number | null {
  const minutes = text === undefined ? null : Number(text);
  if (minutes !== null && !(minutes > 0))
    throw new Error(`--minutes ${text}: accepted is a number above 0, e.g. 2 or 0.5`);
  return minutes;
}

async function inFolder<T>(work: (env: Env, folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-bench-'));
  try {
    return await work(envOf(folder, values.database), folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureServer(env: Env, folder: string): Promise<void> {
  const running = await startServer(env, () => {});
  if (wanted('list-machines')) say(await listMachines(running));
  if (wanted('office-lists')) say(await officeLists(running));
  if (
    values.only === 'office-times' &&
    !(await besideSmall(folder, (small) => officeTimes(running, say, { small, calls: values.calls ?? '' })))
  )
    process.exitCode = 1;
  if (values.only === 'typing-times' && !(await typingTimes(running, say))) process.exitCode = 1;
  if (values.only === 'long-lists' && !(await longLists(running, say))) process.exitCode = 1;
  if (values.only === 'phone-day' && !(await phoneDay(running, say))) process.exitCode = 1;
  if (values.only === 'phone-times' && !(await phoneTimes(running, say))) process.exitCode = 1;
  if (wanted('payment-report') && !(await paymentReportTimes(running, say))) process.exitCode = 1;
  if (wanted('reconciliation') && !(await reconciliationTimes(running, say))) process.exitCode = 1;
  if (wanted('find-anything')) say(await findAnything(running));
  if (wanted('hot-calls')) Object.assign(figures, await hotCalls(running, { part: values.call ?? '', say }));
  if (wanted('live-streams')) Object.assign(figures, await liveStreams(running, say));
  if (wanted('busy-server') && !(await busyServer(running, say))) process.exitCode = 1;
  if (wanted('sync-upload')) Object.assign(figures, await syncUpload(running, say));
  if (wanted('webhook-intake') && !(await webhookIntake(running, say))) process.exitCode = 1;
  await running.stop();
  if (wanted('start-up') && !values.database) say(await startUp(folder));
}

function envOf(folder: string, database: string | undefined): Env {
  const filled = database ? { DATABASE_URL: database } : {};
  return parseEnv({ MILKRUN_DATA: folder, PORT: '0', LOG_LEVEL: 'silent', ...filled });
}

async function besideSmall(folder: string, measure: (small: Running | null) => Promise<boolean>): Promise<boolean> {
  if (!values.small) return measure(null);
  const small = await startServer(envOf(folder, values.small), () => {});
  try {
    return await measure(small);
  } finally {
    await small.stop();
  }
}
