import type { InventoryItem } from '../../../contract/inventory.ts';
import type { Slot } from '../../../contract/machines.ts';
import type { Product } from '../../../contract/products.ts';
import type { ItemType } from '../../../domain/inventory.ts';
import type { LocationRef } from '../../../domain/location.ts';
import { addressText } from '../../../domain/place.ts';
import { barcodeForms } from '../../../domain/product.ts';
import { isLow } from '../../../domain/stock-status.ts';
import { dayIn } from '../../../domain/time.ts';
import { type ItemState, stateOf, wasEmptied, withUnsent } from '../day/overlay.ts';
import { getMeta } from '../device.ts';
import type { Offline } from '../offline.ts';
import { entriesOf } from '../outbox/outbox.ts';
import { type Entry, itemKey, placeKey, type StockEntry } from '../outbox/records.ts';
import type { ReadTx } from '../outbox/store.ts';

/** Answers from the phone alone. This phone's unsent changes lie on top of the server's figures. */

export type KeptLocation = {
  ref: LocationRef;
  name: string;
  address: string;
  /** Where in the building, for machines. */
  place: string | null;
  routeDesignation: string | null;
  status: string;
};

export async function listLocations(offline: Offline): Promise<KeptLocation[]> {
  return offline.store.read(['markets', 'machines'], async (tx) => {
    const markets = await tx.objectStore('markets').getAll();
    const machines = await tx.objectStore('machines').getAll();
    return [
      ...markets.map(({ row }) => ({ ref: { type: 'market' as const, id: row.id }, place: null, ...nameOf(row) })),
      ...machines.map(({ row }) => ({
        ref: { type: 'vending_machine' as const, id: row.id },
        place: row.location,
        ...nameOf(row),
      })),
    ].sort((a, b) => a.name.localeCompare(b.name));
  });
}

/** Whether the phone has a copy of the place, be it an empty one. */
export async function isKept(offline: Offline, { type, id }: LocationRef): Promise<boolean> {
  const table = type === 'market' ? 'markets' : 'machines';
  return (await offline.store.read([table], (tx) => tx.objectStore(table).getKey(id))) !== undefined;
}

function nameOf(row: Parameters<typeof addressText>[0] & Pick<KeptLocation, 'name' | 'routeDesignation' | 'status'>) {
  return {
    name: row.name,
    address: addressText(row),
    routeDesignation: row.routeDesignation,
    status: row.status,
  };
}

export type StockRow = {
  itemType: ItemType;
  itemId: number;
  productId: number | null;
  productName: string;
  slotNumber: string | null;
  price: string | null;
  /** Null where a shelf has no limit. */
  capacity: number | null;
  minimumQuantity: number;
  parQuantity: number | null;
  /** Another product for this slot, put in when it is next filled; absent where none is planned. */
  planned?: { productName: string; price: string };
  /** The last day that what is in the slot may be sold, once it has gone by; null where nothing of that is left. */
  pastDate: string | null;
  /** With the unsent changes of this phone. */
  quantity: number;
  serverQuantity: number;
  state: ItemState;
  /** The server's sentence about the last change, where it has one. */
  reason: string | null;
  /** The number of this phone's last change that is in these figures; 0 before any. */
  lastSeq: number;
};

type BareRow = Omit<StockRow, 'quantity' | 'state' | 'reason' | 'lastSeq'>;

export async function listStock(offline: Offline, ref: LocationRef): Promise<StockRow[]> {
  const [rows] = await listStockOf(offline, [ref]);
  return rows ?? [];
}

/** The stock of several locations in one look, in their order. */
export async function listStockOf(offline: Offline, refs: readonly LocationRef[]): Promise<StockRow[][]> {
  const kept = await offline.store.read(['items', 'slots', 'outbox', 'meta'], async (tx) => {
    const today = await todayOf(tx, offline.environment.now());
    return Promise.all(
      refs.map(async (ref) => {
        const [bare, entries] = await Promise.all([
          bareRows(tx, ref, today),
          tx.objectStore('outbox').index('byLocation').getAll(placeKey(ref)),
        ]);
        return { bare, entries };
      }),
    );
  });
  const sending = offline.status.get().sending;
  return kept.map(({ bare, entries }) => {
    const byItem = grouped(entries.filter(isStock));
    return bare.map((row) => withOwn(row, byItem.get(itemKey(row)) ?? [], sending));
  });
}

