import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildItem, buildMachine, buildMarket, buildSlot, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('the Administration Dashboard', (open) => {
  let test: TestApp;
  let admin: Person;
  beforeAll(async () => {
    test = await testApp(open);
    const { db } = test.deps;
    admin = await test.as((await buildUser(db, { role: 'admin' })).id);
    await buildUser(db, { routeDesignation: '101' });
    await buildUser(db, { routeDesignation: '101', isActive: false });
    const market = await buildMarket(db, { name: 'Alder Hall', routeDesignation: '101', city: 'Troy', state: 'NY' });
    await buildItem(db, market.id, { productName: 'Apple', currentQuantity: 10, minimumQuantity: 10 });
    await buildItem(db, market.id, { productName: 'Bagel', currentQuantity: 11, minimumQuantity: 10 });
    await buildItem(db, market.id, { productName: 'Gone', deletedAt: new Date() });
    const machine = await buildMachine(db, { name: 'Birch Lobby', routeDesignation: '101', status: 'maintenance' });
    await buildSlot(db, machine.id, { productName: 'apple', currentQuantity: 1, maxQuantity: 10, price: '2.50' });
    await buildSlot(db, machine.id, { productName: 'Chips', currentQuantity: 2, maxQuantity: 10, minimumQuantity: 5 });
    await buildMachine(db, { name: 'Cedar Depot', routeDesignation: '303', status: 'inactive' });
    await buildMarket(db, { name: 'Dogwood', routeDesignation: null });
  });
  afterAll(() => test.close());

  const get = async (path: string) => (await admin.call('GET', `/api/admin/${path}`)).json();
  const names = (page: { rows: { name: string }[] }) => page.rows.map(({ name }) => name);

  it('counts every place, item and person, and the routes with an active place', async () => {
    expect(await get('overview')).toMatchObject({
      ...{ totalLocations: 4, markets: 2, totalInventoryItems: 4, activeRoutes: 1, systemUsers: 2 },
      routeDesignations: ['101', '303'],
      routes: [{ name: 'Route 101', locations: 2, activeLocations: 1, inventoryItems: 4, lowStock: 2, workers: 1 }],
    });
    expect(await get('overview?route=303')).toMatchObject({ totalLocations: 1, activeRoutes: 0, systemUsers: 0 });
    expect(await get('overview?role=admin')).toMatchObject({ systemUsers: 1, totalLocations: 4 });
  });

  it('lists markets and machines together, searched, filtered, sorted and paged both ways', async () => {
    expect(names(await get('locations'))).toEqual(['Alder Hall', 'Birch Lobby', 'Cedar Depot', 'Dogwood']);
    expect(names(await get('locations?search=troy'))).toEqual(['Alder Hall']);
    expect(names(await get('locations?route=101&sort=-name'))).toEqual(['Birch Lobby', 'Alder Hall']);
    const first = await get('locations?limit=3');
    const second = await get(`locations?limit=3&page=${first.next}`);
    expect([first.total, names(second), second.from]).toEqual([4, ['Dogwood'], 4]);
    expect(names(await get(`locations?limit=3&page=${second.previous}`))).toEqual(names(first));
  });

  it('pages places in every order as one look at all of them sorts them, on and back', async () => {
    const { db } = test.deps;
    const routes = ['101', '', null, '202', '303'];
    const statuses = ['active', 'maintenance', 'inactive'];
    for (let n = 0; n < 24; n++) {
      const fields = {
        name: `Sorted ${n % 5}`,
        routeDesignation: routes[n % 5] ?? null,
        status: statuses[n % 3] ?? '',
      };
      if (n % 4 === 0) await buildMarket(db, fields);
      else await buildMachine(db, { ...fields, ...(n % 7 === 0 ? { deletedAt: new Date() } : {}) });
    }
    await db.execute(
      sql`update vending_machines set last_restocked = now() - id % 4 * interval '1 hour' where id % 3 = 0`,
    );
    const by: Record<string, string> = {
      ...{ name: 'lower(name)', type: 'type', route: `coalesce(route_designation, '')`, status: 'status' },
      updated: 'updated',
    };
    for (const [name, value] of Object.entries(by)) {
      for (const down of [false, true]) {
        const direction = down ? 'desc' : 'asc';
        const sorted = await rows<{ key: number }>(
          db,
          sql.raw(`select key from (
            select id * 2 as key, 'market' as type, name, route_designation, status::text, greatest(last_updated, updated_at) as updated
            from markets where deleted_at is null
            union all select id * 2 + 1, 'vending_machine', name, route_designation, status::text, greatest(updated_at, last_restocked)
            from vending_machines where deleted_at is null) l order by ${value} ${direction}, key ${direction}`),
        );
        const expected = sorted.map(({ key }) => Number(key));
        const sort = down ? `-${name}` : name;
        for (const limit of [1, 7, 100]) {
          const seen: number[] = [];
          const seenBack: number[] = [];
          type Page = { rows: { key: number }[]; next: string | null; previous: string | null; total: number };
          let page: Page = await get(`locations?sort=${sort}&limit=${limit}`);
          const keys = (): number[] => page.rows.map(({ key }) => key);
          for (seen.push(...keys()); page.next; seen.push(...keys()))
            page = await get(`locations?sort=${sort}&limit=${limit}&page=${page.next}`);
          for (seenBack.unshift(...keys()); page.previous; seenBack.unshift(...keys()))
            page = await get(`locations?sort=${sort}&limit=${limit}&page=${page.previous}`);
          expect([sort, limit, page.total, seen, seenBack]).toEqual([sort, limit, expected.length, expected, expected]);
        }
      }
    }
    await db.execute(sql`update vending_machines set deleted_at = now() where name like 'Sorted%'`);
    await db.execute(sql`update markets set deleted_at = now() where name like 'Sorted%'`);
  });

  it('finds places by words of their texts, cities and routes as a look at each would, few and very many', async () => {
    const { db } = test.deps;
    for (let n = 0; n < 6; n++) {
      const fields = {
        name: `Verbena ${n}`,
        address: `${n} Thyme Lane`,
        city: n % 2 ? 'Sagetown' : null,
        routeDesignation: n % 3 ? 'MINT' : null,
      };
      if (n % 2) await buildMarket(db, fields);
      await buildMachine(db, { ...fields, location: 'Inside', machineId: `HERB-${n}` });
    }
    const texts = [
      'verbena',
      'thyme verbena',
      'sage verbena',
      'mint',
      'mint thyme',
      'herb-3',
      'verbena 4 inside',
      'verbena nowhere',
      '-',
    ];
    const compare = async (search: string, limit: number): Promise<void> => {
      const words = search.split(' ').map((word) => word.replaceAll('-', ' ').trim());
      for (const sort of ['name', '-name', 'type', '-route', 'status', 'updated']) {
        const all = await rows<{ key: number; said: string }>(
          db,
          sql`select id * 2 as key, search_text || ' | ' || plain_text(concat_ws(' ', city, state, route_designation)) as said
              from markets where deleted_at is null
              union all select id * 2 + 1, search_text || ' | ' || plain_text(concat_ws(' ', city, state, route_designation))
              from vending_machines where deleted_at is null order by 1`,
        );
        const expected = all
          .filter(({ said }) => words.every((word) => word !== '' && said.includes(word)))
          .map(({ key }) => Number(key));
        const seen: number[] = [];
        let page: { rows: { key: number }[]; next: string | null; total: number };
        let next = '';
        do {
          page = await get(`locations?search=${encodeURIComponent(search)}&sort=${sort}&limit=${limit}${next}`);
          seen.push(...page.rows.map(({ key }) => key));
          next = `&page=${page.next}`;
        } while (page.next);
        expect([search, sort, page.total, seen.toSorted((a, b) => a - b)]).toEqual([
          search,
          sort,
          expected.length,
          expected,
        ]);
      }
    };
    for (const search of texts) await compare(search, 5);
    await db.execute(sql`insert into vending_machines (name, machine_id, location, address, latitude, longitude, capacity, route_designation)
      select 'Verbena ' || n % 50, 'HERBS-' || n, 'Inside', 'Here', 40, -74, 10, n % 4 from generate_series(1, 1010) n`);
    await db.execute(sql`update vending_machines set deleted_at = now() where machine_id = 'HERBS-7'`);
    for (const search of ['verbena', 'inside verbena', 'mint']) await compare(search, 400);
    expect((await get('locations?search=verbena&route=2')).total).toBe(253);
    await db.execute(
      sql`update vending_machines set deleted_at = now() where machine_id like 'HERB%' and deleted_at is null`,
    );
    await db.execute(sql`update markets set deleted_at = now() where name like 'Verbena%'`);
  });

  it('lists products of both kinds by the rule of low stock of this screen', async () => {
    const { rows, total } = await get('inventory');
    expect(total).toBe(4);
    expect(rows.map((row: { productName: string; isLow: boolean }) => [row.productName, row.isLow])).toEqual([
      ['Apple', true],
      ['apple', true],
      ['Bagel', false],
      ['Chips', false],
    ]);
    expect(rows[1]).toMatchObject({
      locationType: 'vending_machine',
      location: 'Birch Lobby',
      capacity: 10,
      price: '2.50',
    });
    expect((await get('inventory?stock=low&route=101')).total).toBe(2);
    expect((await get('inventory?search=bagel')).rows).toMatchObject([
      { productName: 'Bagel', capacity: null, minimumQuantity: 10 },
    ]);
  });

  it('counts what a search of thousands finds once in five seconds', async () => {
    const { db, clock } = test.deps;
    await db.execute(sql`with made as (
        insert into vending_machines (name, machine_id, location, address, latitude, longitude, capacity)
        select 'Marjoram ' || n, 'MARJ-' || n, 'Inside', 'Here', 40, -74, 10 from generate_series(1, 1100) n returning id)
      insert into vending_machine_inventory (machine_id, product_name, slot_number, price) select id, 'Apple', 'A1', 1 from made`);
    const ask = async () => Promise.all(['locations', 'inventory'].map((list) => get(`${list}?search=marjoram`)));
    const totals = async () => (await ask()).map(({ total }) => total);
    const before = await totals();
    expect(before.every((total) => total >= 1_000)).toBe(true);
    const gone = sql`set deleted_at = now() where id % 10 <> 0 and deleted_at is null`;
    await db.execute(sql`update vending_machine_inventory ${gone} and machine_id in (
      select id from vending_machines where machine_id like 'MARJ%')`);
    await db.execute(sql`update vending_machines ${gone} and machine_id like 'MARJ%'`);
    expect(await totals()).toEqual(before);
    const { rows } = await get('locations?search=marjoram&limit=100');
    expect(rows).toHaveLength(100);
    expect(rows.filter(({ id }: { id: number }) => id % 10 !== 0)).toEqual([]);
    test.setNow(new Date(clock.now().getTime() + 5_000));
    expect((await totals()).every((total) => total < 200)).toBe(true);
    await db.execute(
      sql`update vending_machines set deleted_at = now() where machine_id like 'MARJ%' and deleted_at is null`,
    );
  });

  it('each word of a search names the product or the place: its name, number or address, whatever its capitals', async () => {
    const { db } = test.deps;
    const { id } = await buildMachine(db, { name: 'Éclair Hall', machineId: 'ZQ-77', address: '9 Quince Row' });
    await buildSlot(db, id, { productName: 'Crème Bar', price: '1.00' });
    for (const search of ['creme', 'CRÈME eclair', 'zq-77', 'bar quince', 'quince zq'])
      expect([search, (await get(`inventory?search=${encodeURIComponent(search)}`)).total]).toEqual([search, 1]);
    expect((await get('inventory?search=bar+birch')).total).toBe(0);
    // A word with signs that no machine says leaves the others to their places.
    await buildSlot(db, id, { productName: 'Jaffa-Bits', slotNumber: 'J1', price: '1.00' });
    for (const search of ['jaffa-bits eclair', 'quince jaffa-bits', 'jaffa-bits'])
      expect([search, (await get(`inventory?search=${encodeURIComponent(search)}`)).total]).toEqual([search, 1]);
    expect(names(await get('locations?search=quince+eclair'))).toEqual(['Éclair Hall']);
    expect(names(await get('locations?search=troy+alder'))).toEqual(['Alder Hall']);
    await db.execute(sql`update vending_machines set deleted_at = now() where id = ${id}`);
  });

  it('pages products of both kinds without a gap or a double, by product and by stock, on and back', async () => {
    for (const sort of ['product', '-product', 'stock', '-stock']) {
      const all = (await get(`inventory?sort=${sort}`)).rows.map(({ key }: { key: number }) => key);
      const seen: number[] = [];
      let page: { rows: { key: number }[]; next: string | null; previous: string | null } | null = null;
      do {
        page = await get(`inventory?sort=${sort}&limit=1${page?.next ? `&page=${page.next}` : ''}`);
        seen.push(...(page?.rows ?? []).map(({ key }) => key));
      } while (page?.next);
      expect([sort, seen]).toEqual([sort, all]);
      const back = await get(`inventory?sort=${sort}&limit=1&page=${page?.previous}`);
      expect(back.rows[0].key).toBe(all.at(-2));
    }
  });

  it('every mix of words, route and stock finds what a look at each row finds, counted and paged alike', async () => {
    const { db } = test.deps;
    const words = ['maple', 'olive', 'water', 'chips'];
    const mixes = words.flatMap((a) => ['', ...words].map((b) => `${a} ${b}`.trim()));
    for (const [n, place] of ['Maple', 'Olive', 'Maple Olive', 'Plain'].entries()) {
      const fields = { name: `${place} Place`, address: 'Elsewhere', routeDesignation: n % 2 ? '707' : null };
      const market = await buildMarket(db, fields);
      const machine = await buildMachine(db, { ...fields, location: 'Inside', machineId: `MIX-${n}` });
      for (const [m, productName] of ['Water', 'Maple Water', 'Olive Chips', 'Water Chips', 'Gum'].entries()) {
        await buildItem(db, market.id, { productName, currentQuantity: m, minimumQuantity: 2 });
        await buildSlot(db, machine.id, { productName, currentQuantity: m, maxQuantity: 12, slotNumber: `${m}` });
      }
    }
    type Row = { key: number; productName: string; location: string; routeDesignation: string | null; isLow: boolean };
    const all: Row[] = (await get('inventory?limit=100')).rows;
    for (const search of mixes) {
      for (const filter of ['', '&route=707', '&stock=low', '&route=707&stock=low']) {
        const expected = all.filter(
          (row) =>
            search.split(' ').every((word) => `${row.productName} ${row.location}`.toLowerCase().includes(word)) &&
            (!filter.includes('route') || row.routeDesignation === '707') &&
            (!filter.includes('stock') || row.isLow),
        );
        const asked = `inventory?search=${encodeURIComponent(search)}${filter}&limit=7`;
        const seen: number[] = [];
        let page: { rows: Row[]; next: string | null; total: number };
        let next = '';
        do {
          page = await get(asked + next);
          expect([asked, page.total]).toEqual([asked, expected.length]);
          seen.push(...page.rows.map(({ key }) => key));
          next = `&page=${page.next}`;
        } while (page.next);
        expect([asked, seen]).toEqual([asked, expected.map(({ key }) => key)]);
      }
    }
  });

  it('a word that very many places say finds the same, and very many rows are counted as more than so many', async () => {
    const { db } = test.deps;
    type Page = { rows: { key: number }[]; total: number; isMore?: true };
    const searches = ['water lobby', 'maple water', 'lobby gum', 'lobby', 'maple lobby gum'];
    const found = async (search: string): Promise<unknown[]> => {
      const page: Page = await get(`inventory?limit=100&search=${encodeURIComponent(search)}`);
      return [search, page.total, page.rows.map(({ key }) => key)];
    };
    const machine = await buildMachine(db, { name: 'Lobby Maple', address: 'Here', machineId: 'MANY-0' });
    for (const productName of ['Water', 'Gum'])
      await buildSlot(db, machine.id, { productName, slotNumber: productName });
    const few = await Promise.all(searches.map(found));
    expect(few.every((told) => Number(told[1]) > 0)).toBe(true);
    await db.execute(sql`insert into vending_machines (name, machine_id, location, address, latitude, longitude, capacity)
      select 'Lobby ' || n, 'MANY-' || n, 'Inside', 'Here', 40, -74, 10 from generate_series(1, 1001) n`);
    expect(await Promise.all(searches.map(found))).toEqual(few);
    await db.execute(sql`insert into vending_machine_inventory (machine_id, product_name, slot_number, current_quantity, max_quantity, price)
      select ${machine.id}, 'Quartz', 'Q' || n, 5, 10, 1 from generate_series(1, 1001) n`);
    const counted: Page = await get('inventory?search=quartz+lobby');
    expect([counted.total, counted.isMore, counted.rows.length]).toEqual([1000, true, 25]);
    const total = async (): Promise<number> => (await get('inventory')).total;
    const all = await total();
    expect(all).toBeGreaterThan(1001);
    await db.execute(sql`update vending_machine_inventory set deleted_at = now() where product_name = 'Quartz'`);
    expect(await total()).toBe(all);
    // Of thousands the number may be five seconds old.
    test.setNow(new Date(test.deps.clock.now().getTime() + 5_000));
    expect(await total()).toBe(all - 1001);
    await db.execute(sql`update vending_machines set deleted_at = now() where machine_id like 'MANY-%'`);
  });

  it('counts low slots anew when the percentage changes', async () => {
    const { db } = test.deps;
    const lowOf = async () => [(await get('overview')).lowStock, (await get('inventory?stock=low')).total];
    const before = (await lowOf())[0];
    const all = (await get('inventory?limit=100')).rows as { capacity: number | null; currentQuantity: number }[];
    const more = all.filter(
      ({ capacity, currentQuantity: has }) =>
        capacity !== null && has * 100 >= 20 * capacity && has * 100 < 35 * capacity,
    ).length;
    expect(more).toBeGreaterThan(0);
    await db.execute(sql`update operator set low_slot_percent = 35`);
    expect(await lowOf()).toEqual([before + more, before + more]);
    await db.execute(sql`update operator set low_slot_percent = 20`);
    expect(await lowOf()).toEqual([before, before]);
  });

  it('is for administrators', async () => {
    const manager = await test.as((await buildUser(test.deps.db, { role: 'route_manager' })).id);
    for (const path of ['overview', 'locations', 'inventory']) {
      expect((await manager.call('GET', `/api/admin/${path}`)).statusCode).toBe(403);
    }
  });
});
