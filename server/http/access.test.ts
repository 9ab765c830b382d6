import { sql } from 'drizzle-orm';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../../contract/endpoint.ts';
import { may, type Permission, permissions, type Role } from '../../domain/permissions.ts';
import { role } from '../../domain/role-schemas.ts';
import { machineAlerts } from '../alerts/tables.ts';
import { handledEndpoints } from '../app.ts';
import { signInAs } from '../auth/service.ts';
import { rows } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import {
  buildItem,
  buildMachine,
  buildMarket,
  buildRoute,
  buildSlot,
  buildStop,
  buildUser,
} from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { type Handled, handle, mount } from './handle.ts';

/** One id for an object of every kind, so that `:id` needs no knowledge of what it names. */
const foreignId = 7001;
/** Stands in every text of the foreign objects. */
const mark = 'Foreign';

/** Bodies of endpoints whose schema says more than its shape, by method and path; the others are made from the schema. */
const bodies: Record<string, object> = {
  'POST /api/lightspeed/connect': { configId: 1 },
  'PUT /api/inventory/:id': { currentQuantity: 0 },
  'PUT /api/vending-machine-inventory/:id': { currentQuantity: 0 },
  'PUT /api/picking/:id/lines': { picks: [{ lineId: 1, picked: null }] },
  'POST /api/picking/:id/state': { state: 'picked' },
  'PUT /api/routes/:id/rest-order': { stopIds: [1] },
  'PUT /api/people/:id': { email: 'a@example.test', firstName: 'A', role: 'field_worker', routeDesignation: null },
  'POST /api/cantaloupe/configs': { name: 'Mine', apiKey: 'key', apiSecret: 'secret' },
  'POST /api/reconciliation/payouts': {
    system: 'nayax',
    name: 'p.csv',
    content: 'Reference,Amount,Date\nA,1.00,2026-03-01\n',
  },
  'PUT /api/settings/operator': { name: 'Mine', timeZone: 'UTC', currency: 'USD', distanceUnit: 'km' },
};

type Options = { cookie?: string; payload?: unknown };

