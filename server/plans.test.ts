import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../contract/endpoint.ts';
import { handledEndpoints } from './app.ts';
import { firstRow } from './db/database.ts';
import { loadOperator } from './demo/load.ts';
import { openTestPostgres } from './testing/databases/databases.ts';
import { buildUser } from './testing/factories.ts';
import { growTables } from './testing/grow.ts';
import { bigTables, type Recorder, readWhole, recordStatements } from './testing/statements.ts';
import { type Person, type TestApp, testApp } from './testing/test-app.ts';

const server = process.env.TEST_DATABASE_URL;
if (!server)
  process.stderr.write('** SKIPPED: plans of statements over big tables. TEST_DATABASE_URL is not set. **\n');

/**
 * Answers that are about every row of a table, by what the interface promises: sums over all stock, lists of all slots, and a search
 * among all words. To them the table is read whole.
 */
const aboutAll: Record<string, readonly string[]> = {
  '/api/inventory': ['inventory_items'],
  '/api/inventory/summary': ['inventory_items'],
  '/api/vending-inventory': ['vending_machine_inventory', 'item_balances'],
  '/api/admin/overview': ['vending_machine_inventory'],
  '/api/admin/inventory': ['vending_machine_inventory', 'inventory_items'],
  '/api/reports/inventory': ['inventory_items'],
  '/api/reports/inventory/page': ['inventory_items'],
  '/api/reports/market': ['inventory_items'],
  '/api/audit-log/page': ['audit_log', 'device_sessions'],
  '/api/vending-machine-alerts/page': ['vending_machine_alerts'],
};

/** What partner systems told: most of it goes after a month, and their lists show all devices of a configuration. */
const isOfPartners = (path: string): boolean =>
  /^\/api\/(?:integration|cantaloupe|nayax|moma|nama-vdi|lightspeed|payment-reports|reconciliation|demo)/.test(path);

/** Calls that answer this operator with a refusal or another page, and why. */
const withoutAnswer: Record<string, string> = {
  '/api/vending-machines/:id/dex-reads/:readId': 'no file was read by this machine',
  '/api/traffic-incidents/:id': 'no incident is known',
  '/api/day-plans/:id': 'no day is planned',
  '/api/imports/:id': 'no file was sent',
  '/api/directions': 'asks the road engine only',
  '/api/geocoding': 'asks the address search only',
  '/api/application-access': 'asks for a person by number',
};

describe.skipIf(!server)('a big table is not read from end to end to answer', () => {
  let test: TestApp;
  let recorder: Recorder;
  let client: pg.Client;
  let big: ReadonlySet<string>;
  const people: Person[] = [];
  const given: Record<string, string> = {};

  beforeAll(async () => {
    recorder = recordStatements();
    test = await testApp((onQuery) => openTestPostgres(server ?? '', onQuery));
    const { db } = test.deps;
    await db.execute(sql`delete from operator`);
    const until = '2026-03-11';
    await loadOperator(test.deps, { profile: 'S', seed: 1, days: 6, until }, () => {});
    await growTables(db, { copies: 30, days: 6, rows: 20_000, at: test.deps.clock.now() });
    const route = await firstRow<{ id: number; designation: string }>(
      db,
      sql`select id, route_designation as designation from routes order by date desc, id limit 1`,
    );
    const machine = await firstRow<{ id: number }>(db, sql`select max(id) as id from vending_machines`);
    const id = String(machine?.id);
    Object.assign(given, { date: until, from: '2026-03-05', to: until, type: 'vending_machine', id, search: 'park' });
    Object.assign(given, {
      route: route?.designation,
      q: 'park',
      locationId: id,
      locationType: 'vending_machine',
      routeId: String(route?.id),
    });
    const worker = { role: 'field_worker', routeDesignation: route?.designation ?? '' } as const;
    for (const fields of [{ role: 'admin' } as const, worker]) {
      people.push(await test.as((await buildUser(db, fields)).id));
    }
    const found = await firstRow<{ name: string }>(db, sql`select current_database() as name`);
    const url = new URL(server ?? '');
    url.pathname = `/${found?.name}`;
    client = new pg.Client({ connectionString: url.href });
    await client.connect();
    big = await bigTables(client);
  }, 300_000);

  /** An address of the call, with what it needs filled in. */
  const addressOf = ({ path }: Endpoint): string =>
    path
      .replace(/^(\/api\/(?:inventory|markets|products)\/(?:items\/)?):id/, '$11')
      .replace(/^(\/api\/(?:routes|picking)\/):id/, `$1${given.routeId}`)
      .replace(/:id/, given.id ?? '')
      .replace(/:\w+/g, '1');
  /** As it opens, with everything asked for that it knows, and in each order it offers. */
  const askedOf = ({ query }: Endpoint): string[] => {
    const known = query ? (z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }).properties ?? {}) : {};
    const asked = Object.keys(known).filter((name) => given[name] !== undefined);
    const sort = known.sort;
    const orders = typeof sort === 'object' && Array.isArray(sort.enum) ? sort.enum : [];
    const filled = new URLSearchParams(asked.map((name) => [name, given[name] ?? '']));
    return ['', ...(asked.length > 0 ? [`?${filled}`] : []), ...orders.map((order) => `?sort=${order}`)];
  };

  it('by any call that reads, for the office and on a route', async () => {
    const found = new Set<string>();
    const silent = new Set<string>();
    for (const { endpoint } of handledEndpoints(test.deps)) {
      const { method, path, needs } = endpoint;
      if (method !== 'GET' || needs === 'public' || isOfPartners(path)) continue;
      const statuses: number[] = [];
      for (const person of people) {
        for (const asked of askedOf(endpoint)) {
          const sent = await recorder.during(async () => {
            const reply = await person.call('GET', addressOf(endpoint) + asked);
            statuses.push(reply.statusCode);
            expect(reply.statusCode, `${path}${asked} ${reply.body.slice(0, 200)}`).toBeLessThan(500);
          });
          for (const statement of sent) {
            for (const table of await readWhole(client, statement)) {
              const parent = table.replace(/_\d{4}_\d{2}$/, '');
              if (big.has(table) && !aboutAll[path]?.includes(parent))
                found.add(`${path}${asked} reads all of ${parent}`);
            }
          }
        }
      }
      if (!statuses.includes(200) && !withoutAnswer[path]) silent.add(`${path} answered ${[...new Set(statuses)]}`);
    }
    expect([...found]).toEqual([]);
    expect([...silent]).toEqual([]);
  }, 300_000);

  afterAll(async () => {
    recorder?.stop();
    await client?.end();
    await test?.close();
  });
});
