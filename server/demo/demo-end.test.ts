import { afterAll, beforeAll, expect, it } from 'vitest';
import { getMarker, getOperator } from '../settings/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildUser } from '../testing/factories.ts';
import { nobody, type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { loadOperator } from './load.ts';
import { isEmpty } from './load-queries.ts';
import { ensureDemo } from './service.ts';

const confirmed = { body: { confirm: 'delete the demo' } };

onEachDatabase('starting with own data', (open) => {
  let t: TestApp;
  let admin: Person;
  beforeAll(async () => {
    t = await testApp(open);
    const day = { profile: 'S', seed: 1, days: 1, until: '2026-03-11' } as const;
    await loadOperator(t.deps, day, () => {});
    admin = await t.as(1);
  });
  afterAll(() => t.close());

  it('is refused without the words that confirm it', async () => {
    const reply = await admin.call('POST', '/api/demo/end', { body: { confirm: 'yes' } });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().detail).toBe("Type 'delete the demo' to confirm");
  });

  it('is refused to everyone but administrators', async () => {
    const manager = await t.as(2);
    expect((await manager.call('POST', '/api/demo/end', confirmed)).statusCode).toBe(403);
    expect((await nobody(t.app).call('POST', '/api/demo/end', confirmed)).statusCode).toBe(401);
    expect(await isEmpty(t.deps.db)).toBe(false);
  });

  it('empties the database, ends every session and never fills it again', async () => {
    expect((await admin.call('POST', '/api/demo/end', confirmed)).statusCode).toBe(200);
    expect(await isEmpty(t.deps.db)).toBe(true);
    expect((await getOperator(t.deps.db)).isDemo).toBe(false);
    expect(await getMarker(t.deps.db, 'demo-ended')).toBe('1');
    expect((await admin.call('GET', '/api/markets')).statusCode).toBe(401);
    await ensureDemo({ ...t.deps, env: { ...t.deps.env, demo: true } }, () => {});
    expect(await isEmpty(t.deps.db)).toBe(true);
  });
});

onEachDatabase('an operator that is no demo', (open) => {
  let t: TestApp;
  beforeAll(async () => {
    t = await testApp(open);
  });
  afterAll(() => t.close());

  it('stays empty where no demo is wanted', async () => {
    await ensureDemo({ ...t.deps, env: { ...t.deps.env, demo: false } }, () => {});
    expect(await isEmpty(t.deps.db)).toBe(true);
  });

  it('cannot be emptied', async () => {
    const admin = await t.as((await buildUser(t.deps.db, { role: 'admin' })).id);
    expect((await admin.call('POST', '/api/demo/end', confirmed)).statusCode).toBe(409);
    expect(await isEmpty(t.deps.db)).toBe(false);
  });
});
