import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { signInAs } from '../../server/auth/service.ts';
import { type Db, rows } from '../../server/db/database.ts';
import type { Env } from '../../server/env.ts';
import { openDatabase, startServer } from '../../server/start.ts';
import { tick, type UuidClock, uuidV7 } from '../../web/offline/uuid.ts';
import { type Call, caller } from './offer.ts';
import { type Server, startServerProcess } from './processes.ts';

/** As many as a driver's day holds. */
const itemsOfPhone = 400;

export const people = { office: 200, phones: 550 };

type Item = { itemType: 'machine_slot' | 'market_item'; itemId: number };
export type Phone = {
  cookie: string;
  deviceId: string;
  clock: UuidClock;
  seq: number;
  cursor: string;
  items: Item[];
  machines: number[];
};
export type Ground = { office: string[]; phones: Phone[]; machines: number[] };

/** Signs in everybody whom the load plays, by the means of a server that is gone before the measured one starts. */
async function prepareGround(env: Env): Promise<Ground> {
  const running = await startServer({ ...env, role: 'web' }, () => {});
  try {
    const { deps } = running;
    const found = await rows<{ id: number; role: string; route: string | null }>(
      deps.db,
      sql`select id, role, route_designation as route from users where is_active order by id`,
    );
    const office = found.filter(({ role }) => role !== 'field_worker');
    const drivers = found.filter(({ role, route }) => role === 'field_worker' && route !== null);
    if (office.length === 0 || drivers.length === 0)
      throw new Error('The load needs an operator with drivers: --profile S');
    const grounds = new Map<string, Pick<Phone, 'items' | 'machines'>>();
    const sessionOf = (among: readonly { id: number }[], n: number): Promise<string> =>
      signInAs(deps, among[n % among.length]?.id ?? 0);
    const ground: Ground = { office: [], phones: [], machines: [] };
    for (let n = 0; n < people.office; n++) ground.office.push(await sessionOf(office, n));
    for (let n = 0; n < people.phones; n++) {
      const route = drivers[n % drivers.length]?.route ?? '';
      const of = grounds.get(route) ?? (await stockOf(deps.db, route));
      grounds.set(route, of);
      const clock = { uuidMs: 0, uuidCount: 0 };
      ground.phones.push({
        ...{ ...of, cookie: await sessionOf(drivers, n), deviceId: randomUUID(), clock, seq: 0, cursor: '' },
      });
    }
    ground.machines = [...grounds.values()].flatMap(({ machines }) => machines);
    return ground;
  } finally {
    await running.stop();
  }
}

async function stockOf(db: Parameters<typeof rows>[0], route: string): Promise<Pick<Phone, 'items' | 'machines'>> {
  const machines = await rows<{ id: number }>(
    db,
    sql`select id from vending_machines where deleted_at is null and route_designation = ${route} order by id limit 60`,
  );
  const items = await rows<Item>(
    db,
    sql`select * from (
          select 'machine_slot' as "itemType", s.id as "itemId" from vending_machine_inventory s
          join vending_machines v on v.id = s.machine_id
          where s.deleted_at is null and v.deleted_at is null and v.route_designation = ${route}
          union all
          select 'market_item', i.id from inventory_items i join markets m on m.id = i.market_id
          where i.deleted_at is null and m.deleted_at is null and m.route_designation = ${route}) s
        order by md5("itemType" || "itemId") limit ${itemsOfPhone}`,
  );
  return { items, machines: machines.map(({ id }) => id) };
}

type Load = { db: Db; server: Server; ask: ReturnType<typeof caller>['ask']; ground: Ground };

