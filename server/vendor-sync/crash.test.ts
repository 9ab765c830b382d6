import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { salesOf } from '../../sandbox/fleet.ts';
import { credentials, nayaxStandIn } from '../../sandbox/nayax/vendor.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { rows } from '../db/database.ts';
import { openEmbedded } from '../db/embedded/embedded.ts';
import { bundleProgram, type Child, serveIn } from '../testing/child-server.ts';
import { fillDataFolder } from '../testing/databases/embedded-template.ts';
import { buildUser } from '../testing/factories.ts';
import { testApp } from '../testing/test-app.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-sync-crash-'));
const children: Child[] = [];
/** More than one page of machines in each of the resources that are walked. */
const machineCount = 30;
const days = 3;
let program = '';
let cookie = '';
let sandbox: Sandbox;

beforeAll(async () => {
  program = await bundleProgram();
  await fillDataFolder(folder);
  const now = new Date();
  sandbox = await startSandbox({
    vendors: [nayaxStandIn(({ site }) => site.id <= machineCount)],
    tickMs: null,
    from: new Date(now.getTime() - days * 86_400_000),
  });
  sandbox.sphere.clock.set(now, true);
  const test = await testApp(() => openEmbedded(folder));
  test.setNow(now);
  cookie = (await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id)).cookie;
  await test.close();
});
afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL');
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
  rmSync(path.dirname(program), { recursive: true, force: true });
});

