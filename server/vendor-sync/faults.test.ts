import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { VendorResource } from '../../domain/integration.ts';
import { salesOf } from '../../sandbox/fleet.ts';
import { credentials as momaAccount, momaStandIn } from '../../sandbox/moma/vendor.ts';
import { machineIdOf } from '../../sandbox/nayax/records.ts';
import { settlementOf } from '../../sandbox/nayax/sales.ts';
import { credentials as nayaxAccount, nayaxStandIn } from '../../sandbox/nayax/vendor.ts';
import { type Sandbox, startSandbox } from '../../sandbox/server.ts';
import { rows } from '../db/database.ts';
import { createConfig, getConfig } from '../integrations/service.ts';
import { onEachDatabase } from '../testing/databases/databases.ts';
import { type TestApp, testApp } from '../testing/test-app.ts';
import { runSync } from './service.ts';

const start = new Date('2026-03-12T15:00:00Z');
/** Two pages of machines, so that a page can go missing in the middle. */
const machineCount = 28;
const mostRuns = 40;
/** As many calls of a hundred go wrong in each of these ways. */
const faults = [
  { kind: 'server_error', share: 0.04, parameters: {} },
  { kind: 'rate_limited', share: 0.02, parameters: { seconds: 0 } },
  { kind: 'rate_limited', share: 0.01, parameters: { seconds: 0, as: 'date' } },
  { kind: 'cut', share: 0.02, parameters: {} },
  { kind: 'malformed', share: 0.01, parameters: {} },
  { kind: 'malformed', share: 0.01, parameters: { as: 'html' } },
];
const onPages = [
  { kind: 'empty_page', share: 0.2, parameters: {} },
  { kind: 'short_page', share: 0.2, parameters: {} },
  { kind: 'repeat_page', share: 0.2, parameters: {} },
];

onEachDatabase('Partners that misbehave', (open) => {
  let sandbox: Sandbox;
  let t: TestApp;

  beforeAll(async () => {
    const of = ({ site }: { site: { id: number } }) => site.id <= machineCount;
    const vendors = [nayaxStandIn(of), momaStandIn(of)];
    sandbox = await startSandbox({ vendors, tickMs: null, from: new Date(start.getTime() - 86_400_000) });
    t = await testApp(open, { MILKRUN_SANDBOX_URL: sandbox.origin });
  });
  afterAll(async () => {
    await t.close();
    await sandbox.close();
  });

  it('with the whole fault board on, the ledger ends with the very sales that the partner has', async () => {
    sandbox.sphere.clock.set(start, true);
    t.setNow(start);
    const configs = [
      { system: 'nayax' as const, name: 'Core', settings: nayaxAccount },
      { system: 'moma' as const, name: 'Phone', settings: momaAccount },
    ];
    const ids: number[] = [];
    for (const config of configs) {
      const settings = { ...config.settings, environment: 'sandbox' };
      ids.push((await createConfig(t.deps, null, { ...config, settings })).id);
      for (const { kind, share, parameters } of faults) queue(config.system, '*', { kind, share, parameters });
      for (const { kind, share, parameters } of onPages)
        queue(config.system, '*/v1/machines', { kind, share, parameters });
    }
    const told = new Set<string>();
    for (const [n, id] of ids.entries()) {
      const resources = n === 0 ? (['devices', 'sales'] as const) : (['devices', 'stock', 'sales'] as const);
      for (const sentence of await untilRead(id, resources)) told.add(sentence);
    }
    // Each failure says in words for a person what happened.
    for (const sentence of told) expect(sentence).toMatch(/^(?:Nayax|MoMa)[^{}<>]+\.$/);
    sandbox.sphere.faults.clear();
    // The look back that makes it complete, with the partner well again.
    for (const id of ids) await runSync(t.deps, id, ['devices', 'sales'], { since: new Date(0) });

    const fleet = sandbox.sphere.fleet();
    const own = fleet.machines.filter(({ site }) => site.id <= machineCount);
    const made = own
      .flatMap((place) => salesOf(fleet, place, fleet.from, new Date(start.getTime() + 1)))
      .filter((sale) => settlementOf(sale, start).settled > 0);
    // Sales of a machine that nobody linked yet wait for it.
    const linked = await rows<{ id: string }>(
      t.deps.db,
      sql`select vendor_id as id from vendor_devices where link = 'linked' and config_id = ${ids[0]}`,
    );
    const known = new Set(linked.map(({ id }) => id));
    expect(known.size).toBeGreaterThan(machineCount - 5);
    const booked = made.filter(({ place }) => known.has(String(machineIdOf(place))));
    const [books] = await rows<{ n: number; sum: string }>(
      t.deps.db,
      sql`select count(distinct transaction_id)::int as n, sum(total_amount)::text as sum from sales`,
    );
    const total = booked.reduce((sum, sale) => sum + Math.round(settlementOf(sale, start).settled * 100), 0);
    expect(books).toEqual({ n: booked.length, sum: (total / 100).toFixed(2) });
    expect((await getConfig(t.deps, ids[0] ?? 0)).problem).toBeNull();
  }, 300_000);

  type Play = { kind: string; share: number; parameters: Record<string, unknown> };
  const queue = (system: string, call: string, { kind, share, parameters }: Play): void =>
    sandbox.sphere.faults.queue({ system, call, kind, times: 1_000_000, parameters: { ...parameters, share } });

  /** As the timetable would: what failed is due again, once the breaker lets it. Tells the sentences of the failures. */
  async function untilRead(id: number, resources: readonly VendorResource[]): Promise<Set<string>> {
    const told = new Set<string>();
    for (const resource of resources) {
      let isRead = false;
      for (let run = 0; !isRead && run < mostRuns; run += 1) {
        isRead = await runSync(t.deps, id, [resource]).then(
          () => true,
          (error: Error) => told.add(error.message) && false,
        );
        if (!isRead) t.setNow(new Date(t.deps.clock.now().getTime() + 16 * 60_000));
      }
      expect(isRead, `${resource}: ${[...told].join(' ')}`).toBe(true);
    }
    return told;
  }
});
