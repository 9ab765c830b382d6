import { hash } from '../../simulator/random.ts';
import { isSameLine, type Line, type Place, salesOf } from '../fleet.ts';
import type { World } from '../vendor.ts';
import { kinds, uuidOf } from './ids.ts';
import { type Move, movesOf } from './tickets.ts';

/** A record of a list, with the version that paging goes by. */
export type Versioned = { version: number; deleted: boolean; record: Record<string, unknown> };

export const currency = 'USD';

/**
 * One counter for all records of the store, that only grows and has gaps. It follows from the time of the change, so
 * that a store started anew goes on where it stood.
 */
export const versionAt = (ms: number, nth: number): number => ms * perMs + (nth % perMs);
export const versionMs = (version: number): number => Math.floor(version / perMs);
const perMs = 1_024;

/** What never changes was made in one go, long ago. */
const longAgoMs = Date.UTC(2024, 0, 8, 9);

export const iso = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, '+00:00');

/** The first outlet shows prices without the tax, the second with it, and so on. */
export const isInclusive = (place: Place): boolean => place.site.id % 2 === 0;
export const taxRate = 0.06;

export function outlets(world: World): Versioned[] {
  return world.fleet.markets.map((place, index) => {
    const version = versionAt(longAgoMs, 0) + index * 37;
    const { site } = place;
    const record = {
      id: outletId(world, place),
      name: site.name,
      default_tax_id: uuidOf(world.seed, kinds.tax, 1),
      currency,
      currency_symbol: '$',
      display_prices: isInclusive(place) ? 'inclusive' : 'exclusive',
      time_zone: world.fleet.timeZone,
      physical_address_1: site.address,
      physical_address_2: '',
      physical_suburb: '',
      physical_city: site.city,
      physical_postcode: '',
      physical_state: site.state,
      physical_country_id: 'US',
      version,
      attributes: [],
    };
    return { version, deleted: false, record };
  });
}

export const outletId = (world: World, place: Place): string => uuidOf(world.seed, kinds.outlet, place.site.id);
export const productId = (world: World, line: Line): string => uuidOf(world.seed, kinds.product, line.product.id);

/** Every product of any outlet once, and one that was deleted. */
export function products(world: World): Versioned[] {
  const lines = new Map(world.fleet.markets.flatMap(({ lines }) => lines).map((line) => [line.product.id, line]));
  const all = [...lines.values()].sort((a, b) => a.product.id - b.product.id);
  return all
    .map((line, index) => {
      const touched = touchedOf(world).get(line.product.id);
      const version = touched ?? versionAt(longAgoMs, 5) + 1_000 + index * 7;
      return { version, deleted: false, record: productRecord(world, line, version) };
    })
    .concat(deletedProduct(world));
}

/** Products changed by hand, with the version they got then. */
export function touchedOf(world: World): Map<number, number> {
  const known = world.state.get('touched');
  if (known instanceof Map) return known;
  const fresh = new Map<number, number>();
  world.state.set('touched', fresh);
  return fresh;
}

function productRecord(world: World, line: Line, version: number): Record<string, unknown> {
  const { product } = line;
  const price = Number(product.price);
  const hasType = product.id % 9 !== 0;
  return {
    id: productId(world, line),
    name: product.name,
    variant_name: product.name,
    handle: product.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    sku: product.barcode,
    active: true,
    has_inventory: true,
    is_composite: false,
    description: `<p>${product.name}.</p>`,
    created_at: iso(longAgoMs),
    updated_at: iso(longAgoMs),
    source: 'USER',
    supply_price: Number(product.cost),
    version,
    type: hasType ? { id: uuidOf(world.seed, kinds.type, 1), name: product.category, version: 449_902 } : {},
    supplier:
      product.id % 3 === 0
        ? {}
        : { id: uuidOf(world.seed, kinds.type, 2), name: 'Keystone Wholesale', version: 2_089_502 },
    brand: {},
    variant_options: [],
    categories: hasType ? [] : [{ id: uuidOf(world.seed, kinds.type, 3), name: product.category }],
    images: [],
    has_variants: false,
    price_including_tax: fine(price),
    price_excluding_tax: fine(price / (1 + taxRate)),
    is_active: true,
    tag_ids: [],
    attributes: [],
  };
}

function deletedProduct(world: World): Versioned[] {
  const version = versionAt(longAgoMs, 5) + 900;
  const record = {
    id: uuidOf(world.seed, kinds.product, 999_999),
    name: 'Seasonal cookie tin',
    sku: '99999',
    type: {},
    supplier: {},
    brand: {},
    categories: [],
    has_variants: false,
    price_including_tax: 4.5,
    price_excluding_tax: fine(4.5 / (1 + taxRate)),
    deleted_at: iso(longAgoMs),
    version,
  };
  return [{ version, deleted: true, record }];
}

/** Up to five decimals, as the vendor sends them. */
export const fine = (value: number): number => Math.round(value * 100_000) / 100_000;

/** Counts: filled to par each morning at 06:00 UTC, less what was sold since. One was sold below nothing. */
export function inventory(world: World): Versioned[] {
  const key = `${Math.floor(world.now().getTime() / 1_000)} ${world.fleet.extra.length}`;
  const known = world.state.get('inventory') as { key: string; rows: Versioned[] } | undefined;
  if (known?.key === key) return known.rows;
  const rows = countAll(world);
  world.state.set('inventory', { key, rows });
  return rows;
}

function countAll(world: World): Versioned[] {
  const now = world.now();
  const filledMs = Math.floor((now.getTime() - 6 * 3_600_000) / 86_400_000) * 86_400_000 + 6 * 3_600_000;
  return world.fleet.markets.flatMap((place) => {
    const moved = salesOf(world.fleet, place, new Date(filledMs), now).flatMap((sale) => movesOf(sale, now));
    return place.lines.map((line, index) => stockOf(world, place, line, { index, filledMs, moved }));
  });
}

type Moved = { index: number; filledMs: number; moved: readonly Move[] };

function stockOf(world: World, place: Place, line: Line, { index, filledMs, moved }: Moved): Versioned {
  const own = moved.filter((move) => isSameLine(move.line, line)).sort((a, b) => a.atMs - b.atMs);
  const last = own.at(-1);
  const version = last ? versionAt(last.atMs, hash(last.number)) : versionAt(filledMs + place.site.id, index);
  const par = index === 3 ? -2 : line.capacity;
  const record = {
    id: uuidOf(world.seed, kinds.stock, place.site.id, line.product.id),
    product_id: productId(world, line),
    outlet_id: outletId(world, place),
    inventory_level: par + own.reduce((sum, { quantity }) => sum + quantity, 0),
    version,
  };
  return { version, deleted: false, record };
}

/** The form of one product's stock, which alone tells reorder points. */
export function fullStockOf(world: World, id: string): Record<string, unknown>[] {
  const lines = new Map(
    world.fleet.markets.flatMap((place) =>
      place.lines.map((line): [string, Line] => [
        uuidOf(world.seed, kinds.stock, place.site.id, line.product.id),
        line,
      ]),
    ),
  );
  return inventory(world)
    .filter(({ record }) => record.product_id === id)
    .map(({ record }) => {
      const line = lines.get(String(record.id));
      return {
        ...record,
        current_amount: record.inventory_level,
        average_cost: Number(line?.product.cost ?? 0),
        reorder_point: line?.minimum ?? 0,
        reorder_amount: line ? line.capacity - line.minimum : 0,
      };
    });
}
