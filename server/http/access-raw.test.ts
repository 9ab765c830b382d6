import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { may, type Permission } from '../../domain/permissions.ts';
import { role } from '../../domain/role-schemas.ts';
import { handledEndpoints } from '../app.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';

/** Calls that carry bytes, streams or a partner's own format stand beside the contract: who may make each. */
const beside: Record<string, Permission | 'signed-in' | 'anybody' | 'own proof'> = {
  'GET /healthz': 'anybody',
  'GET /readyz': 'anybody',
  // This machine or a token only; see metrics.test.ts.
  'GET /metrics': 'own proof',
  'GET /api/openapi.json': 'anybody',
  'GET /api/docs': 'anybody',
  'GET /api/events': 'signed-in',
  'GET /api/map/tiles/:z/:x/:y': 'signed-in',
  'GET /api/export/everything': 'settings:manage',
  'GET /api/payment-reports/export': 'office:read',
  'GET /api/photos/:hash': 'stock:read',
  'PUT /api/photos/:hash': 'stock:count',
  'GET /api/products/:id/picture': 'stock:read',
  'PUT /api/products/:id/picture': 'office:write',
  'POST /api/imports': 'office:write',
  'GET /api/imports/:id/refused.csv': 'office:write',
  'POST /api/imports/:id/watch': 'office:write',
  'POST /api/cantaloupe/configs/:id/reports': 'office:write',
  // Signature or key of the partner system; GET answers its description, to who asks for that.
  'GET /vdi': 'own proof',
  'POST /vdi': 'own proof',
  'GET /api/webhooks/:system/:publicId': 'own proof',
  'POST /api/webhooks/:system/:publicId': 'own proof',
};

const mayCall = (who: (typeof role.options)[number], needs: string): boolean =>
  ['signed-in', 'anybody', 'own proof'].includes(needs) || may(who, needs as Permission);

/** A kind of body that the call takes in, so that its own refusal is seen. */
function sentAs(url: string): [type: string, bytes: string] {
  if (/\/photos\/|\/picture$/.test(url)) return ['image/jpeg', 'bytes'];
  return url.endsWith('/watch') ? ['application/json', '{}'] : ['application/octet-stream', 'bytes'];
}

/** `METHOD /path` of everything the router knows, but the files of the web application. */
function routesOf(test: TestApp): string[] {
  const above: string[] = [];
  return test.app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', rest = ''] = /^([│ ]*)[├└]── (.*)$/.exec(line) ?? [];
      const [, part = '', methods = ''] = /^(\S*)(?: \((.*)\))?$/.exec(rest) ?? [];
      const depth = indent.length / 4;
      above.length = depth;
      above[depth] = part;
      return methods
        .split(', ')
        .filter(Boolean)
        .map((method) => `${method} ${above.join('')}`);
    })
    .filter((name) => !/^(?:HEAD|OPTIONS) /.test(name) && !/\*$/.test(name));
}

onEachDatabase('every call beside the contract', (open) => {
  let test: TestApp;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'milkrun-access-'));
    test = await testApp(open, { MILKRUN_DATA: folder });
  });
  afterAll(async () => {
    await test.close();
    await rm(folder, { recursive: true, force: true });
  });

  const send = (name: string, cookie: string, at = '7001') => {
    const [method, url = ''] = name.split(' ');
    const [type, bytes] = sentAs(url);
    return test.app.inject({
      method: method as 'GET',
      url: url.replace(':hash', at.padStart(64, 'a')).replace(/:\w+/g, at),
      headers: { ...(cookie ? { cookie } : {}), ...(method === 'GET' ? {} : { 'content-type': type }) },
      ...(method === 'GET' ? {} : { payload: Buffer.from(bytes) }),
    });
  };
  const asked = () => Object.entries(beside).filter(([name]) => name !== 'GET /api/events');

  it('is named here with who may make it', () => {
    const contract = handledEndpoints(test.deps).map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`);
    const rest = routesOf(test).filter((name) => !contract.includes(name));
    expect(contract.length).toBeGreaterThan(200);
    expect(rest.sort()).toEqual(Object.keys(beside).sort());
  });

  it('answers 401 without a session or a proof', async () => {
    for (const [name, needs] of asked().filter(([name]) => name !== 'GET /metrics')) {
      const { statusCode } = await send(name, '');
      const isRefused = statusCode === 401 || (needs === 'own proof' && [404, 405, 415].includes(statusCode));
      expect([name, needs === 'anybody' ? statusCode === 200 : isRefused]).toEqual([name, true]);
    }
    expect((await send('GET /api/events', '')).statusCode).toBe(401);
  });

  it.each(role.options)('answers 403 to a %s exactly where the role lacks the permission', async (who) => {
    const { cookie } = await test.as((await buildUser(test.deps.db, { role: who })).id);
    for (const [name, needs] of asked()) {
      expect([name, (await send(name, cookie)).statusCode === 403]).toEqual([name, !mayCall(who, needs)]);
    }
  });

  it('hides what somebody else sent: a photo of no place of theirs, an import', async () => {
    const [sender, other] = await Promise.all(
      ['mine', 'other'].map(async (routeDesignation) =>
        test.as((await buildUser(test.deps.db, { routeDesignation })).id),
      ),
    );
    const photo = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    const url = `/api/photos/${createHash('sha256').update(photo).digest('hex')}`;
    const headers = { cookie: sender?.cookie ?? '', 'content-type': 'image/jpeg' };
    expect((await test.app.inject({ method: 'PUT', url, headers, payload: photo })).statusCode).toBe(204);
    expect([(await sender?.call('GET', url))?.statusCode, (await other?.call('GET', url))?.statusCode]).toEqual([
      200, 404,
    ]);
    const [first, second] = await Promise.all(
      [1, 2].map(async () => test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id)),
    );
    const made = await test.app.inject({
      method: 'POST',
      url: '/api/imports?name=list.csv&kind=products',
      headers: { cookie: first?.cookie ?? '', 'content-type': 'application/octet-stream' },
      payload: Buffer.from('name,price\nCola,1.50\n'),
    });
    const { id } = made.json();
    for (const [method, address] of [
      ['GET', `/api/imports/${id}`],
      ['GET', `/api/imports/${id}/refused.csv`],
      ['POST', `/api/imports/${id}/watch`],
      ['DELETE', `/api/imports/${id}`],
    ] as const) {
      const body = method === 'POST' ? { body: { kind: 'products', map: {}, dryRun: true } } : {};
      expect([address, (await second?.call(method, address, body))?.statusCode]).toEqual([address, 404]);
    }
    expect((await first?.call('GET', `/api/imports/${id}`))?.statusCode).toBe(200);
  });
});