onEachDatabase('every endpoint', (open) => {
  let test: TestApp;
  let endpoints: Endpoint[];
  beforeAll(async () => {
    test = await testApp(open);
    endpoints = handledEndpoints(test.deps).map((one) => one.endpoint);
  });
  afterAll(() => test.close());

  const call = ({ method, path }: Endpoint, { cookie, payload }: Options = {}) =>
    test.app.inject({
      method,
      url: path.replace(/:\w+/g, String(foreignId)),
      headers: cookie ? { cookie } : {},
      ...(payload === undefined ? {} : { payload: payload as object }),
    });

  it('answers 401 without a session, unless it is public', async () => {
    const closed = endpoints.filter((endpoint) => endpoint.needs !== 'public');
    expect(closed.length).toBeGreaterThan(20);
    for (const endpoint of closed) {
      const reply = await call(endpoint);
      const answer = [nameOf(endpoint), reply.statusCode, reply.headers['content-type']];
      expect(answer).toEqual([nameOf(endpoint), 401, 'application/problem+json; charset=utf-8']);
      expect(reply.json()).toMatchObject({ status: 401, detail: 'You are not signed in. Sign in to go on.' });
    }
  });

  it('is public only where nobody can be signed in yet', () => {
    const open = endpoints.filter((endpoint) => endpoint.needs === 'public' && !isWebhook(endpoint));
    expect(open.map(nameOf).sort()).toEqual([
      'GET /api/auth/device',
      'GET /api/auth/state',
      'GET /api/demo/outbox',
      // Nothing is done there without a session: it leads back to the screen, which says what is missing.
      'GET /api/lightspeed/callback',
      'POST /api/auth/device-login',
      'POST /api/auth/pairing-code',
      'POST /api/auth/second-step',
      'POST /api/auth/second-step/passkey',
      'POST /api/auth/second-step/passkey-options',
      'POST /api/auth/send-verification',
      'POST /api/auth/set-up',
      'POST /api/auth/verify-code',
    ]);
  });

  it.each(role.options)('answers 403 to a %s exactly where the role lacks the permission', async (who) => {
    const { id } = await buildUser(test.deps.db, { role: who });
    for (const endpoint of endpoints) {
      // A new session for each: one of the calls is the sign-out.
      const reply = await call(endpoint, { cookie: await signInAs(test.deps, id) });
      expect([nameOf(endpoint), reply.statusCode === 403]).toEqual([nameOf(endpoint), !isAllowed(who, endpoint)]);
    }
  });

  it('that names an object hides another route’s, and leaves it as it is', async () => {
    await seedForeign(test);
    const { id } = await buildUser(test.deps.db, { role: 'field_worker', routeDesignation: 'mine' });
    const cookie = await signInAs(test.deps, id);
    const before = await foreignState(test.deps);
    const naming = endpoints.filter((endpoint) => endpoint.path.includes('/:id'));
    expect(naming.length).toBeGreaterThan(10);
    for (const endpoint of naming) {
      const reply = await call(endpoint, { cookie, payload: bodyOf(endpoint) });
      const expected = isAllowed('field_worker', endpoint) ? 404 : 403;
      expect([nameOf(endpoint), reply.statusCode, reply.body.includes(mark)]).toEqual([
        nameOf(endpoint),
        expected,
        false,
      ]);
    }
    expect(await foreignState(test.deps)).toEqual(before);
  });

  it('that is asked about an object by its query hides another route’s', async () => {
    const { id } = await buildUser(test.deps.db, { role: 'field_worker', routeDesignation: 'mine' });
    const boss = await buildUser(test.deps.db, { role: 'admin' });
    const asked = endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':')).flatMap(aboutForeign);
    expect(asked.length).toBeGreaterThan(5);
    const shownTo = async (userId: number) => {
      const cookie = await signInAs(test.deps, userId);
      const shown: string[] = [];
      for (const url of asked) {
        const reply = await test.app.inject({ url, headers: { cookie } });
        expect([url, reply.statusCode < 500]).toEqual([url, true]);
        if (reply.body.includes(mark)) shown.push(url);
      }
      return shown;
    };
    expect((await shownTo(boss.id)).length).toBeGreaterThan(0);
    expect(await shownTo(id)).toEqual([]);
  });

  it('that lists shows nothing of another route', async () => {
    const { id } = await buildUser(test.deps.db, { role: 'field_worker', routeDesignation: 'mine' });
    const boss = await buildUser(test.deps.db, { role: 'admin' });
    const shownTo = async (userId: number) => {
      const cookie = await signInAs(test.deps, userId);
      const shown: string[] = [];
      for (const endpoint of endpoints.filter(({ method, path }) => method === 'GET' && !path.includes(':'))) {
        const reply = await test.app.inject({
          url: `${endpoint.path}${listQuery[endpoint.path] ?? ''}`,
          headers: { cookie },
        });
        if (reply.body.includes(mark)) shown.push(endpoint.path);
      }
      return shown;
    };
    // The same walk sees them in every list when it may.
    expect(await shownTo(boss.id)).toEqual(
      expect.arrayContaining(['/api/markets', '/api/inventory', '/api/routes', '/api/search']),
    );
    expect(await shownTo(id)).toEqual([]);
  });
});

describe('an endpoint that does not say who may call it', () => {
  it('stops the start', () => {
    const nameless = { method: 'GET', path: '/api/secret', summary: '', reply: z.object({}) } as unknown as Endpoint;
    const handled: Handled[] = [handle(nameless, () => ({}))];
    expect(() => mount(fastify(), handled, { recognise: async () => null })).toThrow(
      'GET /api/secret does not say who may call it.',
    );
  });
});

