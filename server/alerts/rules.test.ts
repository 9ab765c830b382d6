import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Alert, AlertRules } from '../../contract/alerts.ts';
import { type AlertRule, usualAlertSettings } from '../../domain/alert-rules.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { buildMachine, buildSlot } from '../testing/factories.ts';
import { oneOfEachRole } from '../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../testing/test-app.ts';
import { raiseAlerts, raiseByRules, sendDigest } from './service.ts';

const hourMs = 3_600_000;
const pageUrl = '/api/vending-machine-alerts/page';
const rulesUrl = '/api/vending-machine-alerts/rules';

onEachDatabase('Alert rules', (open) => {
  let t: TestApp;
  let manager: Person;
  let worker: Person;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, worker } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());

  const now = (): number => t.deps.clock.now().getTime();
  const machine = (fields: object = {}) => buildMachine(t.deps.db, { routeDesignation: '101', ...fields });
  const alertsOf = async (machineId: number, query = ''): Promise<Alert[]> =>
    (await manager.call('GET', `${pageUrl}?machine=${machineId}${query}`)).json().alerts;
  const typesOf = async (machineId: number): Promise<string[]> =>
    (await alertsOf(machineId)).map((alert) => alert.alertType);
  const setRules = async (change: (rules: AlertRules) => void) => {
    const { version, ...settings }: AlertRules = (await manager.call('GET', rulesUrl)).json();
    change({ ...settings, version });
    return manager.call('PUT', rulesUrl, { body: settings, headers: { 'if-match': `"${version}"` } });
  };

  it('a machine not heard of for a day is silent until it is heard of, with one alert for one cause', async () => {
    const { id } = await machine({ lastSeen: new Date(now() - 25 * hourMs) });
    await raiseByRules(t.deps);
    await raiseByRules(t.deps);
    expect(await alertsOf(id)).toMatchObject([{ alertType: 'silent', severity: 'high', acknowledged: false }]);
    await t.deps.db.execute(sql`update vending_machines set last_seen = ${new Date(now())} where id = ${id}`);
    await raiseByRules(t.deps);
    expect(await alertsOf(id)).toEqual([]);
    expect(await alertsOf(id, '&state=resolved')).toMatchObject([{ alertType: 'silent', resolvedBy: null }]);
  });

  it('a machine out of use raises none', async () => {
    const { id } = await machine({ lastSeen: new Date(now() - 48 * hourMs), status: 'inactive' });
    await raiseByRules(t.deps);
    expect(await typesOf(id)).toEqual([]);
  });

  it('low slots are one alert of their machine, from as many as is set, and its words follow', async () => {
    const { id } = await machine();
    for (const slotNumber of ['B1', 'B2', 'B3']) {
      await buildSlot(t.deps.db, id, { slotNumber, currentQuantity: 1, minimumQuantity: 2 });
    }
    await raiseByRules(t.deps);
    expect(await typesOf(id)).toEqual([]);
    expect((await setRules(({ rules }) => Object.assign(rules.low_stock, { limit: 3 }))).statusCode).toBe(200);
    expect(await alertsOf(id)).toMatchObject([{ alertType: 'low_stock', message: '3 slots are low: B1, B2, B3' }]);
    await buildSlot(t.deps.db, id, { slotNumber: 'B4', currentQuantity: 1, minimumQuantity: 2 });
    await raiseByRules(t.deps);
    expect(await alertsOf(id)).toMatchObject([{ message: '4 slots are low: B1, B2, B3, B4' }]);
  });

  it('what expires within the days set is one alert of its machine, while units are there', async () => {
    const { id } = await machine();
    const fields = { productName: 'Wrap', expirationDate: '2026-03-14' };
    await buildSlot(t.deps.db, id, { ...fields, slotNumber: 'A1', currentQuantity: 2 });
    await buildSlot(t.deps.db, id, { ...fields, slotNumber: 'A2', currentQuantity: 0, lastRestocked: null });
    await buildSlot(t.deps.db, id, { slotNumber: 'A3', currentQuantity: 2, expirationDate: '2026-06-01' });
    await buildSlot(t.deps.db, id, { slotNumber: 'A4', currentQuantity: 2, expirationDate: '2026-03-11' });
    await raiseByRules(t.deps);
    expect(await alertsOf(id)).toMatchObject([
      { alertType: 'expiring', message: '2 slots expire: A4 on Mar 11, A1 on Mar 14' },
    ]);
  });

  it('more sold than there was is an impossible reading', async () => {
    const { id } = await machine();
    const slot = await buildSlot(t.deps.db, id, { slotNumber: 'A1', productName: 'Cola' });
    await t.deps.db.execute(
      sql`insert into item_balances (item_type, item_id, quantity) values ('machine_slot', ${slot.id}, -3)`,
    );
    await raiseByRules(t.deps);
    expect(await alertsOf(id)).toMatchObject([
      { alertType: 'impossible_reading', message: expect.stringContaining('A1 Cola: 3 more sold than there was') },
    ]);
  });

  it('three sales in a row at another price than the planogram’s, since it was set, are a price mismatch', async () => {
    const { id } = await machine();
    await buildSlot(t.deps.db, id, { slotNumber: 'A1', productName: 'Cola', price: '1.50' });
    await t.deps.db.execute(
      sql`update vending_machine_inventory set price_set_at = ${new Date(now() - 24 * hourMs)} where machine_id = ${id}`,
    );
    const sell = (price: string, hoursAgo: number) =>
      t.deps.db.execute(
        sql`insert into sales (event_id, source, transaction_id, machine_id, slot_number, price, total_amount, sale_date)
            values (gen_random_uuid(), 'test', gen_random_uuid()::text, ${id}, 'A1', ${price}, ${price}, ${new Date(now() - hoursAgo * hourMs)})`,
      );
    await sell('1.75', 1);
    await sell('1.75', 2);
    await sell('1.50', 3);
    await raiseByRules(t.deps);
    expect(await typesOf(id)).toEqual([]);
    await sell('1.75', 0.5);
    await raiseByRules(t.deps);
    expect(await alertsOf(id)).toMatchObject([
      { alertType: 'price_mismatch', message: 'A1 Cola: sold at 1.75, the planogram says 1.50' },
    ]);
  });

  it('an alert ended by hand says who and when, and its cause raises no other until it was gone once', async () => {
    const { id } = await machine({ lastSeen: new Date(now() - 30 * hourMs) });
    await raiseByRules(t.deps);
    const [alert] = await alertsOf(id);
    const ended = (await worker.call('POST', `/api/vending-machine-alerts/${alert?.id}/resolve`)).json();
    expect(ended).toMatchObject({ resolvedBy: expect.any(String), resolvedAt: t.deps.clock.now().toISOString() });
    expect((await manager.call('POST', `/api/vending-machine-alerts/${alert?.id}/resolve`)).json()).toEqual(ended);
    await raiseByRules(t.deps);
    expect(await typesOf(id)).toEqual([]);
    await t.deps.db.execute(sql`update vending_machines set last_seen = ${new Date(now())} where id = ${id}`);
    await raiseByRules(t.deps);
    await t.deps.db.execute(
      sql`update vending_machines set last_seen = ${new Date(now() - 30 * hourMs)} where id = ${id}`,
    );
    await raiseByRules(t.deps);
    expect(await typesOf(id)).toEqual(['silent']);
  });

  it('a rule that is off ends its alerts, and its severity is the one set', async () => {
    const { id } = await machine({ lastSeen: new Date(now() - 40 * hourMs) });
    await raiseByRules(t.deps);
    await setRules(({ rules }) => Object.assign(rules.silent, { severity: 'critical' }));
    expect(await alertsOf(id)).toMatchObject([{ severity: 'critical' }]);
    await setRules(({ rules }) => Object.assign(rules.silent, { enabled: false }));
    expect(await alertsOf(id)).toEqual([]);
    await setRules(({ rules }) => Object.assign(rules, usualAlertSettings.rules));
  });

  it('slots that are sold out follow their rule: as grave as set, and told again when it is switched on again', async () => {
    const { id } = await machine();
    const sold = await buildSlot(t.deps.db, id, { slotNumber: 'C1', productName: 'Cola', currentQuantity: 0 });
    // One that was never filled is not sold out.
    await buildSlot(t.deps.db, id, { slotNumber: 'C2', currentQuantity: 0 });
    const count = (currentQuantity: number) => {
      t.setNow(new Date(now() + 1_000));
      return manager.call('PUT', `/api/vending-machine-inventory/${sold.id}`, { body: { currentQuantity } });
    };
    await count(3);
    await count(0);
    expect(await alertsOf(id)).toMatchObject([{ severity: 'medium' }]);
    await setRules(({ rules }) => Object.assign(rules.out_of_stock, { severity: 'critical' }));
    expect(await alertsOf(id)).toMatchObject([{ message: 'C1 Cola is sold out', severity: 'critical' }]);
    await setRules(({ rules }) => Object.assign(rules.out_of_stock, { enabled: false }));
    expect(await alertsOf(id)).toEqual([]);
    await setRules(({ rules }) => Object.assign(rules.out_of_stock, { enabled: true, severity: 'high' }));
    expect(await alertsOf(id)).toMatchObject([{ message: 'C1 Cola is sold out', severity: 'high' }]);
    await count(3);
    expect(await alertsOf(id)).toEqual([]);
    await setRules(({ rules }) => Object.assign(rules, usualAlertSettings.rules));
  });

  it('rules saved on an older state, out of their limits or by a worker are refused', async () => {
    const { version, ...settings }: AlertRules = (await manager.call('GET', rulesUrl)).json();
    const send = (body: unknown, person = manager) =>
      person.call('PUT', rulesUrl, { body, headers: { 'if-match': '"0"' } });
    expect(version).toBeGreaterThan(0);
    expect((await send(settings)).json()).toMatchObject({
      status: 409,
      fields: { version: expect.stringContaining('The alert rules were changed by') },
    });
    const limit = (rule: AlertRule, value: number) => ({
      ...settings,
      rules: { ...settings.rules, [rule]: { ...settings.rules[rule], limit: value } },
    });
    expect((await send(limit('silent', 0))).json()).toMatchObject({
      status: 400,
      detail: expect.stringContaining('After hours: between 1 and 720'),
    });
    expect((await send(settings, worker)).statusCode).toBe(403);
    expect((await worker.call('GET', rulesUrl)).statusCode).toBe(403);
  });

  it('pages follow one another without a gap, newest first, within the own scope', async () => {
    const { id } = await machine();
    const other = await machine({ routeDesignation: '202', lastSeen: new Date(now() - 50 * hourMs) });
    const cause = { machineId: id, severity: 'low' as const, slotId: null, message: 'Fault' };
    await raiseAlerts(
      t.deps.db,
      ['door', 'jam', 'light'].map((alertType) => ({ ...cause, alertType })),
    );
    await raiseByRules(t.deps);
    const all = await alertsOf(id);
    const first = (await manager.call('GET', `${pageUrl}?machine=${id}&limit=2`)).json();
    const second = (await manager.call('GET', `${pageUrl}?machine=${id}&limit=2&cursor=${first.next}`)).json();
    expect([...first.alerts, ...second.alerts]).toEqual(all);
    expect([first.total, second.next]).toEqual([3, null]);
    expect((await worker.call('GET', `${pageUrl}?machine=${other.id}`)).json().alerts).toEqual([]);
    expect(
      (await worker.call('POST', `/api/vending-machine-alerts/${(await alertsOf(other.id))[0]?.id}/resolve`))
        .statusCode,
    ).toBe(404);
  });

  it('the daily letter goes to the managers once a day from its hour on, and only when it is switched on', async () => {
    await machine({ name: 'North Lobby', lastSeen: new Date(now() - 60 * hourMs) });
    await raiseByRules(t.deps);
    const letters = () => t.sent.filter((message) => message.subject?.includes('waiting'));
    await sendDigest(t.deps);
    expect(letters()).toEqual([]);
    // It is 11 in the morning in New York.
    await setRules(({ digest }) => Object.assign(digest, { enabled: true, hour: 12 }));
    await sendDigest(t.deps);
    expect(letters()).toEqual([]);
    await setRules(({ digest }) => Object.assign(digest, { hour: 11 }));
    await sendDigest(t.deps);
    await sendDigest(t.deps);
    expect(letters()).toHaveLength(2);
    const text = letters()[0]?.text ?? '';
    expect(text).toMatch(/^Nobody has taken note yet, Thu, Mar 12, 2026, 11:00 AM EDT: \d+ high/);
    expect(text).toContain('HIGH  North Lobby: Not heard of since');
  });

  it('the daily letter waits for a mail server that is away', async () => {
    const later = new Date(now() + 24 * hourMs);
    t.setNow(later);
    const before = t.sent.length;
    const { mailer } = t.deps;
    const away = { ...mailer, check: () => Promise.reject(new Error('away')) };
    await expect(sendDigest({ ...t.deps, mailer: away })).rejects.toThrow('away');
    await sendDigest(t.deps);
    expect(t.sent.length).toBe(before + 2);
    // Written to already: the mail server is not asked again.
    await sendDigest({ ...t.deps, mailer: away });
    expect(t.sent.length).toBe(before + 2);
  });
});
