import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../db/database.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine } from '../testing/factories.ts';
import { reportOf } from '../testing/imports.ts';

onEachDatabase('import of locations', (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  const take = (lines: readonly string[], name = 'places.csv') =>
    reportOf(database.db, ['locations', name], `${lines.join('\n')}\n`);
  const markets = (like: string) =>
    rows(
      database.db,
      sql`select name, address, city, latitude::text, longitude::text, status from markets
          where integration_id like ${like} order by integration_id`,
    );

  it('refuses a row without a point, at 0,0 or off the globe, with its line and a reason', async () => {
    const report = await take([
      'site_id,name,lat,lng',
      '1,No point,,',
      '2,Null island,0,0.0',
      '3,Swapped,-100.5,40',
      '4,Words,north,-74',
      '5,Good,40.75,-73.99',
    ]);
    expect(report).toMatchObject({ rows: 5, created: 1, updated: 0, unchanged: 0 });
    expect(report.refused.map(({ line, reason }) => `${line} ${reason}`)).toEqual([
      '2 has no point: neither latitude nor longitude',
      '3 has the point 0,0, which stands for an unknown place',
      '4 has the latitude -100.5, beyond 90 degrees: are the columns swapped?',
      '5 has a latitude that is no number: north',
    ]);
  });

  it('creates, then leaves alone, then updates what differs, keeping what the file leaves empty', async () => {
    const head = 'osm_id,name,housenumber,street,city,latitude,longitude';
    const first = await take([head, 'n1,Corner Shop,12,Main Street,New York,40.7,-74', 'n2,Kiosk,,,,40.8,-74']);
    const again = await take([head, 'n1,Corner Shop,12,Main Street,New York,40.7,-74', 'n2,Kiosk,,,,40.8,-74']);
    const moved = await take([head, 'n1,Corner Shop,,,,40.71,-74', 'n2,Kiosk,,,,40.8,-74']);
    expect([first, again, moved].map(({ created, updated, unchanged }) => [created, updated, unchanged])).toEqual([
      [2, 0, 0],
      [0, 0, 2],
      [0, 1, 1],
    ]);
    expect((await markets('import:osm_id:%'))[0]).toMatchObject({ address: '12 Main Street', latitude: '40.71000000' });
  });

  it('reads POINT (lon lat), trade names and states, and never takes the person behind a licence', async () => {
    const head = 'License Number,Entity Name,DBA Name,Street Number,Street Name,City,Status,Georeference';
    await take([head, '010,PERSON SOME,CORNER  DELI,5,BROAD ST,ALBANY,EXPIRED,POINT (-73.75 42.65)'], 'stores.csv');
    await take([head, '011,PERSON SOME,,6,BROAD ST,ALBANY,,POINT (-73.76 42.66)'], 'stores.csv');
    const [named, unnamed] = await markets('import:license_number:%');
    expect(named).toEqual({
      name: 'CORNER DELI',
      address: '5 BROAD ST',
      city: 'ALBANY',
      latitude: '42.65000000',
      longitude: '-73.75000000',
      status: 'inactive',
    });
    expect(unnamed).toMatchObject({ name: 'Market, 6 BROAD ST', status: 'active' });
  });

  it('takes only the trade name out of an applicant, and says so', async () => {
    const report = await take([
      'locationid,Applicant,FacilityType,Address,X,Y,Latitude,Longitude',
      '1,Datum LLC dba Anzu To You,Truck,1 Hill St,6005000,2100000,37.7,-122.4',
      '2,Some Person,Truck,2 Hill St,6005000,2100000,37.8,-122.4',
    ]);
    expect((await markets('import:locationid:%')).map((one) => (one as { name: string }).name)).toEqual([
      'Anzu To You',
      'Truck, 2 Hill St',
    ]);
    expect(report.notes.join()).toContain("Column 'Applicant' names persons");
    expect(report.flagged).toMatchObject([
      { count: 2, lines: [2, 3], reason: "'Truck' is neither a market nor a machine: taken for a market" },
      { count: 1, lines: [3] },
    ]);
  });

  it('makes machines of vending kinds, and finds a machine again by its Machine ID', async () => {
    const known = await buildMachine(database.db, {
      machineId: 'VM-900',
      name: 'Old name',
      latitude: '1',
      longitude: '1',
    });
    const report = await take([
      'id,machine id,kind,name,location,lat,lng',
      'a,,amenity=vending_machine,,Lobby,40.1,-74',
      'b,VM-900,machine,New name,Hall,40.2,-74',
      'c,,shop=convenience,Shop,,40.3,-74',
    ]);
    expect(report).toMatchObject({ created: 2, updated: 1 });
    const found = await rows(
      database.db,
      sql`select id, machine_id as "machineId", name, location, latitude::float as lat from vending_machines
          where machine_id in ('a', 'VM-900') order by machine_id desc`,
    );
    expect(found).toEqual([
      { id: expect.any(Number), machineId: 'a', name: 'Vending machine, a', location: 'Lobby', lat: 40.1 },
      { id: known.id, machineId: 'VM-900', name: 'New name', location: 'Hall', lat: 40.2 },
    ]);
  });

  it("takes an old system's list of machines as machines, with their model, serial number and route", async () => {
    const head = 'Asset No,Customer,Floor,Street Address,Lat,Lng,Model,Serial,Route';
    const lines = [head, '1001,Mill Office,Break room,415 West 34th Street,40.7,-73.9,AMS 39,AM-1,M1'];
    expect(await take(lines)).toMatchObject({ created: 1 });
    expect(await take(lines)).toMatchObject({ created: 0, unchanged: 1 });
    const found = await rows(
      database.db,
      sql`select machine_id as id, name, location, address, model, serial_number as serial, route_designation as route
          from vending_machines where machine_id = '1001'`,
    );
    expect(found).toEqual([
      {
        ...{ id: '1001', name: 'Mill Office', location: 'Break room', address: '415 West 34th Street' },
        ...{ model: 'AMS 39', serial: 'AM-1', route: 'M1' },
      },
    ]);
  });

  it('points the wrong way round are found out, by the columns or within one, and can be said to be so', async () => {
    await buildMachine(database.db, { machineId: 'VM-901', name: 'Known', latitude: '40.71', longitude: '-74' });
    const rowsOf = (point: (n: number) => string) => Array.from({ length: 6 }, (_, n) => `w${n},Shop ${n},${point(n)}`);
    const columns = await take(['site_id,name,lat,lng', ...rowsOf((n) => `-73.9${n},40.7${n}`)]);
    expect(columns).toMatchObject({ swapped: true, created: 6 });
    expect(columns.notes).toContainEqual(expect.stringContaining('6 of 6 points lie where you are only the other way'));
    const lines = ['site_id,name,wkt', ...rowsOf((n) => `POINT (40.7${n} -73.9${n})`)];
    expect(await take(lines)).toMatchObject({ swapped: true });
    const folder = mkdtempSync(path.join(tmpdir(), 'milkrun-swapped-'));
    writeFileSync(path.join(folder, 'map.json'), JSON.stringify({ wkt: 'latitudeFirst' }));
    const said = ['--map', path.join(folder, 'map.json')];
    const report = await reportOf(database.db, ['locations', 'w.csv'], `${lines.join('\n')}\n`, said);
    rmSync(folder, { recursive: true });
    expect(report).toMatchObject({ swapped: false, updated: 6 });
    expect((await markets('import:site_id:w3'))[0]).toMatchObject({
      latitude: '40.73000000',
      longitude: '-73.93000000',
    });
  });

  it('a single point the wrong way round is named, and so is a status that nobody knows', async () => {
    await buildMachine(database.db, { machineId: 'VM-902', name: 'Near', latitude: '40.71', longitude: '-74' });
    const good = ['v1,A,40.7,-74,open', 'v2,B,40.8,-74,', 'v3,C,40.7,-73.9,Decommissioning'];
    const report = await take(['site_id,name,lat,lng,status', ...good, 'v4,D,-74,40.7,active']);
    expect(report).toMatchObject({ swapped: false, created: 4 });
    expect(report.flagged.map(({ reason, lines }) => [reason, lines])).toEqual(
      expect.arrayContaining([
        ['latitude and longitude look swapped: placed as written', [5]],
        ["the status 'Decommissioning' is not known: taken as active", [4]],
      ]),
    );
  });

  it('what is longer than is kept is named by its line and column, never cut in silence', async () => {
    const long = 'Very long name '.repeat(40).trim();
    const report = await take([
      'name,address,lat,lng',
      `${long},1 Long Street,40.75,-73.99`,
      `Short,${'Street '.repeat(100)},40.76,-73.98`,
      'Good,2 Good Street,40.77,-73.97',
    ]);
    expect(report).toMatchObject({
      created: 3,
      flagged: [
        { lines: [2], reason: "more than 255 characters in 'name': the rest is left out" },
        { lines: [3], reason: "more than 500 characters in 'address': the rest is left out" },
      ],
    });
  });

  it('a kind that nobody knows is named where nothing else says what the place is', async () => {
    const head = 'site_id,machine id,type,name,lat,lng';
    const report = await take([
      head,
      'k1,,Automat,Hall,40.7,-73.9',
      'k2,K-78,Automat,Gate,40.71,-73.9',
      'k3,,vending machine,Yard,40.72,-73.9',
      'k4,,,Park,40.73,-73.9',
    ]);
    expect(report.flagged.filter(({ reason }) => reason.includes('market'))).toMatchObject([
      { lines: [2], reason: "'Automat' is neither a market nor a machine: taken for a market" },
    ]);
    expect(await markets('import:site_id:k%')).toMatchObject([{ name: 'Hall' }, { name: 'Park' }]);
  });

  it('a Machine ID makes no machine of what calls itself a market', async () => {
    await take(['site_id,machine id,type,name,lat,lng', 'mm1,K-77,Micro Market,Corner,40.7,-73.9']);
    expect(await markets('import:site_id:mm1')).toHaveLength(1);
  });

  it('without an id column the same name, address and point is the same place', async () => {
    const lines = ['name,address,lat,lng', 'Cafe,1 Road,50.1,8.1', 'cafe,1 Road,50.1,8.1', 'Cafe,2 Road,50.1,8.1'];
    const first = await take(lines);
    expect(first).toMatchObject({ created: 2, refused: [{ line: 3, reason: 'repeats the location of line 2' }] });
    expect(await take(lines)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  });

  it('never turns a market into a machine: stock and history hang on it', async () => {
    await take(['id,name,lat,lng', 'turn,Shop,40,-74']);
    const report = await take(['id,name,type,lat,lng', 'turn,Shop,vending,40,-74']);
    expect(report).toMatchObject({ created: 0, refused: [{ line: 2, reason: 'is known as a market already' }] });
  });

  it('numbers new markets one after the other: a dry run and markets that are known use no number up', async () => {
    const head = 'site_id,name,lat,lng';
    const [first, second] = ['num1,One,40.7,-74', 'num2,Two,40.8,-74'];
    const number = async (site: string): Promise<number> => {
      const [found] = await rows<{ id: number }>(
        database.db,
        sql`select id from markets where integration_id = ${`import:site_id:${site}`}`,
      );
      return found?.id ?? 0;
    };
    await take([head, first]);
    const dry = `${[head, first, second, 'num3,Three,40.9,-74'].join('\n')}\n`;
    for (let time = 0; time < 2; time += 1) {
      const report = await reportOf(database.db, ['locations', 'a.csv'], dry, ['--dry-run']);
      expect(report).toMatchObject({ created: 2, unchanged: 1 });
    }
    await take([head, first]);
    await take([head, first, second]);
    expect(await number('num2')).toBe((await number('num1')) + 1);
  });

  it('leaves one line in the audit log per import, none for a dry run', async () => {
    const count = async () =>
      (await rows(database.db, sql`select from audit_log where action = 'import.locations'`)).length;
    const before = await count();
    const text = 'id,name,lat,lng\naudited,Shop,40,-74\n';
    await reportOf(database.db, ['locations', 'a.csv'], text, ['--dry-run']);
    expect(await count()).toBe(before);
    await reportOf(database.db, ['locations', 'a.csv'], text);
    expect(await count()).toBe(before + 1);
  });
});
