import type { VendorDevice, VendorProduct, VendorStock } from '../../domain/integration.ts';
import { isRec, money, number, plainText, type Rec, records, text, within } from './read.ts';

export type Outlet = {
  id: string;
  name: string;
  currency: string;
  timeZone: string | null;
  /** Shelf prices contain the tax. */
  pricesIncludeTax: boolean;
};

/** The same for every configuration that sees this outlet. */
export const integrationIdOf = (prefix: string, outletId: string): string => `lightspeed:${prefix}:${outletId}`;

/** Null for a record without an id. */
export function toOutlet(rec: Rec): Outlet | null {
  const id = text(rec, 'id');
  if (id === null) return null;
  return {
    id,
    name: text(rec, 'name') ?? 'Outlet',
    currency: text(rec, 'currency') ?? 'USD',
    timeZone: text(rec, 'time_zone'),
    pricesIncludeTax: rec.display_prices === 'inclusive',
  };
}

/** An outlet is a market. X-Series 2.0 tells no coordinates: they are left to the operator, never made up. */
export function toDevice(rec: Rec, prefix: string): VendorDevice | null {
  const outlet = toOutlet(rec);
  if (!outlet) return null;
  const street = [text(rec, 'physical_address_1'), text(rec, 'physical_address_2')].filter((part) => part !== null);
  return {
    vendorId: outlet.id,
    locationType: 'market',
    integrationId: integrationIdOf(prefix, outlet.id),
    machineNumber: null,
    name: outlet.name,
    serialNumber: null,
    model: null,
    firmware: null,
    address: street.join(', ') || null,
    city: text(rec, 'physical_city', 'physical_suburb'),
    state: text(rec, 'physical_state'),
    zipCode: text(rec, 'physical_postcode'),
    latitude: null,
    longitude: null,
    status: 'active',
    lastSeenAt: null,
    removed: isDeleted(rec),
    details: { currency: outlet.currency, timeZone: outlet.timeZone, pricesIncludeTax: outlet.pricesIncludeTax },
    raw: rec,
  };
}

/** Deleted records stay in the lists with the time of it. */
export const isDeleted = (rec: Rec): boolean => text(rec, 'deleted_at') !== null;

/** What stock and sales need to know of a product. */
export type Product = {
  id: string;
  name: string;
  sku: string | null;
  description: string | null;
  category: string | null;
  supplier: string | null;
  cost: string | null;
  priceWithTax: string | null;
  priceWithoutTax: string | null;
  version: string | null;
};

/** Money as decimal text with two decimals; null for a record without an id. */
export function toKnown(rec: Rec): Product | null {
  const id = text(rec, 'id');
  if (id === null) return null;
  const [category] = records(rec.categories);
  return {
    id,
    name: (rec.has_variants === true ? text(rec, 'variant_name', 'name') : text(rec, 'name', 'variant_name')) ?? id,
    sku: text(rec, 'sku'),
    description: plainText(text(rec, 'description')),
    category: within(rec, 'type', 'name') ?? (category ? text(category, 'name') : null),
    supplier: within(rec, 'supplier', 'name'),
    cost: money(rec, 'supply_price'),
    priceWithTax: money(rec, 'price_including_tax'),
    priceWithoutTax: money(rec, 'price_excluding_tax'),
    version: text(rec, 'version'),
  };
}

/** What a buyer reads on the shelf of an outlet: with or without the tax, as the outlet has it. Without an outlet: without. */
export const shelfPrice = (product: Product, outlet: Outlet | null): string | null =>
  outlet?.pricesIncludeTax ? product.priceWithTax : product.priceWithoutTax;

/** `outlet`: whose price is the catalogue's, one of several. */
export function toProduct(rec: Rec, outlet: Outlet | null): VendorProduct | null {
  const product = toKnown(rec);
  if (!product) return null;
  return {
    vendorId: product.id,
    name: product.name,
    sku: product.sku,
    barcodes: barcodesOf(rec),
    description: product.description,
    category: product.category,
    supplier: product.supplier,
    price: shelfPrice(product, outlet),
    cost: product.cost,
    removed: isDeleted(rec),
    version: product.version,
    raw: rec,
  };
}

/** Only the full form has product codes; many shops keep the barcode as the SKU. */
function barcodesOf(rec: Rec): string[] {
  const codes = records(rec.product_codes).map((code) => text(code, 'code'));
  const all = [...codes, text(rec, 'sku')].filter((code) => code !== null && /^\d{8,14}$/.test(code));
  return [...new Set(all)].filter((code) => code !== null);
}

type StockOf = { prefix: string; product: Product | null; outlet: Outlet | null };

/** One row per product and outlet. The level may be below 0 and is passed on as told. */
export function toStock(rec: Rec, { prefix, product, outlet }: StockOf): VendorStock | null {
  const productId = text(rec, 'product_id');
  const outletId = text(rec, 'outlet_id');
  const level = number(rec, 'inventory_level', 'current_amount');
  if (productId === null || outletId === null || level === null) return null;
  const reorderPoint = number(rec, 'reorder_point');
  return {
    vendorId: text(rec, 'id') ?? `${productId}:${outletId}`,
    deviceId: outletId,
    integrationId: integrationIdOf(prefix, outletId),
    slotNumber: null,
    productCode: product?.sku ?? null,
    productName: product?.name ?? `Product ${productId}`,
    quantity: Math.trunc(level),
    capacity: null,
    minimum: reorderPoint !== null && reorderPoint > 0 ? Math.trunc(reorderPoint) : null,
    price: product ? shelfPrice(product, outlet) : null,
    lastFilledAt: null,
    removed: isDeleted(rec),
    version: text(rec, 'version'),
    details: {
      lightspeedId: productId,
      sku: product?.sku ?? null,
      description: product?.description ?? null,
      cost: product?.cost ?? null,
      category: product?.category ?? null,
      supplier: product?.supplier ?? null,
      reorderPoint,
      reorderLevel: number(rec, 'reorder_amount'),
      locationId: outletId,
      locationName: outlet?.name ?? null,
    },
    raw: rec,
  };
}

/** What the vendor sends for a whole list member that is no object, or lacks its id. */
export const unreadableOf = (raw: unknown, what: string): { reason: string; raw: unknown } => ({
  reason: isRec(raw) ? `A ${what} without the fields that make it one.` : `A ${what} that is no record.`,
  raw,
});