/** The operator's day by what this phone knows of the server's clock; empty, and so before every date, without a session. */
async function todayOf(tx: ReadTx, phoneMs: number): Promise<string> {
  const session = await getMeta(tx, 'session');
  const offsetMs = (await getMeta(tx, 'contact'))?.clockOffsetMs ?? 0;
  return session ? dayIn(session.operator.timeZone, new Date(phoneMs + offsetMs)) : '';
}

async function bareRows(tx: ReadTx, ref: LocationRef, today: string): Promise<BareRow[]> {
  if (ref.type === 'market') {
    const kept = await tx.objectStore('items').index('byOwner').getAll(ref.id);
    return kept.map(({ row }) => marketRow(row));
  }
  const kept = await tx.objectStore('slots').index('byOwner').getAll(ref.id);
  return kept.map(({ row }) => slotRow(row, today));
}

function withOwn(row: BareRow, own: StockEntry[], sending: ReadonlySet<string>): StockRow {
  const open = own.findLast((entry) => entry.status !== 'saved' && entry.reason !== null);
  // Of what was taken the last answer counts: a later change may fit again.
  const reason = open?.reason ?? own.findLast((entry) => entry.status === 'saved')?.reason ?? null;
  const lastSeq = own.reduce((last, entry) => Math.max(last, entry.seq), 0);
  const quantity = withUnsent(row.serverQuantity, own);
  const pastDate = wasEmptied(row.serverQuantity, own) ? null : row.pastDate;
  return { ...row, pastDate, quantity, state: stateOf(own, sending), reason, lastSeq };
}

function marketRow(row: InventoryItem): BareRow {
  return {
    itemType: 'market_item',
    itemId: row.id,
    productId: row.productId,
    productName: row.productName,
    slotNumber: null,
    price: row.price,
    capacity: null,
    minimumQuantity: row.minimumQuantity,
    parQuantity: row.parQuantity,
    pastDate: null,
    serverQuantity: row.currentQuantity,
  };
}

function slotRow(row: Slot, today: string): BareRow {
  const { expirationDate } = row;
  return {
    itemType: 'machine_slot',
    itemId: row.id,
    productId: row.productId,
    productName: row.productName,
    slotNumber: row.slotNumber,
    price: row.price,
    capacity: row.capacity,
    minimumQuantity: row.minimumQuantity,
    parQuantity: row.parQuantity,
    pastDate: expirationDate && expirationDate < today ? expirationDate : null,
    ...(row.planned ? { planned: row.planned } : {}),
    serverQuantity: row.currentQuantity,
  };
}

function isStock(entry: Entry): entry is StockEntry {
  return entry.type === 'stock-event';
}

function grouped(entries: StockEntry[]): Map<string, StockEntry[]> {
  const byItem = new Map<string, StockEntry[]>();
  for (const entry of entries) byItem.set(entry.itemKey, [...(byItem.get(entry.itemKey) ?? []), entry]);
  return byItem;
}

/** Number of market items at or below their minimum, in the person's scope. */
export async function countLowItems(offline: Offline): Promise<number> {
  const { items, entries } = await offline.store.read(['items', 'outbox'], async (tx) => ({
    items: await tx.objectStore('items').getAll(),
    // Thousands may be unsent, and a driver of machines has none of a market.
    entries: (await tx.objectStore('outbox').index('byLocation').getAll(IDBKeyRange.bound('market:', 'market:\uffff')))
      .filter(isStock)
      .filter((entry) => entry.status === 'unsent'),
  }));
  const byItem = grouped(entries);
  return items.filter(({ row }) => {
    const own = byItem.get(itemKey({ itemType: 'market_item', itemId: row.id })) ?? [];
    return isLow({ currentQuantity: withUnsent(row.currentQuantity, own), minimumQuantity: row.minimumQuantity });
  }).length;
}

