import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fold, type Movement } from '../domain/inventory.ts';
import { isGtin } from '../domain/product.ts';
import type { HistoryChunk } from './history.ts';
import { catalogue } from './operator/catalogue.ts';
import { at } from './random.ts';
import type { Stock } from './records.ts';
import { type SimulateOptions, simulate } from './simulate.ts';

const small: SimulateOptions = { profile: 'S', seed: 1, days: 30, until: '2026-03-11' };

function digest(options: SimulateOptions): string {
  const { plan, history, routes } = simulate(options);
  const sum = createHash('sha256').update(JSON.stringify(plan));
  for (const chunk of history()) sum.update(JSON.stringify(chunk));
  for (const day of routes()) sum.update(JSON.stringify(day));
  return sum.digest('hex');
}

const chunks = [...simulate(small).history()];
const all = <T>(of: (chunk: HistoryChunk) => readonly T[]): T[] => chunks.flatMap((chunk) => [...of(chunk)]);
const stock = all((chunk) => chunk.sites).flatMap((site) => site.stock);
const part = (list: readonly Stock[], test: (item: Stock) => boolean) => list.filter(test).length / list.length;

describe('the synthetic operator', () => {
  it('is the same to the last digit for the same seed, and another one for another seed', () => {
    expect(digest(small)).toBe(digest(small));
    expect(digest({ ...small, seed: 2 })).not.toBe(digest(small));
  });

  it('has only barcodes with a right check digit, each once, from the ranges left to own use', () => {
    const codes = catalogue.map((product) => product.barcode);
    expect(codes.filter((code) => !isGtin(code))).toEqual([]);
    expect(codes.filter((code) => !/^(4\d{11}|20\d{11})$/.test(code))).toEqual([]);
    expect(new Set(codes).size).toBe(catalogue.length);
    expect(new Set(catalogue.map((product) => product.name)).size).toBe(catalogue.length);
  });

  it.each([
    ['S', 50, 2, 3],
    ['M', 1_500, 60, 30],
  ] as const)(
    'of profile %s has its machines, markets and territories, every site in one',
    (profile, machines, markets, territories) => {
      const { plan } = simulate({ ...small, profile });
      expect(plan.sites.filter((site) => site.type === 'vending_machine')).toHaveLength(machines);
      expect(plan.sites.filter((site) => site.type === 'market')).toHaveLength(markets);
      expect(plan.territories).toHaveLength(territories);
      expect(plan.territories.map((one) => one.designation)).toEqual(expect.arrayContaining(['101', '202', '505']));
      const served = plan.territories.flatMap((one) => one.tours.flatMap((tour) => tour.sites));
      expect(new Set(served).size).toBe(machines + markets);
      expect(new Set(plan.sites.map((site) => site.name)).size).toBe(machines + markets);
    },
  );

  it('gives every event an id of its own that looks like a UUID', () => {
    const ids = [...all((chunk) => chunk.sales), ...all((chunk) => chunk.movements)].map((one) => one.eventId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual(
      [],
    );
  });

  it('ends with the balances that the fold of its movements gives', () => {
    const movements = new Map<string, Movement[]>();
    const add = (key: string, movement: Movement) => movements.set(key, [...(movements.get(key) ?? []), movement]);
    for (const sale of all((chunk) => chunk.sales)) {
      if (sale.state === 'failed') continue;
      const { eventId, quantity, atMs } = sale;
      add(`${sale.itemType}${sale.itemId}`, { eventId, kind: 'sale', quantity: -quantity, effectiveAt: atMs });
    }
    for (const { itemType, itemId, eventId, kind, quantity, atMs } of all((chunk) => chunk.movements)) {
      add(`${itemType}${itemId}`, { eventId, kind, quantity, effectiveAt: atMs });
    }
    for (const item of stock) {
      const folded = fold(movements.get(`${item.itemType}${item.id}`) ?? []);
      expect(folded.quantity).toBe(item.believed);
      expect(folded.anchor?.eventId).toBe(item.anchor?.eventId);
    }
  });

  it('leaves most slots between a fifth and full, some low and few sold out', () => {
    const slots = stock.filter((item) => item.itemType === 'machine_slot');
    expect(part(slots, (slot) => slot.believed <= slot.minimum)).toBeGreaterThan(0.03);
    expect(part(slots, (slot) => slot.believed <= slot.minimum)).toBeLessThan(0.2);
    expect(part(slots, (slot) => slot.believed <= 0)).toBeLessThan(0.06);
    expect(part(slots, (slot) => slot.believed >= slot.par * 0.2)).toBeGreaterThan(0.8);
    expect(slots.every((slot) => slot.believed <= slot.capacity && slot.par <= slot.capacity)).toBe(true);
  });

  it('sells more on working days than on weekends, and by every payment method', () => {
    const sales = all((chunk) => chunk.sales);
    const weekend = sales.filter((sale) => [0, 6].includes(new Date(sale.atMs - 5 * 3_600_000).getUTCDay())).length;
    expect(weekend / 2).toBeLessThan((sales.length - weekend) / 5 / 2);
    expect(new Set(sales.map((sale) => sale.payment))).toEqual(new Set(['cash', 'credit', 'contactless', 'mobile']));
    expect(new Set(sales.map((sale) => sale.state))).toEqual(new Set(['sold', 'failed', 'refunded']));
  });

  it('drives on working days only, with arrivals in order between leaving and coming back', () => {
    const days = [...simulate(small).routes()].filter((day) => day.length > 0);
    expect(days).toHaveLength(22);
    for (const { startedMs, actualMs, completedMs, plannedMs } of days.flat()) {
      const times = [startedMs, ...actualMs, completedMs];
      expect(times).toEqual([...times].sort((a, b) => a - b));
      expect(at(plannedMs, 0)).toBeGreaterThan(0);
    }
  });

  it('has open and resolved alerts, and a few machines not heard of for more than a day', () => {
    const alerts = all((chunk) => chunk.alerts);
    const endMs = Date.parse('2026-03-12T04:00:00Z');
    const silent = all((chunk) => chunk.sites).filter((one) => one.lastSeenMs && one.lastSeenMs < endMs - 86_400_000);
    expect(alerts.some((alert) => alert.resolvedMs === null && alert.alertType !== 'out_of_stock')).toBe(true);
    expect(alerts.filter((alert) => alert.resolvedMs !== null).length).toBeGreaterThan(20);
    expect(silent.length).toBeGreaterThanOrEqual(2);
    expect(silent.length).toBeLessThan(8);
  });
});
