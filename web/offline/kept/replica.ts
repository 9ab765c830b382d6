import type { Changes } from '../../../contract/sync.ts';
import { getMeta, putMeta, rememberContact } from '../device.ts';
import type { Answer, OfflineEnvironment } from '../environment.ts';
import { type Meta, type TableName, type Tables, tableNames } from '../outbox/records.ts';
import type { Store, WriteTx } from '../outbox/store.ts';
import { asChanges } from './answers.ts';

/** Most rows a phone keeps: far more than a driver's territory, far less than a whole operator of 50,000 machines. */
const recordLimit = 60_000;

export type RefreshResult = 'complete' | 'partial' | 'unreachable' | 'sign-in' | 'failed';

type ReplicaDeps = {
  store: Store;
  environment: Pick<OfflineEnvironment, 'transport' | 'now'>;
  userId: number;
  onPage: () => void;
};

type Download = Meta['download'];

/** Brings the phone's copy of locations, stock, products and routes up to date, page by page from where it stopped. */
export async function refreshReplica(deps: ReplicaDeps): Promise<RefreshResult> {
  for (;;) {
    const before = await currentDownload(deps);
    if (before.records >= recordLimit && !before.complete) return 'partial';
    const query = before.cursor === null ? '' : `?cursor=${encodeURIComponent(before.cursor)}`;
    const answer = await deps.environment.transport({ method: 'GET', path: `/api/sync/changes${query}` });
    const page = answer.outcome === 'answered' ? asChanges(answer.body) : null;
    if (!page) {
      if (isStaleCursor(answer) && before.cursor !== null) {
        await forgetCursor(deps, before);
        continue;
      }
      return failure(answer);
    }
    const applied = await applyPage(deps, before, page);
    deps.onPage();
    if (!applied || !page.more) return 'complete';
  }
}

function failure(answer: Answer): RefreshResult {
  if (answer.outcome !== 'refused') return 'unreachable';
  return answer.status === 401 ? 'sign-in' : 'failed';
}

/** The server no longer knows where we stopped: begin anew, keeping what is there until the new download is whole. */
function isStaleCursor(answer: Answer): boolean {
  return answer.outcome === 'refused' && answer.isProblem && [400, 410, 422].includes(answer.status);
}

function beginning(userId: number): Download {
  return { userId, cursor: null, generation: 0, sweepDue: false, complete: false, refreshedAt: null, records: 0 };
}

async function currentDownload(deps: ReplicaDeps): Promise<Download> {
  const known = await deps.store.read(['meta'], (tx) => getMeta(tx, 'download'));
  return known?.userId === deps.userId ? known : beginning(deps.userId);
}

async function forgetCursor(deps: ReplicaDeps, before: Download): Promise<void> {
  await deps.store.write(['meta'], (tx) => putMeta(tx, { key: 'download', value: { ...before, cursor: null } }));
}

/** False when another tab was quicker or another person signed in meanwhile: then the page is thrown away. */
async function applyPage(deps: ReplicaDeps, before: Download, page: Changes): Promise<boolean> {
  const nowMs = deps.environment.now();
  return deps.store.write([...tableNames, 'meta'], async (tx) => {
    const session = await getMeta(tx, 'session');
    const known = await getMeta(tx, 'download');
    const base = known?.userId === deps.userId ? known : beginning(deps.userId);
    if (session?.person.id !== deps.userId || base.cursor !== before.cursor) return false;
    const generation = page.reset ? base.generation + 1 : base.generation;
    const sweepDue = page.reset || base.sweepDue;
    const added = await putRows(tx, page, generation);
    await removeRows(tx, page.removed);
    if (sweepDue && !page.more) await sweep(tx, generation);
    const value: Download = {
      userId: deps.userId,
      cursor: page.cursor,
      generation,
      sweepDue: sweepDue && page.more,
      complete: !page.more || (base.complete && !page.reset),
      refreshedAt: page.more ? base.refreshedAt : page.serverTime,
      records: (page.reset ? 0 : base.records) + added,
    };
    await putMeta(tx, { key: 'download', value });
    await rememberContact(tx, page.serverTime, nowMs);
    return true;
  });
}

async function putRows(tx: WriteTx, page: Changes, generation: number): Promise<number> {
  for (const row of page.markets) await tx.objectStore('markets').put({ id: row.id, generation, row });
  for (const row of page.machines) await tx.objectStore('machines').put({ id: row.id, generation, row });
  for (const row of page.products) await tx.objectStore('products').put({ id: row.id, generation, row });
  for (const row of page.routes) await tx.objectStore('routes').put({ id: row.id, generation, row });
  for (const row of page.items) await putBalance(tx, 'items', { id: row.id, generation, row });
  for (const row of page.slots) await putBalance(tx, 'slots', { id: row.id, generation, row });
  return page.markets.length + page.machines.length + page.products.length + page.items.length + page.slots.length;
}

/** A page made before an upload was answered must not bring the old quantity back: the higher version stays. */
async function putBalance<N extends 'items' | 'slots'>(tx: WriteTx, name: N, next: Tables[N]): Promise<void> {
  const known = await tx.objectStore(name).get(next.id);
  const isOlder = known !== undefined && known.row.version > next.row.version;
  await tx.objectStore(name).put(isOlder ? { ...known, generation: next.generation } : next);
}

const tableOf: Record<Changes['removed'][number]['kind'], TableName> = {
  market: 'markets',
  vending_machine: 'machines',
  market_item: 'items',
  machine_slot: 'slots',
  route: 'routes',
};

async function removeRows(tx: WriteTx, removed: Changes['removed']): Promise<void> {
  for (const { kind, id } of removed) await tx.objectStore(tableOf[kind]).delete(id);
}

async function sweep(tx: WriteTx, generation: number): Promise<void> {
  for (const name of tableNames) {
    for (const kept of await tx.objectStore(name).getAll()) {
      if (kept.generation < generation) await tx.objectStore(name).delete(kept.id);
    }
  }
}

/** Begins the key of what waits for the server beside the outbox; it outlives a sign-out, as the outbox does. */
export const waitingPrefix = 'waiting:';

/** Begins the key of what a person typed and has not handed over yet, by person; it outlives a sign-out, as drafts do. */
export const typedPrefix = 'typed:';
/** What to bring on a route, and its way along roads. */
export const pickListPrefix = 'pick-list:';
export const wayPrefix = 'way:';
/** Answers that belong to a day of work, and are of no use long after it. */
export const ofDays: readonly string[] = [typedPrefix, pickListPrefix, wayPrefix];

const isOwnWork = (key: string): boolean => key.startsWith(waitingPrefix) || key.startsWith(typedPrefix);

/** Deletes everything downloaded. The outbox, the drafts and the phone's own name are not touched. */
export async function wipeReplica(tx: WriteTx): Promise<void> {
  for (const name of tableNames) await tx.objectStore(name).clear();
  const answers = tx.objectStore('answers');
  for (const key of await answers.getAllKeys()) if (!isOwnWork(key)) await answers.delete(key);
  await tx.objectStore('meta').delete('download');
}
