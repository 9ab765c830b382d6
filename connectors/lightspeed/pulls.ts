import type { VendorBatch, VendorResource } from '../../domain/integration.ts';
import { type PullPage, type PullRequest, type VendorContext, VendorError } from '../connector.ts';
import { customerOf, learnFullStock, learnProducts, outletsOf, rememberProduct, stockKey } from './catalogue.ts';
import { getPage, type ListPage } from './client.ts';
import { system } from './manifest.ts';
import { type Outlet, toDevice, toProduct, toStock, unreadableOf } from './map.ts';
import { instant, isRec, number, type Rec, records, text } from './read.ts';
import { toSales } from './sale.ts';

/**
 * Where a walk stands. Versions come from one counter of the store that only grows: `after` is the highest seen, and a
 * changed record comes again behind it. Reading again from a day walks the other way, newest first, until it is passed.
 */
type Cursor = { after: number } | { before: number; top: number };

const pageSizes: Readonly<Partial<Record<VendorResource, number>>> = { stock: 100 };
const usualPageSize = 200;

/** Products asked for reorder points in one run: what is left over follows when its stock changes. */
const mostFullForms = 200;

/** Above every version. */
const beyond = Number.MAX_SAFE_INTEGER;

const listOf: Readonly<Partial<Record<VendorResource, string>>> = {
  devices: 'outlets',
  products: 'products',
  stock: 'inventory',
  sales: 'sales',
};

/**
 * A page of what is new since the cursor, by version, or newest first since a day. Throws VendorError, also for what
 * Lightspeed does not tell.
 */
export async function pull(resource: VendorResource, request: PullRequest, context: VendorContext): Promise<PullPage> {
  const list = listOf[resource];
  if (!list) throw new VendorError(system, 'bad-data', 'Lightspeed does not tell this.');
  const from = cursorOf(resource, request);
  const pageSize = pageSizes[resource] ?? usualPageSize;
  const where = 'after' in from ? { after: from.after } : { before: from.before };
  const page = await getPage(context, list, { ...where, pageSize, deleted: resource !== 'stock' });
  const isNew = (rec: Rec) => !('after' in from) || (number(rec, 'version') ?? beyond) > from.after;
  const batch = await read(resource, page.records.filter(isNew), context);
  return { batch, ...next(from, page, request) };
}

function cursorOf(resource: VendorResource, { cursor, since }: PullRequest): Cursor {
  if (isRec(cursor)) {
    const after = number(cursor, 'after');
    if (after !== null) return { after };
    const before = number(cursor, 'before');
    if (before !== null) return { before, top: number(cursor, 'top') ?? 0 };
  }
  return since !== null && resource === 'sales' ? { before: beyond, top: 0 } : { after: 0 };
}

/**
 * A page is never the last because it is short, only because it is empty. One that repeats what was read brings no
 * higher version: the walk ends there and goes on from the same place in the next run.
 */
function next(from: Cursor, page: ListPage, { since }: PullRequest): { cursor: Cursor; more: boolean } {
  const { highest, lowest } = page;
  if ('after' in from) {
    return highest === null || highest <= from.after
      ? { cursor: from, more: false }
      : { cursor: { after: highest }, more: true };
  }
  const top = Math.max(from.top, highest ?? 0);
  const isPassed = since === null || !page.records.some((rec) => changedAt(rec) >= since.getTime());
  if (lowest === null || lowest >= from.before || isPassed) return { cursor: { after: top }, more: false };
  return { cursor: { before: lowest, top }, more: true };
}

function changedAt(rec: Rec): number {
  const moments = [instant(rec, 'updated_at'), instant(rec, 'sale_date'), instant(rec, 'created_at')];
  return Math.max(...moments.map((at) => at?.getTime() ?? 0));
}

function read(resource: VendorResource, found: readonly Rec[], context: VendorContext): Promise<VendorBatch> {
  if (resource === 'devices') return readDevices(found, context);
  if (resource === 'products') return readProducts(found, context);
  return resource === 'stock' ? readStock(found, context) : readSales(found, context);
}

const prefixOf = ({ settings }: VendorContext): string => String(settings.domainPrefix ?? '');

async function readDevices(found: readonly Rec[], context: VendorContext): Promise<VendorBatch> {
  const rows = found.map((rec) => toDevice(rec, prefixOf(context)) ?? unreadableOf(rec, 'outlet'));
  return sorted(rows, (devices) => ({ devices }));
}

async function readProducts(found: readonly Rec[], context: VendorContext): Promise<VendorBatch> {
  if (found.length === 0) return {};
  const [outlet = null] = [...(await outletsOf(context)).values()];
  for (const rec of found) rememberProduct(context, rec);
  return sorted(
    found.map((rec) => toProduct(rec, outlet) ?? unreadableOf(rec, 'product')),
    (products) => ({ products }),
  );
}

async function readStock(found: readonly Rec[], context: VendorContext): Promise<VendorBatch> {
  if (found.length === 0) return {};
  const outlets = await outletsOf(context);
  const ids = idsOf(found, 'product_id');
  const products = await learnProducts(context, ids);
  const withoutPoints = found.filter((rec) => number(rec, 'reorder_point') === null);
  const full = await learnFullStock(context, idsOf(withoutPoints, 'product_id'), mostFullForms);
  const rows = found.map((rec) => {
    const [productId, outletId] = [text(rec, 'product_id') ?? '', text(rec, 'outlet_id') ?? ''];
    const about = {
      prefix: prefixOf(context),
      product: products.get(productId) ?? null,
      outlet: outlets.get(outletId) ?? null,
    };
    // The list's own fields win: the other form may already be of a later version.
    const whole = { ...full.get(stockKey(rec)), ...rec };
    return toStock(whole, about) ?? unreadableOf(rec, 'count of stock');
  });
  return sorted(rows, (stock) => ({ stock }));
}

async function readSales(found: readonly Rec[], context: VendorContext): Promise<VendorBatch> {
  if (found.length === 0) return {};
  const outlets = await outletsOf(context);
  const lines = found.flatMap((rec) => records(rec.line_items));
  const products = await learnProducts(context, idsOf(lines, 'product_id'));
  const outletOf = (rec: Rec): Outlet | null => outlets.get(text(rec, 'outlet_id') ?? '') ?? null;
  const rows = [];
  for (const rec of found) {
    const sales = toSales(rec, {
      prefix: prefixOf(context),
      outlet: outletOf(rec),
      product: (id) => products.get(id) ?? null,
      customer: await customerOf(context, text(rec, 'customer_id')),
    });
    rows.push(...(sales ?? [unreadableOf(rec, 'sale')]));
  }
  return sorted(rows, (sales) => ({ sales }));
}

const idsOf = (found: readonly Rec[], name: string): string[] =>
  found.map((rec) => text(rec, name)).filter((id) => id !== null);

type Unreadable = { reason: string; raw: unknown };

function sorted<Row extends object>(
  rows: readonly (Row | Unreadable)[],
  toBatch: (good: Row[]) => VendorBatch,
): VendorBatch {
  const isUnreadable = (row: Row | Unreadable): row is Unreadable => 'reason' in row;
  const good = rows.filter((row): row is Row => !isUnreadable(row));
  const unreadable = rows.filter(isUnreadable);
  return { ...toBatch(good), ...(unreadable.length ? { unreadable } : {}) };
}
