import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PickSheet } from '../../contract/picking.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildRoute, buildSlot, buildStop, buildUser } from '../testing/factories.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';

onEachDatabase('Picking', (open) => {
  let test: TestApp;
  let picker: Person;
  let second: Person;
  let stranger: Person;
  let routeId: number;
  let machineId: number;
  beforeAll(async () => {
    test = await testApp(open);
    const { db, clock } = test.deps;
    const date = clock.now().toISOString().slice(0, 10);
    picker = await test.as((await buildUser(db, { role: 'field_worker', routeDesignation: '7' })).id);
    second = await test.as((await buildUser(db, { role: 'route_manager' })).id);
    stranger = await test.as((await buildUser(db, { role: 'field_worker', routeDesignation: '8' })).id);
    machineId = (await buildMachine(db, { routeDesignation: '7' })).id;
    await buildSlot(db, machineId, { slotNumber: 'A1', productName: 'Cola', currentQuantity: 0, maxQuantity: 12 });
    await buildSlot(db, machineId, { slotNumber: 'A2', productName: 'Chips', currentQuantity: 1, maxQuantity: 10 });
    routeId = (await buildRoute(db, { date, routeDesignation: '7' })).id;
    await buildStop(db, routeId, { vendingMachineId: machineId });
  });
  afterAll(() => test.close());

  const sheet = async (): Promise<PickSheet> => (await picker.call('GET', `/api/picking/${routeId}`)).json();
  const linesOf = ({ stops }: PickSheet) => stops.flatMap(({ totes }) => totes.flatMap(({ lines }) => lines));
  const pick = (picks: object[]) => picker.call('PUT', `/api/picking/${routeId}/lines`, { body: { picks } });
  const setState = (person: Person, state: string) =>
    person.call('POST', `/api/picking/${routeId}/state`, { body: { state } });

  it('before picking begins the list is what is needed now, and nothing can be picked', async () => {
    const lines = linesOf(await sheet());
    expect(lines.map(({ productName, planned, lineId }) => [productName, planned > 0, lineId])).toEqual([
      ['Cola', true, null],
      ['Chips', true, null],
    ]);
    expect((await pick([{ lineId: 1, picked: 1 }])).json().detail).toMatch(/has not begun/);
  });

  it('less than asked for needs a reason; a substitute must be in the catalogue', async () => {
    const begun = (await picker.call('POST', `/api/picking/${routeId}/prepare`)).json() as PickSheet;
    const [cola, chips] = linesOf(begun);
    const short = await pick([{ lineId: cola?.lineId, picked: 1 }]);
    expect([short.statusCode, short.json().fields]).toEqual([400, { reason: 'Say why less was picked' }]);
    const unknown = { lineId: cola?.lineId, picked: 1, reason: 'out_of_stock', insteadId: 999_999, insteadUnits: 2 };
    expect((await pick([unknown])).json().detail).toMatch(/not in the catalogue/);
    const done = await pick([
      { lineId: cola?.lineId, picked: 1, reason: 'out_of_stock' },
      { lineId: chips?.lineId, picked: chips?.planned },
    ]);
    expect(done.json().route).toMatchObject({ state: 'picking', lines: 2, linesDone: 2 });
    expect(done.json().route.unitsShort).toBe((cola?.planned ?? 0) - 1);
  });

  it('calculating anew leaves what was picked, and takes in a stop added meanwhile', async () => {
    const other = await buildMachine(test.deps.db, { routeDesignation: '7' });
    await buildSlot(test.deps.db, other.id, { currentQuantity: 0, maxQuantity: 8 });
    await buildStop(test.deps.db, routeId, { vendingMachineId: other.id, stopOrder: 2 });
    const before = await sheet();
    expect(before.route.stopsAdded).toBe(1);
    expect(before.stops.map(({ isNew }) => isNew)).toEqual([true, false]);
    const anew = (await picker.call('POST', `/api/picking/${routeId}/prepare`)).json() as PickSheet;
    expect(anew.stops.map(({ isNew, stopOrder }) => [stopOrder, isNew])).toEqual([
      [2, false],
      [1, false],
    ]);
    expect(linesOf(anew).filter(({ picked }) => picked !== null)).toHaveLength(2);
  });

  it('a tick made while the list is calculated anew finds its line, and a slot that came in stands in its place', async () => {
    const { db, clock } = test.deps;
    const machine = await buildMachine(db, { routeDesignation: '7' });
    const addSlot = (slotNumber: string) =>
      buildSlot(db, machine.id, { slotNumber, currentQuantity: 0, maxQuantity: 8 });
    for (const slotNumber of ['B1', 'B3']) await addSlot(slotNumber);
    const route = await buildRoute(db, { date: clock.now().toISOString().slice(0, 10), routeDesignation: '7' });
    await buildStop(db, route.id, { vendingMachineId: machine.id });
    const prepare = async () => linesOf((await picker.call('POST', `/api/picking/${route.id}/prepare`)).json());
    const [line] = await prepare();
    await prepare();
    const write = (picked: number | null) =>
      picker.call('PUT', `/api/picking/${route.id}/lines`, { body: { picks: [{ lineId: line?.lineId, picked }] } });
    expect((await write(line?.planned ?? 0)).json().route).toMatchObject({ linesDone: 1 });
    await write(null);
    await addSlot('B2');
    expect((await prepare()).map(({ slotNumber }) => slotNumber)).toEqual(['B1', 'B2', 'B3']);
  });

  it('a list with open lines cannot be finished; whoever finished it cannot check it', async () => {
    expect((await setState(picker, 'picked')).json().detail).toMatch(/^1 line is not picked yet/);
    const open = linesOf(await sheet()).find(({ picked }) => picked === null);
    await pick([{ lineId: open?.lineId, picked: open?.planned }]);
    expect((await setState(picker, 'picked')).json().route.state).toBe('picked');
    expect((await pick([{ lineId: open?.lineId, picked: 0 }])).json().detail).toMatch(/finished/);
    expect((await setState(picker, 'checked')).json().detail).toMatch(/second person/);
    const mayCheck = async (who: Person) => (await who.call('GET', `/api/picking/${routeId}`)).json().mayCheck;
    expect([await mayCheck(picker), await mayCheck(second)]).toEqual([false, true]);
    expect((await setState(second, 'checked')).json()).toMatchObject({ route: { state: 'checked' } });
  });

  it('the driver is told what was packed, not what was wished for', async () => {
    const list = (await picker.call('GET', `/api/routes/${routeId}/pick-list`)).json();
    const atMachine = list.stops[0].items;
    expect(atMachine.find((item: { productName: string }) => item.productName === 'Cola')).toMatchObject({ fill: 1 });
  });

  it('somebody of another route finds no list', async () => {
    expect((await stranger.call('GET', `/api/picking/${routeId}`)).statusCode).toBe(404);
    expect((await stranger.call('GET', '/api/picking')).json().routes).toEqual([]);
  });
});
