import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstRow, rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

const url = '/api/traffic-incidents';
const valid = {
  title: 'Lorry on its side',
  latitude: '40.70',
  longitude: '-74.00',
  severity: 'high',
  type: 'accident',
};

onEachDatabase('Traffic incidents', (open) => {
  let t: TestApp;
  let admin: Person;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ admin, manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  const create = async (fields: object = {}) =>
    (await manager.call('POST', url, { body: { ...valid, ...fields } })).json();

  it('one reported by hand is active, half a kilometre wide and begins now; everyone signed in reads it', async () => {
    const reply = await manager.call('POST', url, { body: valid });
    expect(reply.statusCode).toBe(201);
    const created = reply.json();
    expect(created).toMatchObject({
      status: 'active',
      radius: 0.5,
      source: 'manual',
      estimatedDuration: null,
      reportedAt: '2026-03-12T15:00:00.000Z',
      resolvedAt: null,
      counts: true,
    });
    expect((await worker.call('GET', `${url}/${created.id}`)).json()).toEqual(created);
    expect((await worker.call('GET', url)).json()).toContainEqual(created);
  });

  it('the columns have their defaults in the database too', async () => {
    await t.deps.db.execute(
      sql`insert into traffic_incidents (title, latitude, longitude, severity, type) values ('Bare', 1, 1, 'low', 'other')`,
    );
    const found = await firstRow(
      t.deps.db,
      sql`select status, radius, source, resolved_at as "resolvedAt" from traffic_incidents where title = 'Bare'`,
    );
    expect(found).toEqual({ status: 'active', radius: 0.5, source: 'manual', resolvedAt: null });
  });

  it.each([
    [{ radius: 0 }, 'radius', /^Radius/],
    [{ radius: -2 }, 'radius', /^Radius/],
    [{ radius: null }, 'radius', /^Radius/],
    [{ latitude: '91' }, 'latitude', /^Latitude must lie between/],
    [{ severity: 'awful' }, 'severity', /^Severity/],
    [{ title: '' }, 'title', /^Title is required/],
    [{ reportedAt: '2026-03-12T15:00:00Z', resolvedAt: '2026-03-12T14:00:00Z' }, 'resolvedAt', /^End must not/],
  ])('%j is refused with a sentence that names the field', async (wrong, field, sentence) => {
    const reply = await manager.call('POST', url, { body: { ...valid, ...wrong } });
    expect(reply.statusCode).toBe(400);
    expect(reply.json().fields).toEqual({ [field]: expect.stringMatching(sentence) });
    expect(reply.json().detail).toMatch(sentence);
  });

  it('one told with an end that lies ahead is active until then, and one that is over began by its end', async () => {
    const ahead = await create({ reportedAt: '2026-03-12T14:00:00Z', resolvedAt: '2026-03-12T18:30:00Z' });
    expect(ahead).toMatchObject({ status: 'active', resolvedAt: null, estimatedDuration: 270, counts: true });
    const ended = '2026-03-11T10:00:00.000Z';
    expect(await create({ resolvedAt: ended })).toMatchObject({
      ...{ status: 'resolved', reportedAt: ended, resolvedAt: ended, counts: false },
    });
  });

  it('an edit changes what it names and nothing else, and is refused like a new one', async () => {
    const { id, ...before } = await create({ description: 'Two lanes', estimatedDuration: 90 });
    const reply = await manager.call('PATCH', `${url}/${id}`, { body: { severity: 'low', radius: 2 } });
    expect(reply.json()).toEqual({ ...before, id, severity: 'low', radius: 2 });
    const refused = await manager.call('PATCH', `${url}/${id}`, { body: { radius: 0 } });
    expect(refused.statusCode).toBe(400);
    expect((await manager.call('PATCH', `${url}/999999`, { body: { radius: 1 } })).statusCode).toBe(404);
  });

  it('resolved it has the time of the first resolving; reopened it has none', async () => {
    const { id } = await create();
    const first = (await manager.call('POST', `${url}/${id}/resolve`)).json();
    expect(first).toMatchObject({ status: 'resolved', resolvedAt: '2026-03-12T15:00:00.000Z', counts: false });
    t.setNow(new Date('2026-03-12T16:00:00Z'));
    expect((await manager.call('POST', `${url}/${id}/resolve`)).json().resolvedAt).toBe(first.resolvedAt);
    expect((await manager.call('POST', `${url}/${id}/reopen`)).json()).toMatchObject({
      status: 'active',
      resolvedAt: null,
    });
    t.setNow(new Date('2026-03-12T15:00:00Z'));
  });

  it('one past its estimated duration does not count, though nobody resolved it', async () => {
    const { id } = await create({ reportedAt: '2026-03-12T13:00:00Z', estimatedDuration: 60 });
    expect((await worker.call('GET', `${url}/${id}`)).json()).toMatchObject({ status: 'active', counts: false });
  });

  it.each([
    ['POST', url, valid],
    ['PATCH', `${url}/1`, { radius: 1 }],
    ['POST', `${url}/1/resolve`, undefined],
    ['POST', `${url}/1/reopen`, undefined],
    ['POST', `${url}/import`, { name: 'a.csv', content: 'x' }],
    ['PUT', `${url}/factors`, { low: 1, medium: 1, high: 1, critical: 1 }],
  ])('a field worker may not %s %s', async (method, path, body) => {
    expect((await worker.call(method, path, body ? { body } : {})).statusCode).toBe(403);
  });

  it('every write leaves an audit line', async () => {
    const { id } = await create();
    await manager.call('PATCH', `${url}/${id}`, { body: { title: 'Cleared soon' } });
    await manager.call('POST', `${url}/${id}/resolve`);
    const lines = await rows<{ action: string }>(
      t.deps.db,
      sql`select action from audit_log where object_type = 'traffic_incident' and object_id = ${String(id)} order by id`,
    );
    expect(lines.map((line) => line.action)).toEqual(['incident.create', 'incident.update', 'incident.resolve']);
  });

  it('the factors are the usual ones until an administrator sets others', async () => {
    const usual = { low: 1.2, medium: 1.6, high: 2.5, critical: 4 };
    expect((await worker.call('GET', `${url}/factors`)).json()).toEqual(usual);
    const others = { ...usual, high: 3 };
    expect((await manager.call('PUT', `${url}/factors`, { body: others })).statusCode).toBe(403);
    expect((await admin.call('PUT', `${url}/factors`, { body: others })).json()).toEqual(others);
    expect((await worker.call('GET', `${url}/factors`)).json()).toEqual(others);
    const refused = await admin.call('PUT', `${url}/factors`, { body: { ...usual, low: 0.5 } });
    expect(refused.statusCode).toBe(400);
    await admin.call('PUT', `${url}/factors`, { body: usual });
  });

  it('a file of incidents is taken; refused rows come back with line and reason', async () => {
    const content = 'title,lat,lng,severity,type\nBridge works,40.7,-74,low,construction\nNowhere,,,low,other\n';
    const reply = await manager.call('POST', `${url}/import`, { body: { name: '../week.csv', content } });
    expect(reply.json()).toMatchObject({
      rows: 2,
      created: 1,
      refused: [{ line: 3, reason: 'has no point: neither latitude nor longitude' }],
    });
    const refused = await manager.call('POST', `${url}/import`, { body: { name: 'a.csv', content: 'a,b\n1,2\n' } });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().detail).toMatch(/a\.csv has no column for title/);
  });

  it('a workbook, which does not come whole as text, is refused with what to do', async () => {
    const body = { name: 'week.xlsx', content: 'PK\u0003\u0004\u0014\u0000\ufffd\ufffd[Content_Types].xml' };
    const refused = await manager.call('POST', `${url}/import`, { body });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().detail).toBe('week.xlsx is a workbook. Save its sheet as CSV and import that.');
  });
});
