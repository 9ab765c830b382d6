import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addDays, dayIn } from '../../domain/time.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildMarket, buildRoute, buildUser } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('Search', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  it('a search finds every kind by text, at most six of each, in scope', async () => {
    await buildMarket(t.deps.db, { name: 'Findme Market', routeDesignation: '202' });
    await buildMachine(t.deps.db, { name: 'Snacks', machineId: 'FINDME-7', routeDesignation: '101' });
    for (let n = 0; n < 7; n++) await manager.call('POST', '/api/products', { body: { name: `Findme ${n}` } });
    await buildRoute(t.deps.db, { name: 'Findme tour', routeDesignation: '202' });
    await buildUser(t.deps.db, { firstName: 'Findme', lastName: 'Person' });
    const kinds = async (person: Person) => {
      const found = (await person.call('GET', '/api/search?q=findme')).json();
      return found.map((hit: { kind: string }) => hit.kind);
    };
    const products = Array.from({ length: 6 }, () => 'product');
    const admin = await t.as((await buildUser(t.deps.db, { role: 'admin' })).id);
    expect(await kinds(admin)).toEqual(['market', 'vending_machine', ...products, 'route', 'person']);
    // The list they are shown in opens only for who manages people.
    expect(await kinds(manager)).toEqual(['market', 'vending_machine', ...products, 'route']);
    expect(await kinds(worker)).toEqual(['vending_machine', ...products]);
  });

  it('a search takes LIKE signs as they are, knows market numbers and barcodes, and needs a text', async () => {
    const { id } = await buildMarket(t.deps.db, { name: '50% off_' });
    await manager.call('POST', '/api/products', { body: { name: 'Coded', barcodes: ['036000291452'] } });
    const titles = async (q: string) =>
      (await manager.call('GET', `/api/search?q=${encodeURIComponent(q)}`))
        .json()
        .map((hit: { title: string }) => hit.title);
    expect(await titles('%')).toEqual(['50% off_']);
    expect(await titles(`MKT-${String(id).padStart(3, '0')}`)).toEqual(['50% off_']);
    expect(await titles('0036000291452')).toEqual(['Coded']);
    expect((await manager.call('GET', '/api/search?q=%20')).statusCode).toBe(400);
  });

  it('machines of one name are told apart by number, place and address', async () => {
    const twin = { name: 'Twinned', location: 'Lobby', address: '1 Main St', state: 'CT' };
    await buildMachine(t.deps.db, { ...twin, machineId: 'PAIR-1', city: 'Winstead' });
    await buildMachine(t.deps.db, { ...twin, machineId: 'PAIR-2', city: 'Torrington' });
    const found = (await manager.call('GET', '/api/search?q=twinned')).json();
    expect(found.map((hit: { detail: string }) => hit.detail)).toEqual([
      'PAIR-1, Lobby, 1 Main St, Winstead, CT',
      'PAIR-2, Lobby, 1 Main St, Torrington, CT',
    ]);
  });

  it('a search forgives typing errors and takes words in any order', async () => {
    await buildMarket(t.deps.db, { name: 'Winstead Hospital Lobby', routeDesignation: '202' });
    const titles = async (q: string, person = manager) =>
      (await person.call('GET', `/api/search?q=${encodeURIComponent(q)}`))
        .json()
        .map((hit: { title: string }) => hit.title);
    expect(await titles('lobby winstead')).toEqual(['Winstead Hospital Lobby']);
    expect(await titles('winstaed hosptal')).toEqual(['Winstead Hospital Lobby']);
    expect(await titles('winstaed', worker)).toEqual([]);
    expect(await titles('xyzzyplugh')).toEqual([]);
  });

  it('a search finds the routes whose name, designation and day say every word, as a look at each of them would', async () => {
    const { db } = t.deps;
    const day = (n: number): string => addDays(dayIn('UTC', t.deps.clock.now()), n);
    const made: { id: number; name: string; routeDesignation: string | null; date: string }[] = [];
    for (const [n, name] of ['Loop A-1', 'Loop-A 2', 'Loop A-1', 'Quaint 7', 'Loop'].entries()) {
      const fields = { name, routeDesignation: [null, '1701', '1702', '1701', ''][n] ?? null, date: day(-n * 20) };
      made.push({ ...fields, id: (await buildRoute(db, fields)).id });
    }
    // Names and days that were changed since count as they are, and what is too old is not found.
    await db.execute(sql`update routes set name = 'Loop Z9', date = ${day(-3)} where id = ${made[4]?.id ?? 0}`);
    Object.assign(made[4] ?? {}, { name: 'Loop Z9', date: day(-3) });
    await buildRoute(db, { name: 'Loop old', routeDesignation: '101', date: day(-91) });
    const plain = (text: string): string => text.toLowerCase().replaceAll('-', ' ');
    const [year = '', month = ''] = day(0).split('-');
    const texts = [
      'loop',
      'loop a-1',
      'a-1',
      'loop 1701',
      'z9',
      'old',
      `loop ${day(0)}`,
      `1-${year}`,
      `1701-${year}`,
      `loop ${month}`,
    ];
    for (const text of [
      ...texts,
      `quaint ${year} ${month}`,
      `7-1701-${day(-60)}`,
      'loop -',
      'quaint -',
      'loop nowhere',
      'loop 999999',
    ]) {
      const words = text.split(' ');
      const expected = made
        .filter(({ name, routeDesignation, date }) => {
          const of = [name, routeDesignation ?? '', ...(/\d/.test(text) ? [date] : [])].join(' ');
          return words.every((word) => (/\w/.test(word) ? plain(of).includes(plain(word).trim()) : of.includes(word)));
        })
        .sort((a, b) => b.date.localeCompare(a.date) || a.id - b.id);
      const found = (await manager.call('GET', `/api/search?q=${encodeURIComponent(text)}`)).json();
      const routes = found.filter(
        ({ kind, id }: { kind: string; id: number }) => kind === 'route' && made.some((one) => one.id === id),
      );
      expect([text, routes.map(({ id }: { id: number }) => id)]).toEqual([text, expected.map(({ id }) => id)]);
    }
  });
});
