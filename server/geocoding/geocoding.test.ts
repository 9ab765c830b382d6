import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('Find from address', (open) => {
  let search: Server;
  let answer: { status: number; body: unknown } = { status: 200, body: [] };
  let asked = '';
  let t: TestApp;
  const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-geocoding-'));
  let people: Record<'worker' | 'manager' | 'admin', Person>;
  beforeAll(async () => {
    search = createServer((request, reply) => {
      asked = request.url ?? '';
      reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
    await new Promise<void>((resolve) => search.listen(0, '127.0.0.1', () => resolve()));
    const { port } = search.address() as AddressInfo;
    t = await testApp(open, { GEOCODER_URL: `http://127.0.0.1:${port}/`, MILKRUN_DATA: folder });
    people = await oneOfEachRole(t, '101');
  });
  afterAll(async () => {
    await t.close();
    await new Promise((resolve) => search.close(resolve));
    rmSync(folder, { recursive: true });
  });

  const find = (who: Person, address: string) =>
    who.call('GET', `/api/geocoding?address=${encodeURIComponent(address)}`);

  it('asks the configured search and gives its places with six decimals', async () => {
    answer = { status: 200, body: [{ display_name: '1 Main Street, Springfield', lat: '40.1', lon: '-75.25' }] };
    const { places } = (await find(people.manager, '1 Main Street')).json();
    expect(places).toEqual([{ name: '1 Main Street, Springfield', latitude: '40.100000', longitude: '-75.250000' }]);
    expect(asked).toBe('/search?q=1+Main+Street&format=jsonv2&limit=5');
  });

  it('a search that fails or answers nonsense is told in a sentence, and is no failure of this server', async () => {
    const { failed } = t.deps.watch.flow.total();
    for (const bad of [
      { status: 500, body: {} },
      { status: 200, body: [{ display_name: 'x', lat: '99', lon: '1' }] },
    ]) {
      answer = bad;
      expect((await find(people.manager, '1 Main Street')).json().detail).toContain(
        'The address search does not answer.',
      );
    }
    expect(t.deps.watch.flow.total().failed).toBe(failed);
  });

  it('needs an address, and somebody who may change locations', async () => {
    expect((await find(people.manager, ' ')).statusCode).toBe(400);
    expect((await find(people.worker, '1 Main Street')).statusCode).toBe(403);
  });

  it('a list of places needs no latitude and longitude: an address is enough', async () => {
    answer = { status: 200, body: [{ display_name: '1 Main Street, Springfield', lat: '40.1', lon: '-75.25' }] };
    const sent = await people.manager.call('POST', '/api/imports?name=places.csv', {
      headers: { 'content-type': 'application/octet-stream' },
      body: 'Name,Address\nLobby,1 Main Street\n',
    });
    const { id, kind, needs } = sent.json();
    expect({ kind, needs }).toEqual({
      kind: 'locations',
      needs: [
        ['latitude', 'geometry', 'latitudeFirst', 'address', 'street'],
        ['longitude', 'geometry', 'latitudeFirst', 'address', 'street'],
      ],
    });
    const body = { kind, map: { Name: 'name', Address: 'address' }, dryRun: false };
    const done = await people.manager.call('POST', `/api/imports/${id}/run`, { body });
    expect(done.json()).toMatchObject({ created: 1, refused: { total: 0 } });
    const [{ latitude, longitude }] = (await people.manager.call('GET', '/api/markets')).json();
    expect({ latitude, longitude }).toEqual({ latitude: '40.10000000', longitude: '-75.25000000' });
  });

  it('the form is told that there is a search', async () => {
    expect((await people.manager.call('GET', '/api/auth/session')).json().map).toMatchObject({ findsAddresses: true });
  });
});
