import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListedPlace, PlaceGroup } from '../../contract/locations.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

type Page = { rows: ListedPlace[]; total: number; low: number; next: string | null };
type OnMap = {
  total: number;
  places: ListedPlace[];
  groups: PlaceGroup[];
  bounds: { west: number; north: number } | null;
};

onEachDatabase('Locations among many', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(t, '101'));
    const { db } = t.deps;
    const at = (latitude: string, longitude: string) => ({ latitude, longitude });
    const elm = await buildMarket(db, {
      name: 'Elm House',
      address: '1 Elm Street',
      routeDesignation: '101',
      ...at('40', '-75'),
    });
    await buildMarket(db, { name: 'Oak House', address: '2 Oak Street', routeDesignation: '202', ...at('41', '-74') });
    const snack = await buildMachine(db, {
      name: 'Snack at Elm',
      machineId: 'VM-A',
      location: 'Lobby',
      routeDesignation: '101',
      accessHours: 'Mo-Fr 08:00-17:00',
      ...at('40', '-75'),
    });
    await buildMachine(db, {
      name: 'Drinks',
      machineId: 'VM-B',
      location: 'Hall',
      routeDesignation: null,
      ...at('42', '-73'),
    });
    await buildMachine(db, {
      name: 'Stored',
      machineId: 'VM-C',
      location: 'Cellar',
      status: 'inactive',
      routeDesignation: '202',
      ...at('41', '-74'),
    });
    await buildItem(db, elm.id, { currentQuantity: 1, minimumQuantity: 10 });
    await buildSlot(db, snack.id, { currentQuantity: 0, maxQuantity: 10 });
  });
  afterAll(() => t.close());

  const ask = async <R>(what: string, query: string, who = manager): Promise<R> =>
    (await who.call('GET', `/api/locations/${what}?${query}`)).json();
  const page = (query: string, who = manager) => ask<Page>('page', query, who);
  const names = ({ rows }: Page) => rows.map((row) => row.name);

  it('both kinds are one list by name, each with what runs low there', async () => {
    const all = await page('');
    expect(names(all)).toEqual(['Drinks', 'Elm House', 'Oak House', 'Snack at Elm', 'Stored']);
    expect(all).toMatchObject({ total: 5, low: 2 });
    expect(all.rows.map((row) => row.lowCount)).toEqual([0, 1, 0, 1, 0]);
    expect(all.rows[3]).toMatchObject({
      type: 'vending_machine',
      place: 'Lobby',
      routeDesignation: '101',
      status: 'active',
      accessHours: 'Mo-Fr 08:00-17:00',
    });
    expect(all.rows[1]?.accessHours).toBeNull();
    // A driver brings what is missing: of a market up to its target, of a machine what its slots hold.
    expect(all.rows.map((row) => row.missingUnits > 0)).toEqual([false, true, false, true, false]);
    expect(all.rows[3]?.missingUnits).toBe(10);
  });

  it('pages of one row hold every location once', async () => {
    for (const sort of ['name', '-name', '-low']) {
      const seen: string[] = [];
      for (let one = await page(`sort=${sort}&limit=1`); ; one = await page(`sort=${sort}&limit=1&page=${one.next}`)) {
        seen.push(...names(one));
        if (!one.next) break;
      }
      expect(seen).toEqual(names(await page(`sort=${sort}`)));
    }
    expect(
      names(await page('sort=-low'))
        .slice(0, 2)
        .sort(),
    ).toEqual(['Elm House', 'Snack at Elm']);
  });

  it.each([
    ['search=elm', ['Elm House', 'Snack at Elm']],
    ['search=street%20oak', ['Oak House']],
    ['search=lobby', ['Snack at Elm']],
    ['search=202', ['Oak House', 'Stored']],
    ['search=nowhere', []],
    ['route=101', ['Elm House', 'Snack at Elm']],
    ['routes=["202",""]', ['Drinks', 'Oak House', 'Stored']],
    ['type=market', ['Elm House', 'Oak House']],
    ['low=true', ['Elm House', 'Snack at Elm']],
    ['visited=true&route=202', ['Oak House']],
    ['west=-74.5&east=-72&south=40&north=41.5', ['Oak House', 'Stored']],
    ['low=true&type=market&search=elm&route=101', ['Elm House']],
  ])('%s finds what it says, and as many as it tells', async (query, found) => {
    const one = await page(query);
    expect(names(one)).toEqual(found);
    expect(one.total).toBe(found.length);
  });

  it('how many run low is told of all that match, whether or not only those are asked for', async () => {
    expect((await page('type=market')).low).toBe(1);
    expect((await page('type=market&low=true')).low).toBe(1);
    expect((await page('search=oak')).low).toBe(0);
  });

  it('what is no list of routes is refused with a sentence', async () => {
    const refused = await manager.call('GET', '/api/locations/page?routes=101');
    expect(refused.statusCode).toBe(400);
    expect(refused.body).toContain('Name routes such as');
  });

  it('few locations stand on the map by themselves, with the corners around them', async () => {
    const shown = await ask<OnMap>('map', '');
    expect(shown).toMatchObject({ total: 5, groups: [], bounds: { west: -75, east: -73, south: 40, north: 42 } });
    expect(shown.places).toHaveLength(5);
    expect(await ask<OnMap>('map', 'search=nowhere')).toEqual({ total: 0, bounds: null, places: [], groups: [] });
  });

  it('by route: what is visited by plan, and what needs it', async () => {
    expect(await ask('counts', '')).toEqual([
      { designation: '', all: 1, needing: 0 },
      { designation: '101', all: 2, needing: 2 },
      { designation: '202', all: 1, needing: 0 },
    ]);
  });

  it('a driver finds, sees and counts the own route only', async () => {
    expect(names(await page('', worker))).toEqual(['Elm House', 'Snack at Elm']);
    expect((await ask<OnMap>('map', '', worker)).total).toBe(2);
    expect(await ask('counts', '', worker)).toEqual([{ designation: '101', all: 2, needing: 2 }]);
  });

  it('many locations are groups that add up, and single ones where one stands alone', async () => {
    const { db } = t.deps;
    for (let n = 0; n < 420; n++) {
      await buildMachine(db, { name: `Many ${n}`, routeDesignation: '909', latitude: '30', longitude: '-90' });
    }
    await buildMachine(db, { name: 'Alone', routeDesignation: '909', latitude: '35', longitude: '-80' });
    const shown = await ask<OnMap>('map', 'route=909&zoom=6');
    expect(shown.total).toBe(421);
    expect(shown.groups).toEqual([{ lat: 30, lng: -90, count: 420, west: -90, south: 30, east: -90, north: 30 }]);
    expect(shown.places.map((place) => place.name)).toEqual(['Alone']);
    const whole = await ask<OnMap>('map', '');
    expect(whole.groups.reduce((sum, group) => sum + group.count, whole.places.length)).toBe(whole.total);
    expect((await ask<OnMap>('map', 'route=909&west=-81&east=-79&south=34&north=36&zoom=12')).places).toHaveLength(1);
  });

  it('a word that very many machines say finds the same as one that few say, page after page', async () => {
    const { db } = t.deps;
    await db.execute(sql`insert into vending_machines (name, machine_id, location, address, latitude, longitude, capacity, route_designation)
      select 'Harbor ' || n, 'HARBOR-' || n, case n % 2 when 0 then 'Quay' else 'Pier' end, 'Here', 40, -74, 10,
             case when n > 1150 then '707' end from generate_series(1, 1200) n`);
    await db.execute(sql`update vending_machines set deleted_at = now() where machine_id in ('HARBOR-2', 'HARBOR-3')`);
    // As after any load: by the statistics of an empty table each machine would be compared with each text.
    await db.execute(sql`analyze vending_machines, machine_texts`);
    const few = await page('search=quay&sort=name&limit=100&route=707');
    expect([few.total, few.rows.length]).toEqual([25, 25]);
    const many = await page('search=harbor&sort=name&limit=100');
    const seen = names(many);
    for (let next = many.next; next; ) {
      const one = await page(`search=harbor&sort=name&limit=100&page=${next}`);
      seen.push(...names(one));
      next = one.next;
    }
    const living = Array.from({ length: 1200 }, (_, n) => `Harbor ${n + 1}`).filter((name) => !/ [23]$/.test(name));
    expect(seen.toSorted()).toEqual(living.toSorted());
    expect(many).toMatchObject({ total: 1198, low: 0 });
    expect(names(await page('search=harbor+quay&sort=-name&limit=2'))).toEqual(['Harbor 998', 'Harbor 996']);
    expect(names(await page('search=harbor+707&limit=1'))).toEqual(['Harbor 1151']);
    expect((await page('search=harbor', worker)).total).toBe(0);
  });

  it('two places of the same street are told apart by their towns: in the list, in the search and as stops', async () => {
    const { db } = t.deps;
    const street = { name: 'Twin', address: '12 Main Street', state: 'PA', routeDesignation: '303' };
    const ids = [];
    for (const city of ['Bristol', 'Media']) ids.push((await buildMarket(db, { ...street, city })).id);
    const told = ['12 Main Street, Bristol, PA', '12 Main Street, Media, PA'];
    expect((await page('route=303')).rows.map((row) => row.address)).toEqual(told);
    const found = (await manager.call('GET', '/api/search?q=twin')).json();
    expect(JSON.stringify(found)).toContain(told[1]);
    const stops = ids.map((id) => ({ type: 'market', id }));
    const body = { name: 'Twins', date: '2026-03-12', stops };
    const route = (await manager.call('POST', '/api/routes', { body })).json();
    expect(route.stops.map((stop: { address: string }) => stop.address)).toEqual(told);
  });
});