/** The product of a scanned code; the 8, 12, 13 and 14 digit forms of one number are the same. */
export async function findProduct(offline: Offline, scanned: string): Promise<Product | null> {
  const wanted = barcodeForms(scanned);
  const products = await offline.store.read(['products'], (tx) => tx.objectStore('products').getAll());
  return (
    products.find(({ row }) => row.barcodes.some((code) => barcodeForms(code).some((form) => wanted.includes(form))))
      ?.row ?? null
  );
}

/** A few barcodes of the catalogue, to try the scan with. */
export async function someBarcodes(offline: Offline, count: number): Promise<string[]> {
  const products = await offline.store.read(['products'], (tx) => tx.objectStore('products').getAll(null, 200));
  return products.flatMap(({ row }) => row.barcodes.slice(0, 1)).slice(0, count);
}

/** Own changes the server does not have yet, and those it could not simply apply; in the order they were made. */
export async function listOutbox(offline: Offline): Promise<Entry[]> {
  return offline.store.read(['outbox', 'meta'], async (tx) => {
    const session = await getMeta(tx, 'session');
    if (!session) return [];
    const lists: Entry[][] = [];
    for (const status of ['unsent', 'needs_attention', 'refused', 'superseded'] as const) {
      lists.push(await entriesOf(tx, session.person.id, status));
    }
    return withoutParts(lists.flat()).sort((a, b) => a.seq - b.seq);
  });
}

/** One line for what a person did: entries that go along with one that waits beside them say nothing more. */
function withoutParts(entries: Entry[]): Entry[] {
  const told = new Map<number, number>();
  for (const { seq, status, partOf = seq } of entries) {
    if (status === 'unsent' && told.get(partOf) !== partOf) told.set(partOf, seq);
  }
  return entries.filter(({ seq, status, partOf = seq }) => status !== 'unsent' || told.get(partOf) === seq);
}

/** What kind of entry a number belongs to never changes, and so is read once. */
const typesRead = new WeakMap<Offline, Map<number, Entry['type']>>();

/** Own counts and restocks that the server does not have yet, visits and steps aside. */
export async function countUnsentChanges(offline: Offline): Promise<number> {
  const types = typesRead.get(offline) ?? new Map<number, Entry['type']>();
  typesRead.set(offline, types);
  return offline.store.read(['outbox', 'meta'], async (tx) => {
    const userId = (await getMeta(tx, 'session'))?.person.id;
    if (userId === undefined) return 0;
    const unsent = tx.objectStore('outbox').index('byUserStatus');
    const between = (from: number, to: number) => IDBKeyRange.bound([userId, 'unsent', from], [userId, 'unsent', to]);
    const seqs = await unsent.getAllKeys(between(0, Number.MAX_SAFE_INTEGER));
    const fresh = seqs.filter((seq) => !types.has(seq));
    const [first, last] = [fresh[0], fresh.at(-1)];
    const read = first === undefined || last === undefined ? [] : await unsent.getAll(between(first, last));
    // What is sealed becomes what it was once it is open.
    for (const { seq, type } of read) if (type !== 'sealed') types.set(seq, type);
    return seqs.filter((seq) => types.get(seq) === 'stock-event').length;
  });
}

/** Own changes that a person has to answer. */
export async function listAttention(offline: Offline): Promise<Entry[]> {
  return offline.store.read(['outbox', 'meta'], async (tx) => {
    const session = await getMeta(tx, 'session');
    if (!session) return [];
    const lists = await Promise.all(
      (['needs_attention', 'refused'] as const).map((status) => entriesOf(tx, session.person.id, status)),
    );
    return lists.flat().sort((a, b) => a.seq - b.seq);
  });
}

/** Own changes that the server took with a remark, such as another product in the slot since; latest first. */
export async function listRemarks(offline: Offline): Promise<Entry[]> {
  return offline.store.read(['outbox', 'meta'], async (tx) => {
    const session = await getMeta(tx, 'session');
    if (!session) return [];
    const saved = await entriesOf(tx, session.person.id, 'saved');
    return saved.filter((entry) => entry.reason !== null).sort((a, b) => b.seq - a.seq);
  });
}
