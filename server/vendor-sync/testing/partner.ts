import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { Connector, PullPage, PullRequest } from '../../../connectors/connector.ts';
import type { VendorBatch, VendorResource } from '../../../domain/integration.ts';
import { rows } from '../../db/database.ts';
import { createConfig } from '../../integrations/service.ts';
import type { OpenTestDatabase } from '../../testing/databases/databases.ts';
import { oneOfEachRole } from '../../testing/roles.ts';
import { type Person, type TestApp, testApp } from '../../testing/test-app.ts';
import { deviceTold, saleTold } from '../../testing/vendor.ts';

/** A partner whose pages a test writes. */
type Partner = {
  pages: Record<string, VendorBatch[]>;
  asked: { resource: string; request: PullRequest }[];
  fail: (resource: string, page: number) => Error | null;
  /** Answers come when it is done. */
  held?: Promise<void>;
};

function partnerOf(): Partner {
  return { pages: {}, asked: [], fail: () => null };
}

/** Reads the pages of a partner one by one. */
export const connectorFor = (partner: Partner): Connector => ({
  manifest: {
    system: 'nayax',
    label: 'The partner',
    basis: 'Made for this test.',
    fields: [{ name: 'key', label: 'Key', kind: 'secret', required: 'Key is required' }],
    resources: ['devices', 'sales'],
    everyMinutes: { devices: 60, sales: 5 },
    backfills: true,
  },
  testConnection: async () => ({ detail: 'It answers.' }),
  pull: async (resource: VendorResource, request): Promise<PullPage> => {
    partner.asked.push({ resource, request });
    const at = typeof request.cursor === 'number' ? request.cursor : 0;
    const problem = partner.fail(resource, at);
    if (problem) throw problem;
    await partner.held;
    const pages = partner.pages[resource] ?? [];
    const batch = pages[at] ?? {};
    return { batch, cursor: Math.min(at + 1, pages.length), more: at + 1 < pages.length };
  },
});

/** A partner with one configuration, made anew for each test, and what the books say of it. */
export function partnerWith(open: OpenTestDatabase) {
  let t: TestApp;
  let manager: Person;
  let admin: Person;
  let partner: Partner;
  let configId: number;

  beforeAll(async () => {
    t = await testApp(open);
    ({ manager, admin } = await oneOfEachRole(t, '101'));
  });
  afterAll(() => t.close());
  beforeEach(async () => {
    partner = partnerOf();
    t.deps.connectors = [connectorFor(partner)];
    configId = (
      await createConfig(t.deps, null, { system: 'nayax', name: 'Ours', settings: { key: 'a long secret key' } })
    ).id;
  });

  const ledgerOf = () =>
    rows<{ n: number; units: number }>(
      t.deps.db,
      sql`select count(*)::int as n, coalesce(sum(quantity), 0)::int as units from sales where source = ${`vendor:${configId}`}`,
    );
  /** Which transaction wrote each row last: the same marks before and after say that nothing was written. */
  const marks = () =>
    rows(
      t.deps.db,
      sql`select 'device' as kind, id, xmin::text from vendor_devices union all select 'sale', id, xmin::text from vendor_sales
          union all select 'machine', id, xmin::text from vending_machines union all select 'slot', id, xmin::text from vending_machine_inventory
          union all select 'sum', 0, xmin::text from sales_daily order by 1, 2, 3`,
    );
  const sale = (id: string, fields = {}) => saleTold({ vendorId: id, deviceId: `D-${configId}`, configId, ...fields });
  const device = (fields = {}) =>
    deviceTold({
      vendorId: `D-${configId}`,
      integrationId: `nayax:${configId}`,
      machineNumber: `N-${configId}`,
      name: `Machine ${configId}`,
      latitude: String(40 + configId / 10),
      ...fields,
    });
  return {
    get t() {
      return t;
    },
    get manager() {
      return manager;
    },
    get admin() {
      return admin;
    },
    get partner() {
      return partner;
    },
    get configId() {
      return configId;
    },
    ledgerOf,
    marks,
    sale,
    device,
  };
}
