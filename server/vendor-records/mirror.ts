import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import { withoutCardNumbers } from '../../domain/card-numbers.ts';
import type { VendorAlert, VendorProduct, VendorStock } from '../../domain/integration.ts';
import { raiseAlerts, resolveAlertsOfType } from '../alerts/service.ts';
import { rows } from '../db/database.ts';
import { insertRows, overwriting } from '../db/statements/insert-rows.ts';
import { chunks, contentHash, cut, decimalOf, isOlder, newestOf, recordsOf, type Told, versionOf } from './batch.ts';
import { vendorAlerts, vendorProducts, vendorStock } from './tables.ts';

type Known = { vendorId: string; contentHash: string; version?: string | null };

/** What is new or says something else than before, and is not an older version of what is known. */
export function changedOnly<R extends Known>(told: readonly R[], known: readonly Known[]): R[] {
  const before = new Map(known.map((row) => [row.vendorId, row]));
  return told.filter((row) => {
    const stored = before.get(row.vendorId);
    if (!stored) return true;
    return stored.contentHash !== row.contentHash && !isOlder(row.version ?? null, stored.version ?? null);
  });
}

const once = ['config_id', 'vendor_id'];

/** `excluded` of each of these columns, for a statement that overwrites. */
const overwrite = (columns: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, sql.raw(`excluded.${column}`)]));

export async function storeProducts(told: Told, products: readonly VendorProduct[]): Promise<number> {
  let written = 0;
  for (const part of chunks(newestOf(products))) {
    const ids = part.map((one) => one.vendorId);
    const known = await told.db
      .select()
      .from(vendorProducts)
      .where(recordsOf(vendorProducts, told.configId, ids));
    const changed = changedOnly(
      part.map((product) => productRow(told, product)),
      known,
    );
    if (changed.length === 0) continue;
    await told.db.execute(sql`${insertRows(vendorProducts, changed)} ${overwriting(once, productColumns)}`);
    written += changed.length;
  }
  return written;
}

const productColumns = [
  'name',
  'sku',
  'barcodes',
  'description',
  'category',
  'supplier',
  'price',
  'cost',
  'removed',
  'version',
  'raw',
  'content_hash',
  'updated_at',
];

function productRow({ configId, system, at }: Told, { vendorId, ...product }: VendorProduct) {
  return {
    configId,
    system,
    vendorId,
    name: cut(product.name, 255) ?? vendorId,
    sku: cut(product.sku, 100),
    barcodes: product.barcodes.map((code) => code.trim()).filter((code) => code !== ''),
    description: product.description,
    category: cut(product.category, 100),
    supplier: cut(product.supplier, 255),
    price: decimalOf(product.price),
    cost: decimalOf(product.cost),
    removed: product.removed,
    version: versionOf(product.version),
    raw: withoutCardNumbers(product.raw),
    contentHash: contentHash(product),
    createdAt: at,
    updatedAt: at,
  };
}

export async function storeStock(told: Told, stock: readonly VendorStock[]): Promise<number> {
  let written = 0;
  for (const part of chunks(newestOf(stock))) {
    const ids = part.map((one) => one.vendorId);
    const known = await told.db
      .select()
      .from(vendorStock)
      .where(recordsOf(vendorStock, told.configId, ids));
    const changed = changedOnly(
      part.map((one) => stockRow(told, one)),
      known,
    );
    if (changed.length === 0) continue;
    await told.db.execute(sql`${insertRows(vendorStock, changed)} ${overwriting(once, stockColumns)}`);
    written += changed.length;
  }
  return written;
}

const stockColumns = [
  'device_id',
  'integration_id',
  'slot_number',
  'product_code',
  'product_name',
  'quantity',
  'capacity',
  'minimum',
  'price',
  'last_filled_at',
  'removed',
  'version',
  'details',
  'raw',
  'content_hash',
  'updated_at',
];

const whole = (count: number | null): number | null =>
  count === null || !Number.isFinite(count) ? null : Math.max(-1_000_000, Math.min(1_000_000, Math.round(count)));

function stockRow({ configId, system, at }: Told, { vendorId, ...stock }: VendorStock) {
  return {
    configId,
    system,
    vendorId,
    deviceId: stock.deviceId,
    integrationId: stock.integrationId,
    slotNumber: cut(stock.slotNumber, 20),
    productCode: cut(stock.productCode, 100),
    productName: cut(stock.productName, 255) ?? vendorId,
    quantity: whole(stock.quantity) ?? 0,
    capacity: whole(stock.capacity),
    minimum: whole(stock.minimum),
    price: decimalOf(stock.price),
    lastFilledAt: stock.lastFilledAt,
    removed: stock.removed,
    version: versionOf(stock.version),
    details: withoutCardNumbers(stock.details) as Record<string, unknown>,
    raw: withoutCardNumbers(stock.raw),
    contentHash: contentHash(stock),
    createdAt: at,
    updatedAt: at,
  };
}

/** Keeps alerts of a partner without raising them among ours: whoever calls has done so. */
export async function keepAlerts(told: Told, alerts: readonly VendorAlert[]): Promise<void> {
  await writeAlerts(told, alerts, async () => {});
}

