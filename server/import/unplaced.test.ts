import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { pointFinder } from '../geocoding/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { importContent, parsed, reportOf } from '../testing/imports.ts';

const answers: Record<string, unknown> = {
  '1 Main Street, Springfield, IL 62701': [
    { display_name: '1 Main Street', lat: '39.8', lon: '-89.65', place_rank: 30 },
  ],
  '2 Side Road, Springfield, IL 62701': [
    { display_name: 'Springfield, Illinois', lat: '39.7', lon: '-89.6', place_rank: 16 },
  ],
  '3 Nowhere, Springfield, IL 62701': [],
};

onEachDatabase('import of places by their address', (open) => {
  let search: Server;
  let database: Database;
  let status = 200;
  let asked: string[] = [];
  let address = '';
  beforeAll(async () => {
    search = createServer((request, reply) => {
      const text = new URL(request.url ?? '', 'http://search').searchParams.get('q') ?? '';
      asked.push(text);
      reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answers[text] ?? []));
    });
    await new Promise<void>((resolve) => search.listen(0, '127.0.0.1', () => resolve()));
    address = `http://127.0.0.1:${(search.address() as AddressInfo).port}`;
    database = await open();
  });
  beforeEach(() => {
    asked = [];
    status = 200;
  });
  afterAll(async () => {
    await database.close();
    await new Promise((resolve) => search.close(resolve));
  });

  const finder = () => pointFinder({ geocoderUrl: address });
  const take = (lines: readonly string[], find = finder(), options: readonly string[] = []) =>
    reportOf(database.db, ['locations', 'places.csv'], `${lines.join('\n')}\n`, options, find);
  const standing = () =>
    rows<{ name: string; latitude: string; longitude: string }>(
      database.db,
      sql`select name, latitude::text as latitude, longitude::text as longitude from markets
          where integration_source = 'import' order by name`,
    );

  const head = 'Name,Address,City,State,Zip';
  const lines = [
    head,
    'Lobby,1 Main Street,Springfield,IL,62701',
    'Hall,2 Side Road,Springfield,IL,62701',
    'Attic,3 Nowhere,Springfield,IL,62701',
    'Cellar,,Springfield,IL,62701',
  ];

  it('places stand where their address was found; what is not found, or only its town, is refused with the reason', async () => {
    const find = finder();
    const dry = await take(lines, find, ['--dry-run']);
    expect(await standing()).toEqual([]);
    const done = await take(lines, find);
    expect({ ...done, dryRun: true }).toEqual(dry);
    expect(done).toMatchObject({ rows: 4, created: 1 });
    expect(done.refused.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      "3 has no point, and of its address only 'Springfield, Illinois' was found",
      '4 has no point, and its address was not found',
      '5 has no point: neither latitude nor longitude',
    ]);
    expect(done.flagged).toContainEqual({
      reason: 'no latitude and longitude: placed where its address was found; look on the map whether it is there',
      ...{ count: 1, amount: null, lines: [2] },
    });
    // Looked at first, then imported: each address is asked for once.
    expect(asked).toEqual(Object.keys(answers));
    expect(await standing()).toEqual([{ name: 'Lobby', latitude: '39.80000000', longitude: '-89.65000000' }]);
  });

  it('a place that was put right by hand stays there, and nobody asks again', async () => {
    await database.db.execute(sql`update markets set latitude = 39.81 where name = 'Lobby'`);
    const again = await take(lines.slice(0, 2));
    expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 1, refused: [], flagged: [] });
    expect(asked).toEqual([]);
    expect(await standing()).toEqual([{ name: 'Lobby', latitude: '39.81000000', longitude: '-89.65000000' }]);
  });

  it('a row that says where it is, is not looked up; one at 0,0 is', async () => {
    const report = await take([
      'Machine ID,Name,Address,City,State,Zip,Lat,Lng',
      'M-1,Here,9 Other Street,Springfield,IL,62701,39.9,-89.7',
      'M-2,There,1 Main Street,Springfield,IL,62701,0,0',
    ]);
    expect(report).toMatchObject({ rows: 2, created: 2, refused: [] });
    expect(asked).toEqual(['1 Main Street, Springfield, IL 62701']);
  });

  it('a market without a point does not stand where a machine of the same number does', async () => {
    await take(['Machine ID,Name,Lat,Lng', '77,Machine,39.5,-89.1']);
    await take(['Location ID,Name,Address,City,State,Zip', '77,Corner,1 Main Street,Springfield,IL,62701']);
    const [corner] = (await standing()).filter((one) => one.name === 'Corner');
    expect(corner).toEqual({ name: 'Corner', latitude: '39.80000000', longitude: '-89.65000000' });
    await take(['Machine ID,Name,Address,City,State,Zip', '77,Machine,3 Nowhere,Springfield,IL,62701']);
    expect(asked).toEqual(['1 Main Street, Springfield, IL 62701']);
  });

  it('a search that does not answer refuses the file, and nothing is changed', async () => {
    status = 500;
    const before = await standing();
    const content = `${head}\nRoof,4 Main Street,Springfield,IL,62701\n`;
    const refused = await importContent(database.db, ['locations', 'places.csv'], content, [], finder());
    expect(refused.code).toBe(1);
    expect(refused.err).toBe(
      'The address search does not answer. Try again later, or add columns of latitude and longitude. Nothing was changed.',
    );
    expect(await standing()).toEqual(before);
  });

  it('without a search a file needs latitude and longitude', async () => {
    const refused = await importContent(database.db, ['locations', 'places.csv'], lines.join('\n'));
    expect(refused.err).toContain('places.csv has no column for latitude or geometry or latitudeFirst.');
    expect(() => parsed(refused)).toThrow('import refused');
  });
});
