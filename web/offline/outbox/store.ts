import { type DBSchema, type IDBPDatabase, type IDBPTransaction, openDB, type StoreNames } from 'idb';
import type { Draft, Entry, KeptAnswer, KeptPhoto, MetaRecord, TableName, Tables, VisitDraft } from './records.ts';

type TableSchema = { [K in TableName]: { key: number; value: Tables[K]; indexes: { byOwner: number } } };

type Schema = DBSchema &
  TableSchema & {
    meta: { key: string; value: MetaRecord };
    answers: { key: string; value: KeptAnswer };
    drafts: { key: [number, string, number]; value: Draft; indexes: { byUser: number } };
    visits: { key: [number, string]; value: VisitDraft };
    outbox: {
      key: number;
      value: Entry;
      indexes: { byStatus: [string, number]; byUserStatus: [number, string, number]; byLocation: string };
    };
    photos: { key: string; value: KeptPhoto };
  };

type StoreName = StoreNames<Schema>;
export type ReadTx = IDBPTransaction<Schema, StoreName[], 'readonly'>;
export type WriteTx = IDBPTransaction<Schema, StoreName[], 'readwrite'>;

/** One database, two ways in. A write has reached the disk when its promise resolves. */
export type Store = {
  read<T>(names: StoreName[], work: (tx: ReadTx) => Promise<T>): Promise<T>;
  write<T>(names: StoreName[], work: (tx: WriteTx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

const schemaVersion = 1;

function upgrade(db: IDBPDatabase<Schema>, from: number): void {
  if (from >= 1) return;
  db.createObjectStore('meta', { keyPath: 'key' });
  db.createObjectStore('answers', { keyPath: 'key' });
  db.createObjectStore('drafts', { keyPath: ['userId', 'itemType', 'itemId'] }).createIndex('byUser', 'userId');
  db.createObjectStore('visits', { keyPath: ['userId', 'locationKey'] });
  db.createObjectStore('photos', { keyPath: 'id' });
  const outbox = db.createObjectStore('outbox', { keyPath: 'seq' });
  outbox.createIndex('byStatus', ['status', 'seq']);
  outbox.createIndex('byUserStatus', ['userId', 'status', 'seq']);
  outbox.createIndex('byLocation', 'locationKey');
  db.createObjectStore('items', { keyPath: 'id' }).createIndex('byOwner', 'row.marketId');
  db.createObjectStore('slots', { keyPath: 'id' }).createIndex('byOwner', 'row.machineId');
  db.createObjectStore('markets', { keyPath: 'id' });
  db.createObjectStore('machines', { keyPath: 'id' });
  db.createObjectStore('products', { keyPath: 'id' });
  db.createObjectStore('routes', { keyPath: 'id' });
}

/** Opens at first use, and again after the browser dropped the connection (phones do so to sleeping tabs). */
export function openStore(name: string): Store {
  let opened: Promise<IDBPDatabase<Schema>> | null = null;

  function database(): Promise<IDBPDatabase<Schema>> {
    opened ??= openDB<Schema>(name, schemaVersion, {
      upgrade,
      blocking: (_current, _blocked, event) => {
        opened = null;
        (event.target as IDBDatabase | null)?.close();
      },
      terminated: () => {
        opened = null;
      },
    });
    return opened.catch((error) => {
      opened = null;
      throw error;
    });
  }

  async function begin<M extends 'readonly' | 'readwrite'>(names: StoreName[], mode: M) {
    const open = async () => (await database()).transaction(names, mode, { durability: 'strict' });
    try {
      return await holdOpen(open);
    } catch (error) {
      if (!(error instanceof DOMException && error.name === 'InvalidStateError')) throw error;
      opened = null;
      return holdOpen(open);
    }
  }

  return {
    read: async (names, work) => finish((await begin(names, 'readonly')).tx, work),
    write: async (names, work) => finish((await begin(names, 'readwrite')).tx, work),
    close: async () => {
      const db = await opened;
      opened = null;
      db?.close();
    },
  };
}

/** A transaction is boxed on its way through a promise: a bare one would be mistaken for something to wait for. */
async function holdOpen<T>(open: () => Promise<T>): Promise<{ tx: T }> {
  return { tx: await open() };
}

type Transaction = { done: Promise<void>; error: DOMException | null; abort(): void; commit(): void };

async function finish<Tx extends Transaction, T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const done = tx.done.then(
    () => null,
    (error: unknown) => ({ error }),
  );
  const result = await attempt(tx, work);
  const failed = await done;
  // The transaction's own error tells the cause (a full disk); the failed request only says that it was aborted.
  if (failed) throw tx.error ?? ('error' in result ? result.error : failed.error);
  if ('error' in result) throw result.error;
  return result.value;
}

async function attempt<Tx extends Transaction, T>(
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
): Promise<{ value: T } | { error: unknown }> {
  try {
    const value = await work(tx);
    end(tx);
    return { value };
  } catch (error) {
    try {
      tx.abort();
    } catch {
      // It has already ended; `done` tells how.
    }
    return { error };
  }
}

/** Requests whose answer the work did not wait for need not come back to this thread, which may be drawing, before the flush. */
function end(tx: Transaction): void {
  try {
    tx.commit();
  } catch {
    // It has already ended by itself.
  }
}
