import type { IntegrationSystem, VendorBatch, VendorSale } from '../../domain/integration.ts';
import type { PullPage, PullRequest, VendorContext } from '../connector.ts';
import { readAlert, settled } from './alert.ts';
import type { Lynx } from './client.ts';
import { type Hardware, hardwareOf, readMachine } from './machine.ts';
import { instant, type Rec } from './read.ts';
import { changedSince, readSale } from './sale.ts';
import { scrubbed } from './scrub.ts';
import { readStock } from './stock.ts';
import { nextMachines, type Walked } from './walk.ts';

/** What one pull works with. */
export type Reach = {
  system: IntegrationSystem;
  lynx: Lynx;
  /** Only machines of this actor of the operator's hierarchy; null: all that the token sees. */
  actorId: string | null;
  context: VendorContext;
};

const devicesAPage = 1000;
const mostDevicePages = 200;
/** A sale may reach Nayax long after it was made: rows this much older than what was asked for are read again. */
const lateMs = 6 * 3_600_000;

/** The list of devices, read once a run: it has no filter by machine. */
const hardwareOfRun = new WeakMap<VendorContext, Promise<Hardware>>();

function hardware({ lynx, context }: Reach): Promise<Hardware> {
  const known = hardwareOfRun.get(context);
  if (known) return known;
  const read = allDevices(lynx).then(hardwareOf);
  hardwareOfRun.set(context, read);
  // A failure must not be remembered for the next page.
  read.catch(() => hardwareOfRun.delete(context));
  return read;
}

async function allDevices(lynx: Lynx): Promise<Rec[]> {
  const all: Rec[] = [];
  for (let number = 1; number <= mostDevicePages; number++) {
    const page = await lynx.devices({ number, size: devicesAPage });
    all.push(...page);
    if (page.length === 0) break;
  }
  return all;
}

/** A page of machines, each read by `read`; what a machine that is gone meanwhile has is left out. */
async function walk(
  reach: Reach,
  request: PullRequest,
  read: (machine: Walked['machines'][number]) => Promise<VendorBatch>,
): Promise<PullPage> {
  const { machines, cursor, more } = await nextMachines(reach.lynx, request.cursor, reach);
  return { batch: Promise.all(machines.map(read)).then(joined), cursor, more };
}

function joined(batches: readonly VendorBatch[]): VendorBatch {
  return {
    devices: batches.flatMap((batch) => batch.devices ?? []),
    stock: batches.flatMap((batch) => batch.stock ?? []),
    sales: batches.flatMap((batch) => batch.sales ?? []),
    alerts: batches.flatMap((batch) => batch.alerts ?? []),
    unreadable: batches.flatMap((batch) => batch.unreadable ?? []),
  };
}

/** Some machines with status and device. Throws VendorError, as the other walks do. */
export async function pullMachines(reach: Reach, request: PullRequest): Promise<PullPage> {
  const devices = await hardware(reach);
  return walk(reach, request, async ({ id, rec }) => {
    const status = await reach.lynx.status(id);
    const seen = { machineId: id, machine: rec, status, hardware: devices, now: reach.context.now() };
    return { devices: [readMachine(seen)] };
  });
}

/**
 * The last sales of each machine. Lynx has no list by date: a machine's call answers a recent window and forgets what is
 * older, so a machine is asked whole each time and what nothing has happened to since `since` is left out.
 */
export function pullSales(reach: Reach, request: PullRequest): Promise<PullPage> {
  const since = request.since ? new Date(request.since.getTime() - lateMs) : null;
  return walk(reach, request, async ({ id }) => {
    const records = (await reach.lynx.lastSales(id)) ?? [];
    return salesBatch(records, id, since);
  });
}

/** Sales of one machine that something happened to since an instant, null: all. What cannot be read stands beside them, without card numbers. */
export function salesBatch(records: readonly Rec[], machineId: string, since: Date | null): VendorBatch {
  const sales = new Map<string, VendorSale>();
  const unreadable: { reason: string; raw: unknown }[] = [];
  for (const rec of records) {
    const read = readSale(rec, machineId);
    if ('reason' in read) unreadable.push({ reason: read.reason, raw: scrubbed(rec) });
    else for (const sale of read.sales) keepLater(sales, sale);
  }
  return { sales: [...sales.values()].filter((sale) => changedSince(sale, since)), unreadable };
}

/** One window may name a sale twice, before and after its settlement. */
function keepLater(sales: Map<string, VendorSale>, sale: VendorSale): void {
  const known = sales.get(sale.vendorId);
  if (!known || known.status === 'pending') sales.set(sale.vendorId, sale);
}

/** The last alerts of some machines, from `since` on where there is one. */
export function pullAlerts(reach: Reach, request: PullRequest): Promise<PullPage> {
  const { since } = request;
  return walk(reach, request, async ({ id }) => {
    const records = (await reach.lynx.lastAlerts(id)) ?? [];
    const read = records.map((rec) => ({ rec, alert: readAlert(rec, id) }));
    const known = new Map(read.flatMap(({ alert }) => (alert ? [[alert.vendorId, alert] as const] : [])));
    const alerts = settled([...known.values()]);
    return {
      alerts: since
        ? alerts.filter((one) => (one.resolvedAt ?? one.raisedAt) >= since || one.raisedAt >= since)
        : alerts,
      unreadable: read
        .filter(({ alert }) => !alert)
        .map(({ rec }) => ({ reason: 'An alert without a time that can be read.', raw: rec })),
    };
  });
}

/** What stands in some machines, from their products and pick lists. */
export function pullStock(reach: Reach, request: PullRequest): Promise<PullPage> {
  return walk(reach, request, async ({ id }) => {
    const [products, picks, status] = await Promise.all([
      reach.lynx.machineProducts(id),
      reach.lynx.pickList(id),
      reach.lynx.status(id),
    ]);
    const lastFilledAt = status ? instant(status, 'MachineStockRefilDateTime') : null;
    return { stock: readStock({ machineId: id, products: products ?? [], picks: picks ?? [], lastFilledAt }) };
  });
}
