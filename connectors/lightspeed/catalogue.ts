import type { VendorContext } from '../connector.ts';
import { getList, getOne, getPage } from './client.ts';
import { type Outlet, type Product, toKnown, toOutlet } from './map.ts';
import { type Rec, text } from './read.ts';

/** Names for the ids that stock and sales hold, kept for as long as one run lasts. */
export type Catalogue = {
  outlets: Map<string, Outlet>;
  products: Map<string, Product | null>;
  customers: Map<string, Customer>;
  /** Products whose reorder points were asked for in this run, and what was told by product and outlet. */
  asked: Set<string>;
  full: Map<string, Rec>;
  isWhole: boolean;
};
type Customer = { name: string | null; email: string | null };

const pageSize = 200;

/** Few unknown products are asked for one by one; more than that, and the whole list is cheaper. */
const fewProducts = 15;

const catalogues = new WeakMap<VendorContext, Catalogue>();

/** What is known so far in the run of this context; nothing at its begin. */
export function catalogueOf(context: VendorContext): Catalogue {
  const known = catalogues.get(context);
  if (known) return known;
  const fresh: Catalogue = {
    outlets: new Map(),
    products: new Map(),
    customers: new Map(),
    asked: new Set(),
    full: new Map(),
    isWhole: false,
  };
  catalogues.set(context, fresh);
  return fresh;
}

/** Every outlet by its id, asked for once in a run. Throws VendorError. */
export async function outletsOf(context: VendorContext): Promise<Map<string, Outlet>> {
  const { outlets } = catalogueOf(context);
  if (outlets.size > 0) return outlets;
  for await (const rec of walk(context, 'outlets')) {
    const outlet = toOutlet(rec);
    if (outlet) outlets.set(outlet.id, outlet);
  }
  return outlets;
}

/** Makes these products known; one that the vendor has no longer is known as null. */
export async function learnProducts(context: VendorContext, ids: readonly string[]): Promise<Catalogue['products']> {
  const catalogue = catalogueOf(context);
  const { products } = catalogue;
  const unknown = [...new Set(ids)].filter((id) => !products.has(id));
  if (unknown.length > fewProducts && !catalogue.isWhole) {
    for await (const rec of walk(context, 'products')) rememberProduct(context, rec);
    catalogue.isWhole = true;
  }
  for (const id of unknown.filter((one) => !products.has(one))) {
    const rec = await getOne(context, `/products/${encodeURIComponent(id)}`);
    products.set(id, rec && toKnown(rec));
  }
  return products;
}

/** A product that a page brought need not be asked for again. */
export function rememberProduct(context: VendorContext, rec: Rec): void {
  const product = toKnown(rec);
  if (product) catalogueOf(context).products.set(product.id, product);
}

/** A buyer by id, asked for once in a run; null for none, and where the configuration does not want their details. Throws VendorError. */
export async function customerOf(context: VendorContext, id: string | null): Promise<Customer | null> {
  if (id === null || context.settings.customerDetails !== true) return null;
  const { customers } = catalogueOf(context);
  const known = customers.get(id);
  if (known) return known;
  const rec = await getOne(context, `/customers/${encodeURIComponent(id)}`);
  const name = rec && (text(rec, 'name') ?? [text(rec, 'first_name'), text(rec, 'last_name')].join(' ').trim());
  const customer = { name: name || null, email: rec && text(rec, 'email') };
  customers.set(id, customer);
  return customer;
}

/** Only this form tells reorder points. One call a product, so not more than `most` in a run. */
export async function learnFullStock(
  context: VendorContext,
  ids: readonly string[],
  most: number,
): Promise<Catalogue['full']> {
  const { asked, full } = catalogueOf(context);
  for (const id of new Set(ids)) {
    if (asked.has(id) || asked.size >= most) continue;
    const rows = await getList(context, `/products/${encodeURIComponent(id)}/inventory`);
    asked.add(id);
    for (const rec of rows) full.set(stockKey(rec), rec);
  }
  return full;
}

/** A product at an outlet, as one text. */
export const stockKey = (rec: Rec): string => `${text(rec, 'product_id')}:${text(rec, 'outlet_id')}`;

/** A whole list, page by page, each record once. Ends where a page brings nothing new. */
async function* walk(context: VendorContext, resource: string): AsyncGenerator<Rec> {
  let after = 0;
  while (true) {
    const page = await getPage(context, resource, { after, pageSize, deleted: true });
    yield* page.records;
    if (page.highest === null || page.highest <= after) return;
    after = page.highest;
  }
}