async function start(): Promise<{
  child: Child;
  call: (method: string, path: string, body?: object) => Promise<Reply>;
}> {
  const child = serveIn(program, {
    MILKRUN_DATA: folder,
    MILKRUN_SECRET_KEY: 'a key for tests only, thirty-two characters',
    MILKRUN_SANDBOX_URL: sandbox.origin,
  });
  children.push(child);
  const address = await child.address;
  if (!address) throw new Error(child.said());
  const call = async (method: string, target: string, body?: object): Promise<Reply> => {
    const headers = { cookie, ...(body ? { 'content-type': 'application/json' } : {}) };
    const reply = await fetch(address + target, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
    return (await reply.json()) as Reply;
  };
  return { child, call };
}
type Run = { status: string; counts: { booked: number; sales: number }; progress: { resource: string | null } | null };
type Reply = Run & { id: number; total: number; rows: Run[] };

/** Opens the killed server's folder. */
async function inFolder<R>(look: (db: Awaited<ReturnType<typeof openEmbedded>>['db']) => Promise<R>): Promise<R> {
  const database = await openEmbedded(folder);
  try {
    return await look(database.db);
  } finally {
    await database.close();
  }
}

it('killed in the middle of its pages, a run goes on where it stood: no sale is lost or doubled', async () => {
  const fleet = sandbox.sphere.fleet();
  const own = fleet.machines.filter(({ site }) => site.id <= machineCount);
  const now = sandbox.sphere.clock.now();
  const made = own.flatMap((place) => salesOf(fleet, place, fleet.from, new Date(now.getTime() + 1)));
  const first = await start();
  const config = await first.call('POST', '/api/integrations/configs', {
    ...{
      system: 'nayax',
      name: 'Killed',
      settings: { ...credentials, environment: 'sandbox' },
    },
  });
  await first.call('POST', `/api/integrations/configs/${config.id}/sync`, {});
  const isUnderWay = async (): Promise<boolean> => {
    const { rows: runs = [] } = await first.call('GET', `/api/integrations/runs?configId=${config.id}`);
    return runs.some(({ counts }) => counts.sales > 0);
  };
  await expect.poll(isUnderWay, { timeout: 60_000, interval: 5 }).toBe(true);
  first.child.process.kill('SIGKILL');
  await first.child.ended;
  const left = await inFolder(async (db) => {
    const [run] = await rows<{ status: string }>(db, sql`select status from sync_runs order by id limit 1`);
    const [told] = await rows<{ n: number }>(db, sql`select count(distinct ledger_id)::int as n from vendor_sales`);
    await db.execute(sql`update sync_cursors set next_due_at = null`);
    return { status: run?.status, told: told?.n ?? 0 };
  });
  expect(left.status).toBe('running');
  expect(left.told).toBeLessThan(made.length);

  sandbox.sphere.journal.clear();
  const second = await start();
  const states = async (): Promise<string[]> =>
    (await second.call('GET', `/api/integrations/runs?configId=${config.id}`)).rows.map(({ status }) => status);
  await expect.poll(states, { timeout: 150_000, interval: 250 }).toEqual(['succeeded', 'abandoned']);
  second.child.process.kill('SIGKILL');
  await second.child.ended;
  const books = await inFolder(async (db) => {
    const [told] = await rows<{ n: number }>(db, sql`select count(distinct ledger_id)::int as n from vendor_sales`);
    const [booked] = await rows<{ n: number; ids: number; sum: string }>(
      db,
      sql`select count(*)::int as n, count(distinct transaction_id || ' ' || event_id)::int as ids, sum(total_amount)::text as sum from sales`,
    );
    // Sales of a machine that nobody linked yet wait for it.
    const [settled] = await rows<{ n: number; sum: string }>(
      db,
      sql`select count(*)::int as n, sum(amount)::numeric(12, 2)::text as sum from vendor_sales s where s.status = 'completed'
          and exists (select from vendor_devices d where d.vendor_id = s.device_id and d.link = 'linked')`,
    );
    return { told: told?.n, booked, settled };
  });
  expect(books.told).toBe(made.length);
  expect(books.booked?.n).toBe(books.settled?.n);
  expect(books.booked?.ids).toBe(books.booked?.n);
  expect(books.booked?.sum).toBe(books.settled?.sum);
}, 300_000);

const authorization = `Basic ${Buffer.from(`${credentials.merchantId}:${credentials.hashCode}`).toString('base64')}`;
const basic = { 'content-type': 'application/json', authorization };

function messageOf(id: string, machineId: string): string {
  const at = new Date().toISOString();
  const paid = { SeValue: 1.5, 'Authorization Value': 1.5, 'Authorization Time': at, 'Settlement Time': at };
  const Data = { ...paid, Currency: 'USD', Products: [{ 'Product Name': 'Cola', 'Product Bruto': 1.5 }] };
  return JSON.stringify({ TransactionId: id, MachineId: machineId, Data });
}

/** Sends one sale after the other until the connection breaks; the ids that the server said it has. */
async function tellUntilGone(
  url: string,
  { machineId, worker }: { machineId: string; worker: number },
  told: string[],
) {
  for (let n = 0; ; n += 1) {
    const id = `77${worker}${String(n).padStart(6, '0')}`;
    try {
      const reply = await fetch(url, { method: 'POST', headers: basic, body: messageOf(id, machineId) });
      await reply.text();
      if (reply.ok) told.push(id);
    } catch {
      // The server is gone: what it had not answered does not count.
      return;
    }
  }
}

it('killed while messages come in, none that was acknowledged is lost, and each is processed once', async () => {
  const place = await inFolder(async (db) => {
    const [found] = await rows<{ path: string; machineId: string }>(
      db,
      sql`select '/api/webhooks/nayax/' || c.public_id as path, d.vendor_id as "machineId"
          from integration_configs c join vendor_devices d on d.config_id = c.id and d.link = 'linked' order by d.id limit 1`,
    );
    return found ?? { path: '', machineId: '' };
  });
  const acknowledged: string[] = [];
  const first = await start();
  const url = (await first.child.address) + place.path;
  const senders = [1, 2, 3].map((worker) => tellUntilGone(url, { machineId: place.machineId, worker }, acknowledged));
  await expect.poll(() => acknowledged.length, { timeout: 60_000, interval: 1 }).toBeGreaterThan(60);
  first.child.process.kill('SIGKILL');
  await Promise.all([...senders, first.child.ended]);
  // The leases of the killed worker run out.
  await inFolder((db) =>
    db.execute(sql`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`),
  );
  const second = await start();
  // Whatever comes in next sets the worker going.
  await fetch((await second.child.address) + place.path, {
    method: 'POST',
    headers: basic,
    body: messageOf('779999999', place.machineId),
  });
  const waiting = async (): Promise<number> =>
    (await second.call('GET', '/api/integrations/deliveries?status=pending&limit=1')).total;
  await expect.poll(waiting, { timeout: 150_000, interval: 250 }).toBe(0);
  second.child.process.kill('SIGKILL');
  await second.child.ended;
  const books = await inFolder((db) =>
    rows<{ id: string; told: number; booked: number }>(
      db,
      sql`select s.ledger_id as id, count(*)::int as told,
            (select count(*)::int from sales l where l.source = 'nayax' and l.transaction_id = s.ledger_id) as booked
          from vendor_sales s where s.ledger_id like '77_______' group by 1`,
    ),
  );
  const known = new Map(books.map((one) => [one.id, one]));
  expect(acknowledged.filter((id) => !known.has(id))).toEqual([]);
  expect(books.filter(({ told, booked }) => told !== 1 || booked !== 1)).toEqual([]);
}, 300_000);