/** The backup of the night is the work of a quiet hour: for a while it counts as taken. Returns what undoes that. */
function withoutNight({ dataFolder }: Env): () => void {
  const folder = path.join(dataFolder, 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const days = [-1, 0, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
  const files = days.map((day) => path.join(folder, `nightly-${day}.zip`)).filter((file) => !existsSync(file));
  for (const file of files) writeFileSync(file, '');
  return () => {
    for (const file of files) rmSync(file, { force: true });
  };
}

/** Runs a load against a server as it is delivered, on the PostgreSQL of the settings, in a process of its own. */
export async function withLoad(env: Env, run: (load: Load) => Promise<boolean>): Promise<boolean> {
  if (env.databaseUrl === null)
    throw new Error('A load needs PostgreSQL: add --profile S (or M, L, XL), or --database URL.');
  const ground = await prepareGround(env);
  const database = await openDatabase(env, () => {});
  const night = withoutNight(env);
  const server = await startServerProcess(['dist/server/main.js', 'serve'], {
    ...{ MILKRUN_DATA: env.dataFolder, MILKRUN_DEMO: '0', PORT: '0', LOG_LEVEL: 'silent' },
    DATABASE_URL: env.databaseUrl,
  });
  const { ask, close } = caller(server.address);
  try {
    await firstDownloads(ask, ground);
    return await run({ db: database.db, server, ask, ground });
  } finally {
    close();
    await server.stop();
    night();
    await database.close();
  }
}

/** Phones know their route when their day begins; those of one designation know the same. */
async function firstDownloads(ask: Load['ask'], ground: Ground): Promise<void> {
  const known = new Map<readonly Item[], string>();
  for (const phone of ground.phones) {
    const cursor = known.get(phone.items) ?? (await download(ask, phone.cookie));
    known.set(phone.items, cursor);
    phone.cursor = cursor;
  }
}

async function download(ask: Load['ask'], cookie: string): Promise<string> {
  let said: { cursor: string; more: boolean } = { cursor: '', more: true };
  while (said.more) {
    const path = `/api/sync/changes${said.cursor ? `?cursor=${encodeURIComponent(said.cursor)}` : ''}`;
    const answer = await ask({ path, cookie, keep: true });
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 200)}`);
    said = JSON.parse(answer.body);
  }
  return said.cursor;
}

/** Counts and fills as a driver makes them, of the items of the phone's route. */
export function upload(phone: Phone, size: number): { call: Call; ids: string[] } {
  phone.seq += 1;
  const at = new Date().toISOString();
  const events = Array.from({ length: size }, (_, n) => {
    const item = phone.items[(phone.seq * size + n) % phone.items.length];
    const what =
      n % 2 === 0
        ? { kind: 'count', reason: 'manual_count', quantity: (phone.seq + n) % 9 }
        : { kind: 'restock', reason: 'barcode_restock', quantity: 1 };
    phone.clock = tick(phone.clock, Date.now());
    // As phones make them: each after the one before.
    const common = {
      eventId: uuidV7(phone.clock, randomBytes),
      schemaVersion: 1,
      shown: null,
      deviceSeq: phone.seq,
      lastServerTime: null,
    };
    return { ...common, ...item, ...what, occurredAtClient: at };
  });
  const post = JSON.stringify({ deviceId: phone.deviceId, sentAtClient: at, events });
  return { call: { path: '/api/sync/events', cookie: phone.cookie, post }, ids: events.map(({ eventId }) => eventId) };
}

/** The events that an answer acknowledges: known to the server, whatever it thinks of them. */
export function acknowledgedIn(body: string): { eventId: string; status: string }[] {
  return (JSON.parse(body) as { results: { eventId: string; status: string }[] }).results;
}

const officeReads = [
  '/api/dashboard/stats',
  '/api/dashboard/exceptions',
  '/api/dashboard/top-products?limit=5',
  '/api/vending-machines/page',
  '/api/vending-machines?route=101',
  '/api/markets/with-inventory/page',
  '/api/inventory/page',
  '/api/products/page',
  '/api/vending-machine-alerts/page',
  '/api/scheduled-routes/page?limit=20',
  '/api/search?q=cola',
  '/api/vending-machine-inventory/*',
  '/api/vending-machines/*',
  '/api/performance/metrics',
];
const reports = ['/api/reports/sales?range=quarter', '/api/reports/market?range=week', '/api/reports/inventory/page'];
/** One read of the office in so many is a report. */
const readsPerReport = 25;
const anyMachine = '*';

/** What screens ask for, in turn: two of three of the office, the third a phone that looks what has changed. */
export function nextRead(ground: Ground, n: number): { call: Call; phone: Phone | null } {
  const phone = ground.phones[n % ground.phones.length];
  if (n % 3 === 0 && phone) {
    if (n % 2 === 0) return { call: { path: '/api/field-day', cookie: phone.cookie }, phone: null };
    return {
      call: { path: `/api/sync/changes?cursor=${encodeURIComponent(phone.cursor)}`, cookie: phone.cookie, keep: true },
      phone,
    };
  }
  const cookie = ground.office[n % ground.office.length] ?? '';
  const path =
    n % readsPerReport === 1 ? reports[n % reports.length] : officeReads[Math.floor(n / 3 + n) % officeReads.length];
  const machine = ground.machines[n % ground.machines.length] ?? 1;
  return { call: { path: (path ?? '').replace(anyMachine, String(machine)), cookie }, phone: null };
}