/** What lists must be asked for before they can answer. */
const listQuery: Record<string, string> = { '/api/search': `?q=${mark}` };

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;

/** Partner systems prove themselves by signature. */
const isWebhook = ({ path }: Endpoint): boolean => path.startsWith('/api/webhooks/');

function isAllowed(who: Role, { needs }: Endpoint): boolean {
  return !permissions.some((permission) => permission === needs) || may(who, needs as Permission);
}

/** A body that passes the endpoint's schema; without one the refusal would prove nothing. */
function bodyOf(endpoint: Endpoint): unknown {
  if (!endpoint.body) return undefined;
  const body =
    bodies[nameOf(endpoint)] ??
    sample(z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as Schema);
  expect(endpoint.body.safeParse(body), `add a body for ${nameOf(endpoint)} to this test`).toMatchObject({
    success: true,
  });
  return body;
}

/** Addresses that name the foreign object in the query of a list; of both kinds of places where a kind is asked for. */
function aboutForeign({ path, query }: Endpoint): string[] {
  if (!query) return [];
  const schema = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' }) as Schema;
  const { properties = {}, required = [] } = schema;
  const ids = Object.keys(properties).filter((name) => /(^id|Id)$/.test(name));
  if (ids.length === 0) return [];
  const kinds = properties.type ? ['market', 'vending_machine'] : [''];
  return kinds.map((type) => {
    const given = required.map((name) => [name, String(sample(properties[name] ?? {}))]);
    const named = ids.map((name) => [name, String(foreignId)]);
    return `${path}?${new URLSearchParams([...given.filter(([name]) => !ids.includes(name ?? '') && name !== 'type'), ...named, ...(type ? [['type', type]] : [])])}`;
  });
}

type Schema = {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
};

const texts: Record<string, string> = {
  'date-time': '2026-03-12T15:00:00Z',
  date: '2026-03-12',
  email: 'a@example.test',
  uuid: '9f1c2f5e-52a4-4f0e-9b2a-0d6c3c1c7a10',
};

/** The smallest value of a JSON schema: required members only. */
function sample(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sample(schema.anyOf[0]);
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema;
    return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {})]));
  }
  if (schema.type === 'array') return schema.minItems ? [sample(schema.items ?? {})] : [];
  if (schema.type === 'boolean') return true;
  if (schema.type === 'integer' || schema.type === 'number') return Math.max(1, schema.minimum ?? 1);
  return texts[schema.format ?? ''] ?? '1';
}

/** One object of every kind, all of another route designation and all with the same id. */
async function seedForeign({ deps: { db } }: TestApp): Promise<void> {
  const id = foreignId;
  const theirs = { id, routeDesignation: 'other', name: `${mark} place` };
  await buildMarket(db, theirs);
  await buildMachine(db, theirs);
  await buildItem(db, id, { id, productName: `${mark} item` });
  await buildSlot(db, id, { id, productName: `${mark} slot` });
  const driver = await buildUser(db, { id, routeDesignation: 'other', lastName: mark });
  await buildRoute(db, { id, name: `${mark} route`, routeDesignation: 'other', driverId: driver.id });
  await buildStop(db, id, { id, marketId: id, locationName: `${mark} place` });
  await db
    .insert(machineAlerts)
    .values({ id, machineId: id, slotId: id, alertType: 'low_stock', message: `${mark} slot is low` });
}

const tables = [
  'markets',
  'vending_machines',
  'inventory_items',
  'vending_machine_inventory',
  'routes',
  'route_stops',
  'vending_machine_alerts',
  'users',
  'stock_movements',
];

function foreignState({ db }: Deps): Promise<unknown[]> {
  const parts = tables.map((table) => sql.raw(`select '${table}' as name, to_jsonb(t) as row from ${table} t`));
  return rows(db, sql`select * from (${sql.join(parts, sql` union all `)}) all_rows order by name, row->>'id'`);
}
