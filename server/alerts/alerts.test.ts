import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { auditLog } from '../audit/tables.ts';
import { rows } from '../db/database.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { raiseAlerts, resolveAlerts } from './service.ts';
import { machineAlerts } from './tables.ts';

onEachDatabase('Alerts', (open) => {
  let t: TestApp;
  let admin: Person;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ admin, manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  const raised = async (designation: string) => {
    const machine = await buildMachine(t.deps.db, { routeDesignation: designation });
    const slot = await buildSlot(t.deps.db, machine.id);
    const cause = { machineId: machine.id, slotId: slot.id, alertType: 'jam', severity: 'high' as const };
    await raiseAlerts(t.deps.db, [{ ...cause, message: 'Coin jam' }]);
    return { machine, slot, cause };
  };
  const alertsOf = async (person: Person, machineId: number, query = '') =>
    (await person.call('GET', `/api/vending-machine-alerts${query}`))
      .json()
      .filter((alert: { machineId: number }) => alert.machineId === machineId);

  it('pages hold the gravest first, of these the newest', async () => {
    const { id: machineId } = await buildMachine(t.deps.db, { routeDesignation: '101' });
    for (const severity of ['low', 'critical', 'medium', 'critical', 'high'] as const) {
      const slotId = (await buildSlot(t.deps.db, machineId)).id;
      await raiseAlerts(t.deps.db, [{ machineId, slotId, alertType: 'jam', severity, message: 'Coin jam' }]);
    }
    const page = async (query: string) =>
      (await manager.call('GET', `/api/vending-machine-alerts/page?machine=${machineId}&sort=gravest&${query}`)).json();
    const first = await page('limit=3');
    const second = await page(`limit=3&cursor=${first.next}`);
    const all: { id: number; severity: string }[] = [...first.alerts, ...second.alerts];
    expect(all.map(({ severity }) => severity)).toEqual(['critical', 'critical', 'high', 'medium', 'low']);
    expect(all[0]?.id).toBeGreaterThan(all[1]?.id ?? 0);
    expect([first.total, second.next]).toEqual([5, null]);
  });

  it('the list names every open alert, however many there are, the newest first', async () => {
    const { id: machineId } = await buildMachine(t.deps.db, { routeDesignation: '101' });
    const many = Array.from({ length: 2_100 }, (_, n) => ({
      ...{ machineId, slotId: null, alertType: `fault-${n}`, severity: 'low' as const, message: `Fault ${n}` },
    }));
    await raiseAlerts(t.deps.db, many);
    const found = await alertsOf(manager, machineId);
    const ids = found.map(({ id }: { id: number }) => id);
    expect(new Set(ids).size).toBe(many.length);
    expect(ids).toEqual(ids.toSorted((a: number, b: number) => b - a));
    await t.deps.db.delete(machineAlerts).where(eq(machineAlerts.machineId, machineId));
  });

  it('are found by kind, those that machines report together, whatever they are called', async () => {
    const { id: machineId } = await buildMachine(t.deps.db);
    const kinds = ['silent', 'over_capacity', 'machine_clock', 'dex_counters', 'CARD_READER_OFFLINE', 'bill jam'];
    await raiseAlerts(
      t.deps.db,
      kinds.map((alertType) => ({ machineId, slotId: null, alertType, severity: 'low', message: alertType })),
    );
    const found = async (type: string): Promise<string[]> => {
      const url = `/api/vending-machine-alerts/page?machine=${machineId}&type=${type}`;
      const { alerts, total } = (await manager.call('GET', url)).json();
      expect(alerts).toHaveLength(total);
      return alerts.map(({ alertType }: { alertType: string }) => alertType).toSorted();
    };
    expect(await found('over_capacity')).toEqual(['over_capacity']);
    expect(await found('reported')).toEqual(['CARD_READER_OFFLINE', 'bill jam']);
  });

  it('an open alert names its machine and route; a repeated cause adds none', async () => {
    const { machine, cause } = await raised('101');
    await raiseAlerts(t.deps.db, [{ ...cause, message: 'Coin jam again' }]);
    expect(await alertsOf(worker, machine.id)).toEqual([
      expect.objectContaining({
        machineName: machine.name,
        routeDesignation: '101',
        message: 'Coin jam',
        severity: 'high',
        acknowledged: false,
        acknowledgedBy: null,
        resolvedAt: null,
      }),
    ]);
  });

  it('a resolved alert leaves the list, and its cause may raise a new one', async () => {
    const { machine, slot, cause } = await raised('101');
    await resolveAlerts(t.deps.db, { alertType: 'other', slotIds: [slot.id] });
    expect(await alertsOf(manager, machine.id)).toHaveLength(1);
    await resolveAlerts(t.deps.db, { alertType: 'jam', slotIds: [slot.id] });
    expect(await alertsOf(manager, machine.id)).toEqual([]);
    await raiseAlerts(t.deps.db, [{ ...cause, message: 'Once more' }]);
    expect(await alertsOf(manager, machine.id)).toHaveLength(1);
  });

  it('taking note keeps the first person and time', async () => {
    const { machine } = await raised('101');
    const [alert] = await alertsOf(manager, machine.id);
    const url = `/api/vending-machine-alerts/${alert.id}/acknowledge`;
    const first = (await manager.call('POST', url)).json();
    expect(first).toMatchObject({ acknowledged: true, acknowledgedBy: 'Mary Manager' });
    t.setNow(new Date('2026-03-12T19:00:00Z'));
    expect((await admin.call('POST', url)).json()).toEqual(first);
    expect(await alertsOf(manager, machine.id, '?acknowledged=true')).toEqual([first]);
    expect(await alertsOf(manager, machine.id, '?acknowledged=false')).toEqual([]);
  });

  it('taking note is told to the screens of its route and written to the audit log', async () => {
    const { machine } = await raised('101');
    const [alert] = await alertsOf(manager, machine.id);
    const heard: unknown[] = [];
    const told = { topic: 'alerts', ids: [alert.id] };
    const stop = t.deps.live.subscribe({
      sees: (note) => note.routes?.includes('101') ?? false,
      send: (event) => void heard.push(event),
      gap: () => {},
      end: () => {},
      sid: '',
    });
    await worker.call('POST', `/api/vending-machine-alerts/${alert.id}/acknowledge`);
    await vi.waitFor(() => expect(heard).toContainEqual(told));
    stop();
    const lines = await t.deps.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.objectId, String(alert.id)));
    expect(lines.map((line) => line.action)).toContain('alert.acknowledge');
  });

  it('a wrong filter is refused', async () => {
    expect((await manager.call('GET', '/api/vending-machine-alerts?acknowledged=maybe')).statusCode).toBe(400);
  });

  it('a worker neither sees nor acknowledges alerts of another route', async () => {
    const { machine } = await raised('202');
    const [alert] = await alertsOf(manager, machine.id);
    expect(await alertsOf(worker, machine.id)).toEqual([]);
    const refused = await worker.call('POST', `/api/vending-machine-alerts/${alert.id}/acknowledge`);
    expect(refused.statusCode).toBe(404);
    expect((await alertsOf(manager, machine.id))[0].acknowledged).toBe(false);
  });

  it('alerts of a deleted machine are closed', async () => {
    const { machine } = await raised('101');
    await admin.call('DELETE', `/api/vending-machines/${machine.id}`);
    expect(await alertsOf(manager, machine.id)).toEqual([]);
  });

  it('a search finds each word in the message or in what the machine is called, page after page', async () => {
    const { db } = t.deps;
    const hall = await buildMachine(db, { name: 'Zephyr Hall', routeDesignation: '101' });
    const dock = await buildMachine(db, { name: 'Zephyr Dock', routeDesignation: '202' });
    for (const [machine, message] of [
      [hall, 'A1 Café Crème is sold out'],
      [hall, 'Door open'],
      [dock, 'A1 Café Crème is sold out'],
    ] as const) {
      const slotId = (await buildSlot(db, machine.id)).id;
      const cause = { machineId: machine.id, slotId, alertType: 'jam', severity: 'high' as const };
      await raiseAlerts(db, [{ ...cause, message }]);
    }
    type Page = { alerts: { machineName: string; message: string }[]; total: number; next: number | null };
    const found = async (person: Person, query: string): Promise<[number, string[]]> => {
      const told: string[] = [];
      let page: Page | undefined;
      do {
        const cursor: string = page ? `&cursor=${page.next}` : '';
        const url = `/api/vending-machine-alerts/page?limit=1&${query}${cursor}`;
        page = (await person.call('GET', url)).json() as Page;
        told.push(...page.alerts.map(({ machineName, message }) => `${machineName}: ${message}`));
      } while (page.next !== null);
      return [page.total, told];
    };
    const [dockCafe, hallDoor, hallCafe] = [
      'Zephyr Dock: A1 Café Crème is sold out',
      'Zephyr Hall: Door open',
      'Zephyr Hall: A1 Café Crème is sold out',
    ];
    expect(await found(manager, 'q=zephyr')).toEqual([3, [dockCafe, hallDoor, hallCafe]]);
    expect(await found(manager, 'q=cafe%20zephyr')).toEqual([2, [dockCafe, hallCafe]]);
    expect(await found(manager, 'q=cafe%20zephyr&route=202')).toEqual([1, [dockCafe]]);
    expect(await found(manager, 'q=HALL%20door&sort=gravest')).toEqual([1, [hallDoor]]);
    expect(await found(manager, 'q=zephyr%20nowhere')).toEqual([0, []]);
    expect(await found(worker, 'q=zephyr')).toEqual([2, [hallDoor, hallCafe]]);
    await admin.call('DELETE', `/api/vending-machines/${hall.id}`);
    expect(await found(manager, 'q=zephyr&state=all')).toEqual([1, [dockCafe]]);
  });

  it('a page counts no alerts of machines that are gone', async () => {
    const { machine } = await raised('101');
    const counted = async () => (await admin.call('GET', '/api/vending-machine-alerts/page?state=all')).json().total;
    const before = await counted();
    await admin.call('DELETE', `/api/vending-machines/${machine.id}`);
    expect(await counted()).toBe(before - 1);
  });

  it('an alert that was resolved by a slip of the hand is open again, until its cause has gone', async () => {
    const { machine, slot, cause } = await raised('101');
    const [{ id }] = await alertsOf(worker, machine.id);
    const step = (person: Person, what: string) => person.call('POST', `/api/vending-machine-alerts/${id}/${what}`);
    await step(worker, 'resolve');
    // Its cause raises no other meanwhile.
    await raiseAlerts(t.deps.db, [{ ...cause, message: 'Coin jam' }]);
    expect(await alertsOf(worker, machine.id)).toEqual([]);
    expect((await step(worker, 'reopen')).json()).toMatchObject({ id, resolvedAt: null, resolvedBy: null });
    expect((await step(worker, 'reopen')).statusCode).toBe(200);
    expect((await alertsOf(worker, machine.id)).map((one: { id: number }) => one.id)).toEqual([id]);
    await step(worker, 'resolve');
    await resolveAlerts(t.deps.db, { alertType: 'jam', slotIds: [slot.id] });
    const late = await step(worker, 'reopen');
    expect([late.statusCode, late.json().detail]).toEqual([
      409,
      'What this alert tells of has gone since. It stays resolved.',
    ]);
    const lines = await t.deps.db
      .select()
      .from(auditLog)
      .where(eq(auditLog.objectId, String(id)));
    expect(lines.map(({ action }) => action)).toEqual(['alert.resolve', 'alert.reopen', 'alert.resolve']);
  });

  it('an alert of another route, or of none, is not opened again', async () => {
    const { machine } = await raised('909');
    const [{ id }] = await alertsOf(manager, machine.id);
    await manager.call('POST', `/api/vending-machine-alerts/${id}/resolve`);
    expect((await worker.call('POST', `/api/vending-machine-alerts/${id}/reopen`)).statusCode).toBe(404);
    expect((await worker.call('POST', '/api/vending-machine-alerts/x/reopen')).statusCode).toBe(400);
  });

  it('thousands are counted anew after five seconds, fewer at once', async () => {
    const { machine } = await raised('101');
    const counted = async () =>
      (await admin.call('GET', '/api/vending-machine-alerts/page?state=open&type=jam')).json().total;
    const before = await counted();
    await t.deps.db.execute(sql`
      insert into vending_machine_alerts (machine_id, slot_id, alert_type, message, severity)
      select ${machine.id}, 900000 + n, 'jam', 'Many ' || n, 'low' from generate_series(1, 1000) n`);
    expect(await counted()).toBe(before + 1000);
    const one = (await alertsOf(admin, machine.id))[0];
    await admin.call('POST', `/api/vending-machine-alerts/${one.id}/resolve`);
    expect(await counted()).toBe(before + 1000);
    t.setNow(new Date(t.deps.clock.now().getTime() + 5_000));
    expect(await counted()).toBe(before + 999);
    // Searched: the first page counts them all, the others read on and find what it would.
    const { name } = (await admin.call('GET', `/api/vending-machines/${machine.id}`)).json();
    for (const sort of ['newest', 'gravest']) {
      const search = `/api/vending-machine-alerts/page?state=all&sort=${sort}&limit=100&q=${encodeURIComponent(`${name} many`)}`;
      type Page = { alerts: { id: number }[]; total: number; next: number | null };
      const page = async (more = ''): Promise<Page> => (await admin.call('GET', search + more)).json();
      const first = await page();
      expect([first.total, first.alerts.length]).toEqual([1000, 100]);
      expect(await page()).toEqual(first);
      const seen = first.alerts.map(({ id }) => id);
      for (let { next } = first; next !== null; ) {
        const further = await page(`&cursor=${next}`);
        seen.push(...further.alerts.map(({ id }) => id));
        ({ next } = further);
      }
      const all = await rows<{ id: number }>(
        t.deps.db,
        sql`select id from vending_machine_alerts where message like 'Many %' order by created_at desc, id desc`,
      );
      expect(seen).toEqual(all.map(({ id }) => id));
    }
    await t.deps.db.execute(sql`delete from vending_machine_alerts where message like 'Many %'`);
    t.setNow(new Date(t.deps.clock.now().getTime() + 5_000));
    expect(await counted()).toBe(before);
  });
});
