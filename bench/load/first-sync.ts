import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { salesOf } from '../../sandbox/fleet.ts';
import { credentials, nayaxStandIn } from '../../sandbox/nayax/vendor.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { firstRow } from '../../server/db/database.ts';
import type { Deps } from '../../server/deps.ts';
import { parseEnv } from '../../server/env.ts';
import { createConfig } from '../../server/integrations/service.ts';
import { saveOperator } from '../../server/settings/service.ts';
import { startServer } from '../../server/start.ts';
import { runSync } from '../../server/vendor-sync/service.ts';

const days = 30;
const dayMs = 86_400_000;
const goalSeconds = 180;
/** One call of twenty fails, and a few are refused for now or cut in the middle. */
const faults = [
  { kind: 'server_error', share: 0.05, parameters: {} },
  { kind: 'rate_limited', share: 0.01, parameters: { seconds: 1 } },
  { kind: 'cut', share: 0.01, parameters: {} },
];

/**
 * The first sync of 1,500 machines and 30 days of sales against the stand-in with faults on, and a second one that must
 * write nothing. Returns whether every sale arrived once and in time.
 */
export async function firstSync(say: (line: string) => void, databaseUrl: string | null = null): Promise<boolean> {
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-first-sync-'));
  const now = new Date();
  const sandbox = await startSandbox({
    vendors: [nayaxStandIn(() => true)],
    profile: 'M',
    tickMs: null,
    from: new Date(now.getTime() - days * dayMs),
  });
  sandbox.sphere.clock.set(now, true);
  const env = parseEnv({
    MILKRUN_DATA: folder,
    MILKRUN_DEMO: '0',
    PORT: '0',
    LOG_LEVEL: 'silent',
    MILKRUN_SANDBOX_URL: sandbox.origin,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  });
  const running = await startServer(env, () => {});
  try {
    return await measure(running.deps, sandbox, { say, now });
  } finally {
    await running.stop();
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(deps: Deps, sandbox: Sandbox, { say, now }: { say: (line: string) => void; now: Date }) {
  // Without an operator there is no day to sum by, and sums cost as much as the rows.
  await saveOperator(deps.db, { name: 'First sync', timeZone: 'America/Los_Angeles' });
  const settings = { ...credentials, environment: 'sandbox' };
  const { id } = await createConfig(deps, null, { system: 'nayax', name: 'First sync', settings });
  for (const { kind, share, parameters } of faults) {
    const fault = { system: 'nayax', call: '*', kind, times: 1_000_000, parameters: { ...parameters, share } };
    sandbox.sphere.faults.queue(fault);
  }
  const fleet = sandbox.sphere.fleet();
  const made = fleet.machines.reduce(
    (sum, place) => sum + salesOf(fleet, place, fleet.from, new Date(now.getTime() + 1)).length,
    0,
  );
  const first = await timed(() => runSync(deps, id));
  const told = await counted(deps, id, new Date(0));
  const startedAt = new Date();
  const second = await timed(() => runSync(deps, id));
  const again = await counted(deps, id, startedAt);
  const isWhole = told.machines === fleet.machines.length && told.transactions === made;
  say(
    `first sync of ${told.machines} machines, ${days} days, ${told.transactions} of ${made} transactions with faults: ${inWords(first)} (goal ${goalSeconds} s on a quiet machine); second: ${inWords(second)}, ${again.written} rows written`,
  );
  return isWhole && again.written === 0 && first.seconds <= goalSeconds;
}

type Took = { seconds: number; processor: number };

/** The processor's time, with the stand-in's own, says more than the clock where others use the machine. */
async function timed(work: () => Promise<unknown>): Promise<Took> {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - startedAt) / 1000, processor: (user + system) / 1_000_000 };
}

const inWords = ({ seconds, processor }: Took): string =>
  `${seconds.toFixed(0)} s (${processor.toFixed(0)} s of processor)`;

type Counts = { machines: number; transactions: number; written: number };

async function counted({ db }: Deps, configId: number, since: Date): Promise<Counts> {
  const found = await firstRow<Counts>(
    db,
    sql`select (select count(*)::int from vendor_devices where config_id = ${configId}) as machines,
          (select count(distinct ledger_id)::int from vendor_sales where config_id = ${configId}) as transactions,
          ((select count(*) from vendor_devices where updated_at >= ${since.toISOString()}::timestamptz)
           + (select count(*) from vendor_sales where updated_at >= ${since.toISOString()}::timestamptz)
           + (select count(*) from vendor_alerts where updated_at >= ${since.toISOString()}::timestamptz))::int as written`,
  );
  return found ?? { machines: 0, transactions: 0, written: -1 };
}