/** Ends what a device's own events no longer tell of. */
export async function endDeviceAlerts(told: Told, deviceId: string | null, codes: readonly string[]): Promise<void> {
  if (codes.length === 0 || deviceId === null) return;
  await told.db
    .update(vendorAlerts)
    .set({ resolvedAt: told.at, updatedAt: told.at })
    .where(
      and(
        eq(vendorAlerts.configId, told.configId),
        eq(vendorAlerts.deviceId, deviceId),
        inArray(vendorAlerts.code, [...codes]),
        isNull(vendorAlerts.resolvedAt),
      ),
    );
}

export async function storeAlerts(told: Told, alerts: readonly VendorAlert[]): Promise<number> {
  return writeAlerts(told, alerts, (changed) => passOn(told, changed));
}

async function writeAlerts(
  told: Told,
  alerts: readonly VendorAlert[],
  then: (changed: readonly AlertRow[]) => Promise<void>,
): Promise<number> {
  let written = 0;
  for (const part of chunks(newestOf(alerts))) {
    const ids = part.map((one) => one.vendorId);
    const known = await told.db
      .select()
      .from(vendorAlerts)
      .where(recordsOf(vendorAlerts, told.configId, ids));
    const changed = changedOnly(
      part.map((one) => alertRow(told, one)),
      known,
    );
    if (changed.length === 0) continue;
    // As stored: what a person ended here stays ended among the machine's alerts too.
    const stored = await told.db
      .insert(vendorAlerts)
      .values(changed)
      .onConflictDoUpdate({ target: [vendorAlerts.configId, vendorAlerts.vendorId], set: alertColumns })
      .returning({ vendorId: vendorAlerts.vendorId, resolvedAt: vendorAlerts.resolvedAt });
    const endedAt = new Map(stored.map(({ vendorId, resolvedAt }) => [vendorId, resolvedAt]));
    await then(changed.map((alert) => ({ ...alert, resolvedAt: endedAt.get(alert.vendorId) ?? null })));
    written += stored.length;
  }
  return written;
}

// What a person here ended stays ended: `resolved_by` is not the partner's to change.
const alertColumns = {
  ...overwrite({
    deviceId: 'device_id',
    integrationId: 'integration_id',
    alertType: 'alert_type',
    code: 'code',
    message: 'message',
    severity: 'severity',
    raisedAt: 'raised_at',
    raw: 'raw',
    contentHash: 'content_hash',
    updatedAt: 'updated_at',
  }),
  resolvedAt: sql`coalesce(vendor_alerts.resolved_at, excluded.resolved_at)`,
};

type AlertRow = ReturnType<typeof alertRow>;

function alertRow({ configId, system, at }: Told, { vendorId, ...alert }: VendorAlert) {
  return {
    configId,
    system,
    vendorId,
    deviceId: alert.deviceId,
    integrationId: alert.integrationId,
    alertType: cut(alert.alertType, 100) ?? 'other',
    code: cut(alert.code, 100),
    message: String(withoutCardNumbers(alert.message)),
    severity: alert.severity,
    raisedAt: alert.raisedAt,
    resolvedAt: alert.resolvedAt,
    raw: withoutCardNumbers(alert.raw),
    contentHash: contentHash(alert),
    createdAt: at,
    updatedAt: at,
  };
}

/** An alert older than this is history: it is listed, but wakes nobody. */
const freshMs = 48 * 3_600_000;

/** Raises the alerts of linked machines among ours, and ends those that the partner says are over. */
async function passOn(told: Told, alerts: readonly AlertRow[]): Promise<void> {
  const machines = await machinesOf(told, alerts);
  const fresh = alerts.filter((alert) => told.at.getTime() - alert.raisedAt.getTime() <= freshMs);
  const named = fresh.flatMap((alert) => {
    const machineId = machines.get(`${alert.deviceId} ${alert.integrationId}`);
    return machineId === undefined ? [] : [{ ...alert, machineId, alertType: alert.alertType.slice(0, 50) }];
  });
  await raiseAlerts(
    told.db,
    named
      .filter((alert) => alert.resolvedAt === null)
      .map(({ machineId, alertType, message, severity }) => ({
        machineId,
        slotId: null,
        alertType,
        message,
        severity,
      })),
  );
  await resolveAlertsOfType(
    told.db,
    named.filter((alert) => alert.resolvedAt !== null),
  );
}

type Where = { deviceId: string | null; integrationId: string | null };

/** Our machine by device id and integration id of what was told, where it is linked. */
async function machinesOf({ db, configId }: Told, told: readonly Where[]): Promise<Map<string, number>> {
  const asked = told.map(({ deviceId, integrationId }) => ({ deviceId, integrationId }));
  const found = await rows<{ deviceId: string | null; integrationId: string | null; machineId: number }>(
    db,
    sql`select distinct g."deviceId", g."integrationId", d.machine_id as "machineId"
        from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as g("deviceId" text, "integrationId" text)
        join vendor_devices d on d.machine_id is not null
          and ((d.config_id = ${configId} and d.vendor_id = g."deviceId") or d.integration_id = g."integrationId")`,
  );
  return new Map(found.map((one) => [`${one.deviceId} ${one.integrationId}`, one.machineId]));
}
