import { getMeta } from '../device.ts';
import type { ReadTx, Store } from './store.ts';

/** What a strip under the header can say. */
export type OfflineStatus = {
  online: boolean;
  userId: number | null;
  /** Changes typed and not saved. */
  drafts: number;
  /** Saved on this phone, not yet on the server; own ones and those of others who used this phone. */
  unsent: number;
  unsentOthers: number;
  attention: number;
  sending: ReadonlySet<string>;
  lastSyncAt: string | null;
  /** By how much the server's clock is ahead of this phone's, in whole minutes: what is late is late by the server's. */
  clockAheadMs: number;
  oldestUnsentAt: string | null;
  /** Something has been unsent for more than a day: browsers may clear a site that is not used. */
  isStale: boolean;
  signInNeeded: boolean;
  /** The phone is full: the last change could not be kept. */
  notSaved: boolean;
  /** How many writes found no room since the page was opened: each one has to be answered by a person. */
  refusedWrites: number;
  /** `failed`: the last try ended without a whole copy, and there is none from before. */
  download: 'none' | 'running' | 'complete' | 'partial' | 'failed';
};

type Counts = Pick<
  OfflineStatus,
  | 'userId'
  | 'drafts'
  | 'unsent'
  | 'unsentOthers'
  | 'attention'
  | 'lastSyncAt'
  | 'clockAheadMs'
  | 'oldestUnsentAt'
  | 'isStale'
> & { isDownloaded: boolean };

const emptyStatus: OfflineStatus = {
  online: true,
  userId: null,
  drafts: 0,
  unsent: 0,
  unsentOthers: 0,
  attention: 0,
  sending: new Set(),
  lastSyncAt: null,
  clockAheadMs: 0,
  oldestUnsentAt: null,
  isStale: false,
  signInNeeded: false,
  notSaved: false,
  refusedWrites: 0,
  download: 'none',
};

const staleMs = 24 * 3_600_000;
const minuteMs = 60_000;

const end = Number.MAX_SAFE_INTEGER;

export async function countStored(store: Store, nowMs: number): Promise<Counts> {
  return store.read(['meta', 'drafts', 'outbox'], async (tx) => {
    const outbox = tx.objectStore('outbox');
    const [session, download, contact, total, [oldest]] = await Promise.all([
      getMeta(tx, 'session'),
      getMeta(tx, 'download'),
      getMeta(tx, 'contact'),
      countUnsent(store, tx, null),
      outbox.index('byStatus').getAll(IDBKeyRange.bound(['unsent', 0], ['unsent', end]), 1),
    ]);
    const userId = session?.person.id ?? null;
    const own = (status: string) =>
      userId === null
        ? Promise.resolve(0)
        : outbox.index('byUserStatus').count(IDBKeyRange.bound([userId, status, 0], [userId, status, end]));
    const [unsent, attention, refused, drafts] = await Promise.all([
      userId === null ? 0 : countUnsent(store, tx, userId),
      own('needs_attention'),
      own('refused'),
      userId === null ? 0 : tx.objectStore('drafts').index('byUser').count(userId),
    ]);
    return {
      userId,
      drafts,
      unsent,
      unsentOthers: total - unsent,
      attention: attention + refused,
      lastSyncAt: download && download.userId === userId ? (contact?.lastServerTime ?? download.refreshedAt) : null,
      clockAheadMs: minuteMs * Math.round((contact?.clockOffsetMs ?? 0) / minuteMs),
      oldestUnsentAt: oldest?.savedAt ?? null,
      isStale: oldest !== undefined && nowMs - Date.parse(oldest.savedAt) > staleMs,
      isDownloaded: download !== undefined && download.userId === userId && download.complete,
    };
  });
}

/** What an entry goes along with never changes, and so is read once. */
const partsRead = new WeakMap<Store, Map<number, number>>();

/** Changes that are not with the server: what a person did, however many entries it takes to tell. Null: everybody's. */
async function countUnsent(store: Store, tx: ReadTx, userId: number | null): Promise<number> {
  const parts = partsRead.get(store) ?? new Map<number, number>();
  partsRead.set(store, parts);
  const outbox = tx.objectStore('outbox');
  const of = userId === null ? [] : [userId];
  const between = (from: number, to: number) => IDBKeyRange.bound([...of, 'unsent', from], [...of, 'unsent', to]);
  const read = (range: IDBKeyRange) =>
    userId === null ? outbox.index('byStatus').getAll(range) : outbox.index('byUserStatus').getAll(range);
  const keys = (range: IDBKeyRange) =>
    userId === null ? outbox.index('byStatus').getAllKeys(range) : outbox.index('byUserStatus').getAllKeys(range);
  const seqs = await keys(between(0, end));
  const fresh = seqs.filter((seq) => !parts.has(seq));
  const [first, last] = [fresh[0], fresh.at(-1)];
  const entries = first === undefined || last === undefined ? [] : await read(between(first, last));
  for (const { seq, partOf } of entries) parts.set(seq, partOf ?? seq);
  return new Set(seqs.map((seq) => parts.get(seq))).size;
}

export async function countDrafts(store: Store, userId: number | null): Promise<number> {
  if (userId === null) return 0;
  return store.read(['drafts'], (tx) => tx.objectStore('drafts').index('byUser').count(userId));
}

/** The status as one immutable value that changes only when something in it does. */
export class StatusBoard {
  private value: OfflineStatus = emptyStatus;
  private readonly listeners = new Set<() => void>();

  get = (): OfflineStatus => this.value;

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  set(part: Partial<OfflineStatus>): void {
    const next = { ...this.value, ...part };
    const keys = Object.keys(part) as (keyof OfflineStatus)[];
    if (keys.every((key) => this.value[key] === next[key])) return;
    this.value = next;
    for (const listener of this.listeners) listener();
  }
}
