import type { Session } from '../../../contract/auth.ts';
import type { InventoryItem } from '../../../contract/inventory.ts';
import type { Slot, VendingMachine } from '../../../contract/machines.ts';
import type { Market } from '../../../contract/markets.ts';
import type { Product } from '../../../contract/products.ts';
import type { ScheduledRoute } from '../../../contract/routes.ts';
import type { DayEndEvent, ProgressEvent, VisitEvent } from '../../../domain/field-event.ts';
import type { FieldReason, ItemType, StockEvent } from '../../../domain/inventory.ts';
import type { LocationRef } from '../../../domain/location.ts';
import type { SealedEvent } from '../../../domain/phone-seal.ts';

/** What is kept on the phone. The shapes only ever grow: an older record must stay readable after an update. */

export type ItemRef = { itemType: ItemType; itemId: number };

/** The result of the actions on one item: `quantity` is the number found for a count, the units added for a restock. */
export type DraftChange = { kind: 'count' | 'restock'; quantity: number; reason: FieldReason };

/** Units taken out during a visit by why, none below zero: `removed` is still good, the others are spoiled. */
export type Taken = Partial<Record<'removed' | 'expired' | 'damaged' | 'other', number>>;

/** What the driver says of one item: its change, beside what was found and what was taken out. */
export type DraftWork = {
  change: DraftChange;
  /** What was there before anything was put in or taken out, where it was counted. */
  found?: number;
  taken?: Taken;
};

/** A change not yet saved, one per person and item. `earlier` holds the changes before, oldest first, for undo. */
export type Draft = ItemRef &
  DraftWork & {
    /** From its first tap to its save, in whatever tab it goes on; absent in those of older versions of the app. */
    draftId?: string;
    userId: number;
    location: LocationRef;
    locationKey: string;
    productName: string;
    productId?: number | null;
    /** What comes into the slot with the next filling, where something is planned. */
    plannedName?: string;
    shown: number;
    earlier: (DraftChange & Pick<DraftWork, 'found' | 'taken'>)[];
    changedAt: string;
    /** The last time heard from the server when the change was made. */
    lastServerTime: string | null;
  };

/** `isShut`: the server has no key to them, so nothing waits for them any more. */
export type SealedWords = { with: string; words: string; isShut?: true };

/** What belongs to a visit as a whole, until it is closed. Without `opened` it is only a note and photos, as before visits. */
export type VisitDraft = {
  userId: number;
  locationKey: string;
  note: string;
  photoIds: string[];
  bagNumber?: string;
  refunds?: string;
  opened?: { visitId: string; location: LocationRef; routeId: number | null; stopId: number | null; at: string };
  /** When changes of this visit were last saved on the phone; absent before the first. */
  savedAt?: string;
  /** The number of the last of them. */
  savedSeq?: number;
  position?: VisitEvent['position'];
  /** Words of the visit that its person left sealed at a sign-out, oldest first. Such a visit is closed once they are open again. */
  sealed?: SealedWords[];
};

/** `unsent` waits for the server; every other status is its final answer. */
export type EntryStatus = 'unsent' | 'saved' | 'superseded' | 'needs_attention' | 'refused';

type EntryBase = {
  /** The device's own rising number; also the order of sending. */
  seq: number;
  id: string;
  userId: number;
  status: EntryStatus;
  /** The server's sentence when it did not simply apply the change. */
  reason: string | null;
  savedAt: string;
  answeredAt: string | null;
  /** The number of the entry this one goes along with: a person made one change, which takes several entries to tell. */
  partOf?: number;
};

export type StockEntry = EntryBase & {
  type: 'stock-event';
  event: StockEvent;
  /** The draft that it was saved from. */
  draftId?: string;
  itemKey: string;
  locationKey: string;
  productName: string;
};
/** A visit as it stood; a later one of the same visit replaces it at the server. */
export type VisitEntry = EntryBase & { type: 'visit'; event: VisitEvent; locationKey: string };
/** A step of the driver's day, sent in one line with the stock events. */
export type ProgressEntry = EntryBase & {
  type: 'progress';
  event: ProgressEvent;
  /** What the stop or route is called, for the day the office has taken it off the route. */
  placeName?: string;
};
/** The end of the driver's day. */
export type DayEndEntry = EntryBase & { type: 'day-ended'; event: DayEndEvent };

/** Written by older versions of the app; sent as field events. */
export type StopEntry = EntryBase & { type: 'stop-completed'; routeId: number; stopId: number; actualArrival: string };
export type RouteEntry = EntryBase & { type: 'route-started'; routeId: number };
export type RouteAction = StopEntry | RouteEntry;
export type OpenEntry = StockEntry | VisitEntry | ProgressEntry | DayEndEntry | RouteAction;
/** Any of those, left by somebody who signed out: only its owner and the server can read it. */
export type SealedEntry = EntryBase & { type: 'sealed'; event: SealedEvent };
export type Entry = OpenEntry | SealedEntry;

/** A downloaded row. Rows of an older generation than the download's are gone from the server and get swept. */
type Kept<T> = { id: number; generation: number; row: T };

export type KeptPhoto = {
  id: string;
  userId: number;
  blob: Blob;
  takenAt: string;
  uploadedAt: string | null;
  /** The server's sentence when it would not have the picture. */
  refusal?: string;
  /** The key that the bytes are sealed with, since its person signed out. */
  sealedWith?: string;
};

/** One of a kind, by key. */
export type Meta = {
  device: { deviceId: string; seq: number; uuidMs: number; uuidCount: number };
  /** `clockOffsetMs` is server time minus phone time, learned at the last contact. */
  contact: { lastServerTime: string; clockOffsetMs: number };
  session: Session;
  download: {
    userId: number;
    cursor: string | null;
    generation: number;
    sweepDue: boolean;
    complete: boolean;
    refreshedAt: string | null;
    records: number;
  };
  persist: { askedAt: string; granted: boolean };
  /** Somebody signed out while the server could not be told. */
  signOutDue: { since: string };
};

export type MetaRecord = { [K in keyof Meta]: { key: K; value: Meta[K] } }[keyof Meta];

/** Small answers worth showing without a network, wiped at sign-out except what a person typed. */
export type KeptAnswer = { key: string; value: unknown; keptAt: string };

export type Tables = {
  markets: Kept<Market>;
  machines: Kept<VendingMachine>;
  items: Kept<InventoryItem>;
  slots: Kept<Slot>;
  products: Kept<Product>;
  routes: Kept<ScheduledRoute>;
};
export type TableName = keyof Tables;
export const tableNames: readonly TableName[] = ['markets', 'machines', 'items', 'slots', 'products', 'routes'];

export function itemKey(item: ItemRef): string {
  return `${item.itemType}:${item.itemId}`;
}

/** Same text as the domain's `locationKey`, without loading its schemas. */
export function placeKey(ref: LocationRef): string {
  return `${ref.type}:${ref.id}`;
}
